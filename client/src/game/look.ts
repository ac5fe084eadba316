// What a look at the rows shows: which columns move, and how. It is for those who do not know how to begin. It comes
// from the table alone and says no fact.

import type { Say } from '../strings/answers'
import { defaultInputs, type GameState } from './state'

type Move = 'grows' | 'shrinks' | 'stays' | 'jumps'

/** A value as a number; fractions are written as "-7/3". */
function number(text: string): number {
  const [top = '', bottom = '1'] = text.split('/')
  return Number(top) / Number(bottom)
}

/** How a column moves from row to row. */
export function moveOf(values: readonly string[]): Move {
  const numbers = values.map(number)
  if (numbers.some(Number.isNaN)) return new Set(values).size > 1 ? 'jumps' : 'stays'
  const steps = numbers.slice(1).map((value, index) => value - (numbers[index] ?? value))
  if (steps.every((step) => step === 0)) return 'stays'
  if (steps.every((step) => step >= 0)) return 'grows'
  return steps.every((step) => step <= 0) ? 'shrinks' : 'jumps'
}

/** What the table of the current loop shows, as a question. */
export function lookText({ program, trace, loop: current }: GameState, t: Say): string {
  const columns = program.loops.find(({ number }) => number === current)?.columns ?? []
  const array = columns.find(({ type }) => type.endsWith('[]'))
  if (array) return t('look.cells', array.name)
  const rows = trace.run.loops.find(({ loop }) => loop === current)?.rows ?? []
  const moving = (wanted: Move): string[] =>
    columns.flatMap(({ name }, index) => (moveOf(rows.map((row) => row[index] ?? '')) === wanted ? [name] : []))
  const [up, next] = moving('grows')
  const [down, other] = moving('shrinks')
  if (up && down) return t('look.opposite', up, down)
  if (up && next) return t('look.together', up, next)
  const only = up ?? down
  return only && !other && !moving('jumps').length ? t('look.one', only) : t('look.plain')
}

/** A number in a refuted fact for which an input stood in the first run, so that the input may have been meant. */
export const numberForInput = (state: GameState, expression: string): string | null =>
  expression
    .match(/(?<![\w.])\d+(?![\w.])/g)
    ?.find((literal) => Number(literal) > 1 && Object.values(defaultInputs(state)).includes(literal)) ?? null
