// The state of one game: one immutable value. Only reducer.ts makes new ones.

import type {
  ApiProblem,
  BatchVerdict,
  Earned,
  Explanation,
  Fact,
  Feedback,
  Hint,
  HintStep,
  Member,
  Obligation,
  OwnedFact,
  Player,
  Program,
  RoomEvent,
  Score,
  TraceRun,
  Transition,
  Values,
  Variant,
  Verdict,
} from '../api'
import type { Connection } from '../net'

export const EVENTS_MAX = 300

/** What the message window speaks about, as data; messages.ts makes the sentences. */
export type Topic =
  | { readonly about: 'new'; readonly resumed: boolean }
  | {
      readonly about: 'verdict'
      readonly verdict: Verdict
      readonly player: string | null
      readonly earned: Earned | null
    }
  | { readonly about: 'batch'; readonly verdict: BatchVerdict; readonly player: string | null }
  | { readonly about: 'transition'; readonly fact: Fact; readonly transition: Transition | null }
  | { readonly about: 'feedback'; readonly same: boolean }
  | { readonly about: 'explanation'; readonly explanation: Explanation }
  | { readonly about: 'trouble'; readonly trouble: Trouble; readonly doing: Asking | null }

/** A request without an answer. `retrySeconds`: it is tried again by itself. */
export type Trouble = { readonly problem: ApiProblem; readonly retrySeconds: number | null }

/** A request under way. Its answer counts only while this very value is in the state. */
export type Asking =
  | {
      readonly what: 'proposal'
      readonly id: string
      readonly version: number
      readonly fact: Fact
      readonly text: string
    }
  | { readonly what: 'transition'; readonly id: string; readonly version: number; readonly fact: Fact }
  | { readonly what: 'state' | 'explanation' | 'reset' | 'hint'; readonly id: string; readonly version: number }

export type TraceState = {
  readonly run: TraceRun
  readonly seed: number
  /** The id of the request under way. */
  readonly asking: string | null
  readonly trouble: Trouble | null
}

export type GameState = {
  /** Grows with every opening and reset: answers to questions about an older version are dropped. */
  readonly version: number
  readonly room: string
  readonly code: string | null
  readonly level: string | null
  readonly variant: Variant
  readonly owner: string
  readonly player: Player
  readonly program: Program
  /** The loop under work. */
  readonly loop: number
  readonly trace: TraceState
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  readonly solved: boolean
  readonly feedback: Feedback
  /** Of this sitting, and the number of the event of the last one. */
  readonly hints: readonly Hint[]
  readonly hintsEvent: number
  readonly hintCoins: Readonly<Record<HintStep, number>>
  readonly topic: Topic
  readonly asking: Asking | null
  readonly score: Score
  readonly members: readonly Member[]
  readonly events: readonly RoomEvent[]
  /** The number of the last event of the gapless sequence: where the socket goes on. */
  readonly lastEvent: number
  /** The number of the event that the books come from. */
  readonly booksEvent: number
  readonly connection: Connection
  /** Loop → what is typed there. */
  readonly drafts: Readonly<Record<string, string>>
  readonly history: readonly string[]
  /** Columns the player keeps in the trace table: expressions. */
  readonly columns: readonly string[]
  /** Facts that the latest verdict brought onto the lists, to be marked. */
  readonly fresh: readonly Fact[]
}

export const sameFact = (a: Fact, b: Fact): boolean => a.loop === b.loop && a.expression === b.expression
export const draft = (state: GameState): string => state.drafts[state.loop] ?? ''
export const loopOf = (state: GameState) =>
  state.program.loops.find((loop) => loop.number === state.loop) ?? state.program.loops[0]
export const isDefaultTrace = (state: GameState): boolean =>
  state.trace.seed === 0 && !state.trace.trouble && sameValues(state.trace.run.inputs, state.program.inputs)
export const sameValues = (a: Values, b: Values): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)
export const nameOf = (state: GameState, player: string | null): string | null =>
  state.members.find((member) => member.player === player)?.name ?? null
/** The player's own expressions that were accepted: those on the lists, and those of this sitting that others have displaced since. */
export function accepted({ player: { player }, inductive, potential, events }: GameState): number {
  const judged = events.flatMap((event) =>
    event.kind === 'judged' && event.player === player && 'kind' in event.body ? [event.body] : [],
  )
  const displaced = judged.filter(({ kind, limited }) => (kind === 'inductive' || kind === 'potential') && !limited)
  const listed = [...inductive, ...potential].filter((fact) => fact.player === player)
  return new Set([...listed, ...displaced].map(({ loop, expression }) => `${loop} ${expression}`)).size
}
export const isShared = (state: GameState): boolean => state.code !== null || state.members.length > 1
export type { Obligation }
