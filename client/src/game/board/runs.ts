// The runs that a player can look at. Every run that refuted something is kept, and each new draft is tested on all of
// them at once.

import type { Choices, EventWith, Values } from '../../api'
import type { Fact, ProgramAnswer, RefutingRun, RoomEvent, TraceAnswer } from '../../wire'
import { fails, type Helpers, readExpression, type Trace } from '../../core'
import { shortArray } from '../arrays/short'
import { rowsOf, traceOf } from './table'
import { type GameState, isFactVerdict, loopOf } from '../state'

/** What a run starts from. */
export type RunStart = { readonly inputs: Values; readonly seed: number; readonly choices: Choices }
export type KeptRun = RunStart & {
  readonly key: string
  /** What it refuted, and in which row of that loop's table; null for the program's first run. */
  readonly refutes: { readonly fact: Fact; readonly run: RefutingRun } | null
}

/** How many refuting runs are kept as chips; the latest ones. */
const KEPT_RUNS_MAX = 8
/** How many choices of a run the server takes. */
const CHOICES_MAX = 4_000

export const runKey = ({ inputs, seed, choices }: RunStart): string => {
  const sorted = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(choices.length ? [sorted, choices] : [sorted, seed])
}

/** What a refuting run starts from. */
export const startOf = ({ inputs, seed, choices = [] }: RefutingRun): RunStart => ({
  inputs,
  seed,
  choices: choices.map((choice) => Object.values(choice.values)),
})

/** Whether the server can be asked for all rows of this run: it cannot run a helper alone. */
export const canBeRun = ({ refutes, choices }: KeptRun): boolean =>
  !refutes?.run.function && choices.length <= CHOICES_MAX

/** The run that refutes a fact, or that makes a turn in which a measure does not fall; null where there is none. */
export function refutationOf(
  body: EventWith<'judged'>['body'],
): { readonly fact: Fact; readonly run: RefutingRun } | null {
  if (!('kind' in body)) return null
  const { loop, expression } = body
  if (isFactVerdict(body))
    return body.kind === 'non-invariant' && body.run ? { fact: { loop, expression }, run: body.run } : null
  if (!('report' in body)) return null
  const { turn } = body.report
  if (body.kind !== 'does-not-fall' || !turn?.inputs) return null
  const columns = Object.keys(turn.before)
  const rows = [turn.before, turn.after].map((state) => columns.map((name) => state[name] ?? ''))
  const { inputs, seed = 0, row = 0, choices = [], function: helper = '' } = turn
  return {
    fact: { loop, expression },
    run: { inputs, seed, row: row + 1, columns, first_row: row, rows, choices, function: helper },
  }
}

/** The runs that refuted something, oldest first, each once. */
export function keptRuns(events: readonly RoomEvent[]): readonly KeptRun[] {
  const runs = new Map<string, KeptRun>()
  for (const event of events) {
    if (event.kind !== 'judged' || event.body.limited) continue
    const refutation = refutationOf(event.body)
    if (!refutation) continue
    const { run, fact } = refutation
    const start = startOf(run)
    const key = run.function ? `${run.function} ${runKey(start)}` : runKey(start)
    if (!runs.has(key)) runs.set(key, { ...start, key, refutes: { fact, run } })
  }
  return [...runs.values()].slice(-KEPT_RUNS_MAX)
}

/** A run in a few words: its inputs. */
export function runLabel({ inputs }: RunStart): string {
  const parts = Object.entries(inputs).map(([name, value]) => `${name} = ${shortArray(value)}`)
  return parts.join(', ') || '∅'
}

/** The rows of a kept run at a loop, as far as they are known here; null where it has none there. */
export function keptTrace(
  program: ProgramAnswer,
  kept: KeptRun,
  known: TraceAnswer | undefined,
  loopNumber: number,
  helpers?: Helpers,
): Trace | null {
  if (known) return traceOf(program, known, loopNumber, helpers)
  const loop = program.loops.find(({ number }) => number === loopNumber)
  if (!kept.refutes || !loop || kept.refutes.fact.loop !== loopNumber) return null
  return rowsOf(program, loop, kept.refutes.run.rows, kept.inputs, helpers)
}

/** What a draft does on one kept run. */
export type RunResult = { readonly run: KeptRun; readonly firstFailing: number; readonly rows: number }

/** The first row of a run in which a text is false, or -1; texts that cannot be read there count as true. */
export function firstFailing(trace: Trace, text: string): number {
  const read = readExpression(text, trace.scope)
  if (!read.ok || read.type !== 'bool') return -1
  const value = trace.evaluator(read.expr)
  return trace.rows.findIndex((_, index) => fails(value(index)))
}

/** The number of the row in the run's own table that stands at this index of the rows that are known here. */
export const rowNumber = (kept: KeptRun, index: number, known: boolean): number =>
  index + 1 + (known ? 0 : (kept.refutes?.run.first_row ?? 0))

/** The program's first run, as a chip. */
export function defaultRun(state: GameState): KeptRun {
  const start = { inputs: state.program.inputs ?? {}, seed: 0, choices: [] }
  return { ...start, key: runKey(start), refutes: null }
}

/** The run that the table shows, as a chip. */
export function shownRun(state: GameState): KeptRun {
  const { run, seed, choices } = state.trace
  const start = { inputs: run.inputs, seed, choices }
  return { ...start, key: runKey(start), refutes: null }
}

/** Whether the table can show the rows of all runs at the current loop: those of a helper's loop belong to a call. */
export const hasInputs = (state: GameState): boolean => !loopOf(state)?.helper
