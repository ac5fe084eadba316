// A lesson about `forall`, with examples from the program in front of the player.

import { cellTexts } from '../../core/cells'
import type { TypedName } from '../../wire'
import { countersOf } from './cells'

/** What is typed in the steps of the lesson. Nothing of it is meant to be proposed. */
export type LessonTexts = {
  readonly array: string
  readonly counter: string | null
  /** False at one cell of the table's first row, or at none where all cells are alike. */
  readonly failing: string
  readonly holding: string
  /** About the cells before the counter; null where there is none. */
  readonly part: string | null
}

/** Null where there is no array of numbers with cells in the first row. */
export function lessonTexts(
  columns: readonly TypedName[],
  first: readonly string[] | undefined,
  source: string,
): LessonTexts | null {
  const place = columns.findIndex(({ type }, index) => /^(nat|int)\[\]$/.test(type) && first?.[index] !== '[]')
  const array = columns[place]?.name
  const cells = cellTexts(first?.[place] ?? '[]').map(BigInt)
  const [one, ...others] = cells
  if (array === undefined || one === undefined) return null
  const most = others.reduce((best, cell) => (cell > best ? cell : best), one)
  const [counter = null] = countersOf(source, array, columns)
  const whole = `forall k in 0..len(${array}) - 1`
  return {
    array,
    counter,
    failing: `${whole}: ${array}[k] < ${most}`,
    holding: `${whole}: ${array}[k] <= ${most}`,
    part: counter && `forall k in 0..${counter} - 1: ${array}[k] <= ${most}`,
  }
}
