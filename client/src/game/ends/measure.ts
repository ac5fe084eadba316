// Drafts about the end of the loop. `decreases e, f` is a measure, whose value should fall from row to row; `endless
// n = 3` says that a run never ends. Everything here is a preview: only the engine judges.

import { formatValue, type Problem, readExpression, type Refusal, shortValue, Stop, type Trace } from '../../core'
import { less, type Num, same, sub } from '../../core/running/numbers'
import type { Scalar, Type } from '../../core'
import { t } from '../../strings/answers'
import type { GameState } from '../state'
import { aboutEnd, END_WORD, type Preview } from '../board/preview'
import { rowNumber, runLabel } from '../board/runs'
import type { ProgramAnswer } from '../../wire'

export type MeasureDraft = {
  /** As it is proposed. */
  readonly canonical: string
  /** The measure in each row, as the table shows it: `3`, or `(2, 5)` for several components. */
  readonly shown: readonly string[]
  /** The same with all digits. */
  readonly full: readonly string[]
  /** Whether it has fallen since the row before; null where no turn leads from that row to this one. */
  readonly falls: readonly (boolean | null)[]
  /** The index of the first row in which it has not fallen, or -1. */
  readonly firstNotFalling: number
  /** How many rows are reached by a turn, and in how many of them it has fallen. */
  readonly turns: number
  readonly fallen: number
}
export type MeasureReading =
  | { readonly is: 'measure'; readonly measure: MeasureDraft }
  | { readonly is: 'endless'; readonly canonical: string }
  /** What is typed is not complete: the components, or the inputs, are missing. */
  | { readonly is: 'begun'; readonly what: 'measure' | 'endless' }
  | { readonly is: 'wrong'; readonly refusal: Refusal }

export function readEnd(
  trace: Trace,
  text: string,
  program: ProgramAnswer,
  outerRows: readonly number[] | undefined,
): MeasureReading {
  const start = END_WORD.exec(text)?.[0].length ?? 0
  if (aboutEnd(text, trace.scope.variables) === 'endless') return readEndless(text.slice(start), program)
  const parts = splitParts(text, start)
  if (parts.some(({ text: part }) => !part.trim())) return { is: 'begun', what: 'measure' }
  const read = parts.map((part) => ({ part, reading: readExpression(part.text, trace.scope) }))
  const problems = read.flatMap(({ part, reading }) =>
    reading.ok ? [] : reading.problems.map((problem) => shifted(problem, part.start)),
  )
  if (problems.length) return { is: 'wrong', refusal: { ok: false, problems, more: 0 } }
  const components = read.flatMap(({ reading }) => (reading.ok ? [reading] : []))
  const values = components.map(({ expr }) => trace.values(expr))
  const rows = trace.rows.map((_, index) => values.map((column) => column[index] as Scalar | Stop))
  const falls = rows.map((row, index): boolean | null => {
    const before = rows[index - 1]
    if (!before || (outerRows && outerRows[index - 1] !== outerRows[index])) return null
    return hasFallen(
      before,
      row,
      components.map(({ type }) => type),
    )
  })
  const canonical = `decreases ${components.map((component) => component.canonical).join(', ')}`
  return {
    is: 'measure',
    measure: {
      canonical,
      shown: rows.map((row) => tuple(row, shortValue)),
      full: rows.map((row) => tuple(row, formatValue)),
      falls,
      firstNotFalling: falls.indexOf(false),
      turns: falls.filter((fell) => fell !== null).length,
      fallen: falls.filter(Boolean).length,
    },
  }
}

/**
 * Whether a measure falls: a component falls that was at least 0 before, and those before it stay as they were. A
 * fraction has to fall by 1 or more. The engine says the same.
 */
export function hasFallen(
  before: readonly (Scalar | Stop)[],
  after: readonly (Scalar | Stop)[],
  types: readonly Type[],
): boolean {
  if ([...before, ...after].some((value) => value instanceof Stop)) return false
  for (const [index, type] of types.entries()) {
    const old = asNumber(before[index] as Scalar)
    const now = asNumber(after[index] as Scalar)
    const least = type === 'rat' ? 1 : 0
    if (!less(old, 0) && less(now, old) && !less(sub(old, now), least)) return true
    if (!same(old, now)) return false
  }
  return false
}

const asNumber = (value: Scalar): Num => (typeof value === 'boolean' ? Number(value) : value)

const tuple = (row: readonly (Scalar | Stop)[], print: (value: Scalar) => string): string => {
  const texts = row.map((value) => (value instanceof Stop ? '–' : print(value)))
  return texts.length === 1 ? (texts[0] ?? '') : `(${texts.join(', ')})`
}

const shifted = (problem: Problem, by: number): Problem => ({
  ...problem,
  span: [problem.span[0] + by, problem.span[1] + by],
})

/** The components: what stands between commas that are in no brackets, and where each begins. */
function splitParts(text: string, start: number): { readonly text: string; readonly start: number }[] {
  const parts: { text: string; start: number }[] = []
  let depth = 0
  let from = start
  for (let at = start; at <= text.length; at++) {
    const sign = text[at]
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
    if (at < text.length && (sign !== ',' || depth > 0)) continue
    parts.push({ text: text.slice(from, at), start: from })
    from = at + 1
  }
  return parts
}

function readEndless(listed: string, { params }: ProgramAnswer): MeasureReading {
  const given = new Map<string, string>()
  for (const part of listed
    .trim()
    .replace(/^\(\)$/, '')
    .split(',')) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim())
    if (name && value) given.set(name, value)
  }
  const complete = given.size === params.length && params.every(({ name }) => given.has(name))
  if (!complete) return { is: 'begun', what: 'endless' }
  return { is: 'endless', canonical: endlessText(params.map(({ name }) => [name, given.get(name) ?? ''])) }
}

/** The claim that the run from these inputs never ends. */
export const endlessText = (inputs: readonly (readonly [string, string])[]): string =>
  `endless ${inputs.map(([name, value]) => `${name} = ${value}`).join(', ') || '()'}`

/** What a draft about the end means, in one sentence. */
export function endStatus(state: GameState, { reading, runs }: Preview): string {
  switch (reading.is) {
    case 'begun':
      return reading.what === 'measure'
        ? t('entry.measureBegun')
        : t('entry.endlessBegun', `\`${endlessText(state.program.params.map(({ name }) => [name, '…']))}\``)
    case 'endless':
      return t('entry.endless')
    case 'measure': {
      const { firstNotFalling: row, shown, turns } = reading.measure
      if (row >= 0) return t('entry.measureStays', row, row + 1, shown[row - 1] ?? '', shown[row] ?? '')
      const failing = runs.find((run) => run.firstFailing >= 0)
      if (failing) {
        const number = rowNumber(failing.run, failing.firstFailing, failing.run.key in state.traces)
        return t('entry.measureRun', number, runLabel(failing.run))
      }
      return t(turns ? 'entry.measureFalls' : 'entry.measureNoTurn')
    }
    default:
      return ''
  }
}
