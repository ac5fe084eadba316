// What a draft would do, computed here at every key: on the rows of the table, on all kept runs, at the ghosts. It is a
// preview and never a verdict. While any run fails, nothing is said about ghosts.

import type { Fact, OwnedFact, ProposalAnswer, RoomEvent, TraceAnswer } from '../../wire'
import type { Trace } from '../../core'
import { type Fate, fateOf, type Ghost, type GhostName } from './ghosts'
import type { impliedBy } from '../known/known'
import type { readEnd as ReadEnd } from '../ends/measure'
import { firstFailing, type KeptRun, type RunResult } from './runs'
import { type GameState, isFactVerdict, sameFact } from '../state'
import { type Reading, reading, refutedIn } from './table'

export type Preview = {
  readonly reading: Reading
  /** The kept runs other than the one in the table, and the first row of each in which the draft is false. */
  readonly runs: readonly RunResult[]
  /** Whether the draft is a fact that is true in all rows of all runs here. */
  readonly fits: boolean
  readonly fates: Readonly<Partial<Record<GhostName, Fate>>>
  /** What the engine said about this very draft, where that has not changed since. */
  readonly before: ProposalAnswer | null
}
export type KeptTrace = { readonly run: KeptRun; readonly trace: Trace }

const NOTHING = { runs: [], fits: false, fates: {}, before: null } as const

export function previewOf(
  state: GameState,
  trace: Trace,
  kept: readonly KeptTrace[],
  ghosts: readonly Ghost[],
  text: string,
  readEnd: typeof ReadEnd | null = null,
): Preview {
  const { inductive, potential, events, loop } = state
  const about = aboutEnd(text, trace.scope.variables)
  if (about && !readEnd) return { ...NOTHING, reading: { is: 'begun', what: about } }
  if (about && readEnd) return endPreview(state, trace, kept, text, readEnd)
  const read = reading(trace, text, loop, { inductive, potential, refuted: refutedIn(events) })
  if (!('coloured' in read) || read.is === 'numeric') return { ...NOTHING, reading: read }
  const { canonical } = read.coloured
  const runs = kept.map(({ run, trace: rows }) => ({
    run,
    firstFailing: firstFailing(rows, canonical),
    rows: rows.rows.length,
  }))
  const fits = read.is !== 'failing' && runs.every((run) => run.firstFailing < 0)
  const here = ghosts.filter((ghost) => ghost.loop === loop)
  return {
    reading: read,
    runs,
    fits,
    fates: fits ? Object.fromEntries(here.map((ghost) => [ghost.name, fateOf(ghost, canonical)])) : {},
    before: judgedBefore(state, { loop, expression: canonical }),
  }
}

export const END_WORD = /^\s*(decreases|endless)(?![\w'])\s*:?\s*/

/** What a draft begins with, where it is about the end: a measure, or a run that never ends; null for a fact. */
export function aboutEnd(text: string, names: ReadonlyMap<string, unknown>): 'measure' | 'endless' | null {
  const word = END_WORD.exec(text)?.[1]
  if (!word || names.has(word)) return null
  return word === 'decreases' ? 'measure' : 'endless'
}

/** What a draft about the end does: a measure is looked at from row to row, in the table and in all kept runs. */
function endPreview(
  state: GameState,
  trace: Trace,
  kept: readonly KeptTrace[],
  text: string,
  readEnd: typeof ReadEnd,
): Preview {
  const { program, loop } = state
  const outerOf = (run: TraceAnswer | undefined) => run?.loops.find((traced) => traced.loop === loop)?.outer_rows
  const read = readEnd(trace, text, program, outerOf(state.trace.run))
  if (read.is !== 'measure') return { ...NOTHING, reading: read, fits: read.is === 'endless' }
  const runs = kept.map(({ run, trace: rows }): RunResult => {
    const there = readEnd(rows, text, program, outerOf(state.traces[run.key]))
    return { run, firstFailing: there.is === 'measure' ? there.measure.firstNotFalling : -1, rows: rows.rows.length }
  })
  const fits = read.measure.firstNotFalling < 0 && runs.every((run) => run.firstFailing < 0)
  return { ...NOTHING, reading: read, runs, fits }
}

/** A fact on the lists that already says what the draft says, as far as that is seen here. */
export function knownBy(
  state: GameState,
  trace: Trace,
  { fits, reading: read }: Preview,
  implied: typeof impliedBy | null,
): OwnedFact | null {
  if (!fits || !('coloured' in read)) return null
  const { expr, canonical } = read.coloured
  const here = [...state.inductive, ...state.potential].filter((fact) => fact.loop === state.loop)
  const same = here.find((fact) => fact.expression === canonical)
  return same ?? implied?.(expr, here, trace.scope) ?? null
}

/** The verdict on this fact, if the engine would say the same again without being asked. */
export function judgedBefore(state: GameState, fact: Fact): ProposalAnswer | null {
  const verdict = verdictsIn(state.events).findLast((candidate) => sameFact(candidate, fact))
  if (!verdict) return null
  switch (verdict.kind) {
    case 'non-invariant':
    case 'type-tautology':
      return verdict
    case 'displaced':
    case 'displaced-potential': {
      const listed = [...state.inductive, ...(verdict.kind === 'displaced' ? [] : state.potential)]
      const by = verdict.implied_by ?? []
      return by.length && by.every((known) => listed.some((one) => sameFact(one, known))) ? verdict : null
    }
    default:
      return null
  }
}

/** The verdicts on single proposals that no limit ended. */
export const verdictsIn = (events: readonly RoomEvent[]): readonly ProposalAnswer[] =>
  events.flatMap((event) =>
    event.kind === 'judged' && isFactVerdict(event.body) && !event.body.limited ? [event.body] : [],
  )
