// The trace that the player sees, and what the typed text means on it.

import type { Values } from '../../api'
import type { Fact, LoopPlaces, OwnedFact, ProgramAnswer, RoomEvent, TraceAnswer } from '../../wire'
import {
  type Coloured,
  colour,
  formatValue,
  type Helpers,
  type Problem,
  proposalProblems,
  type Refusal,
  Stop,
  Trace,
} from '../../core'
import { isFactVerdict } from '../state'
import { hiddenAt } from './code'
import type { MeasureReading } from '../ends/measure'

const zeroText = (type: string): string => (type.endsWith('[]') ? '[]' : type === 'bool' ? 'false' : '0')

/** The rows of a loop in the form that the core reads. A loop that the run did not reach has no rows. */
export function traceOf(program: ProgramAnswer, run: TraceAnswer, loopNumber: number, helpers?: Helpers): Trace {
  const loop = loopAt(program, loopNumber)
  const traced = run.loops.find((tracedLoop) => tracedLoop.loop === loopNumber)
  // Where the run does not call a helper there are no rows, so it does not matter which arguments old(x) stands for.
  const uncalled = Object.fromEntries(
    (loop.helper?.params ?? program.params).map(({ name, type }) => [name, zeroText(type)]),
  )
  return rowsOf(program, loop, traced?.rows ?? [], loop.helper ? (traced?.call ?? uncalled) : run.inputs, helpers)
}

/**
 * A single state at the head of a loop in the form that the core reads; null where the state does not name every
 * column. A state may leave entry values open; then nothing is said about texts with `old(…)`.
 */
export function stateTrace(
  program: ProgramAnswer,
  loopNumber: number,
  values: Values,
  helpers?: Helpers,
): Trace | null {
  const loop = loopAt(program, loopNumber)
  const row = loop.columns.map(({ name }) => values[name])
  if (row.some((value) => value === undefined)) return null
  const { params, assigned_params } = loop.helper ?? program
  const old = params.flatMap(({ name }) => {
    const value = values[`old(${name})`] ?? (assigned_params.includes(name) ? undefined : values[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return rowsOf(program, loop, [row as string[]], Object.fromEntries(old), helpers)
}

function loopAt(program: ProgramAnswer, loopNumber: number): LoopPlaces {
  const loop = program.loops.find((loop) => loop.number === loopNumber)
  if (!loop) throw new Error(`the program has no loop ${loopNumber}`)
  return loop
}

/** Rows at the head of a loop, with the entry values of its parameters. */
export function rowsOf(
  program: ProgramAnswer,
  loop: LoopPlaces,
  rows: readonly (readonly string[])[],
  old: Values,
  helpers?: Helpers,
): Trace {
  const params = loop.helper?.params ?? program.params
  const data = {
    columns: loop.columns.map((column) => column.name),
    types: Object.fromEntries(loop.columns.map((column) => [column.name, column.type])),
    rows,
    params: Object.fromEntries(params.map((param) => [param.name, param.type])),
    old,
    uncalled: loop.helper
      ? ([...(helpers?.functions.keys() ?? [])].find((name) => !program.helpers.includes(name)) ?? '')
      : '',
    hidden: hiddenAt(program, loop),
  }
  return helpers ? new Trace(data, helpers) : new Trace(data)
}

/** What the client can say about a text by itself. It never judges: `ready` only means that a proposal makes sense. */
export type Reading =
  | { readonly is: 'empty' }
  | { readonly is: 'wrong'; readonly refusal: Refusal }
  | { readonly is: 'numeric'; readonly coloured: Coloured; readonly problems: readonly Problem[] }
  | { readonly is: 'failing'; readonly coloured: Coloured }
  | { readonly is: 'duplicate'; readonly coloured: Coloured; readonly list: 'inductive' | 'potential' }
  /** The run that is shown does not refute it, but an earlier run has. */
  | { readonly is: 'refuted'; readonly coloured: Coloured }
  | { readonly is: 'ready'; readonly coloured: Coloured }
  | MeasureReading

type Lists = {
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  readonly refuted: readonly Fact[]
}

export function reading(trace: Trace, text: string, loop: number, lists: Lists): Reading {
  if (!text.trim()) return { is: 'empty' }
  const coloured = colour(trace, text)
  if (!coloured.ok) return { is: 'wrong', refusal: coloured }
  const problems = proposalProblems(coloured)
  if (problems.length) return { is: 'numeric', coloured: coloured, problems }
  if (coloured.firstFailing >= 0) return { is: 'failing', coloured: coloured }
  for (const list of ['inductive', 'potential'] as const)
    if (lists[list].some((fact) => fact.loop === loop && fact.expression === coloured.canonical))
      return { is: 'duplicate', coloured: coloured, list }
  const isRefuted = lists.refuted.some((fact) => fact.loop === loop && fact.expression === coloured.canonical)
  return { is: isRefuted ? 'refuted' : 'ready', coloured: coloured }
}

/** The facts that runs have refuted since the level was opened. */
export const refutedIn = (events: readonly RoomEvent[]): readonly Fact[] =>
  events.flatMap((event) =>
    event.kind === 'judged' && isFactVerdict(event.body) && event.body.kind === 'non-invariant' && !event.body.limited
      ? [event.body]
      : [],
  )

export const colouredOf = (reading: Reading): Coloured | null => ('coloured' in reading ? reading.coloured : null)

/** The number that a text is in every row, if it is the same in all of them; null for a mere name or number. */
export function sameInAll({ canonical, values }: Coloured): string | null {
  const [first] = values
  if (first === undefined || first instanceof Stop || values.length < 2 || /^[\w.]+$/.test(canonical)) return null
  const text = formatValue(first)
  return values.every((value) => !(value instanceof Stop) && formatValue(value) === text) ? text : null
}

/** Whether a text that is no mere name has the value of some column in every row. */
export function isLikeColumn(trace: Trace, { canonical, values }: Coloured): boolean {
  if (values.length < 2 || /^[\w.]+$/.test(canonical)) return false
  const texts = values.map((value) => (value instanceof Stop ? null : formatValue(value)))
  return [...trace.scope.variables.keys()].some((_, column) =>
    trace.rows.every((row, index) => formatValue(row[column] ?? 0) === texts[index]),
  )
}
