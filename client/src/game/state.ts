// The state of one game: one immutable value. Only reducer.ts makes new ones.

import type { Choices, EventWith, HintStep, Values, Variant } from '../api'
import type {
  BatchAnswer,
  BoardAnswer,
  Earned,
  EndingReport,
  EndlessJudged,
  ErrorAnswer,
  Explanation,
  Fact,
  FeedbackAnswer,
  GivenHint,
  JudgedAgain,
  MeasureJudged,
  MemberAnswer,
  OwnedFact,
  OwnedMeasure,
  PlayerAnswer,
  ProgramAnswer,
  ProposalAnswer,
  RoomEvent,
  Score,
  StateToRuleOut,
  TraceAnswer,
  Transition,
  TransitionAnswer,
  TurnReport,
} from '../wire'
import type { Connection } from '../net'

/** The second mark of a room. */
export type EndMark = '' | 'ends' | 'never ends'

/** The verdict on a single fact: measures and runs that never end are judged in other words. */
export const isFactVerdict = (body: EventWith<'judged'>['body']): body is ProposalAnswer =>
  'kind' in body && 'promoted' in body

/** How many events of the room the client keeps; the server has all of them. */
export const EVENTS_MAX = 300

/** What the message window speaks about, as data. messages.ts makes the sentences. */
export type Topic =
  | { readonly about: 'new'; readonly resumed: boolean }
  | {
      readonly about: 'verdict'
      readonly verdict: ProposalAnswer
      readonly player: string | null
      readonly earned: Earned | null
    }
  | { readonly about: 'batch'; readonly verdict: BatchAnswer; readonly player: string | null }
  | { readonly about: 'measure'; readonly verdict: MeasureJudged; readonly player: string | null }
  | { readonly about: 'endless'; readonly verdict: EndlessJudged; readonly player: string | null }
  | { readonly about: 'transition'; readonly answer: TransitionAnswer }
  | { readonly about: 'feedback'; readonly same: boolean }
  | { readonly about: 'explanation'; readonly explanation: Explanation }
  | { readonly about: 'judging-again' }
  | { readonly about: 'rejudged'; readonly again: JudgedAgain }
  | { readonly about: 'trouble'; readonly trouble: Trouble; readonly doing: Asking | null }

/** A request that has no answer. `retrySeconds` says when it is tried again by itself, where it is. */
export type Trouble = { readonly problem: ErrorAnswer; readonly retrySeconds: number | null }

/** A request that the game waits for. Its answer counts only while this very value is in the state. */
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
  readonly run: TraceAnswer
  readonly seed: number
  readonly choices: Choices
  /** The id of the request that the trace waits for. */
  readonly asking: string | null
  readonly trouble: Trouble | null
}

export type GameState = {
  /** Grows with every opening and every reset. An answer to a question about an older version is dropped. */
  readonly version: number
  readonly room: string
  readonly code: string | null
  readonly level: string | null
  readonly variant: Variant
  readonly owner: string
  readonly player: PlayerAnswer
  readonly program: ProgramAnswer
  /** The number of the loop that the player works on. */
  readonly loop: number
  readonly trace: TraceState
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  /** The facts about which nothing could be established. */
  readonly unknown: readonly OwnedFact[]
  readonly solved: boolean
  /** The measures of all loops, and what is known of the end of the program's runs. */
  readonly measures: readonly OwnedMeasure[]
  readonly ending: EndingReport | null
  /** The second mark: every run ends, or one never does; empty as long as neither is shown. */
  readonly ends: EndMark
  /** A measure that waits (`factKey`) → a turn in which it may not fall. */
  readonly turns: Readonly<Record<string, TurnReport>>
  readonly feedback: FeedbackAnswer
  /** The hints of this sitting, and the number of the event that brought the last one. */
  readonly hints: readonly GivenHint[]
  readonly hintsEvent: number
  readonly hintCoins: Readonly<Record<HintStep, number>>
  readonly topic: Topic
  readonly asking: Asking | null
  readonly score: Score
  readonly members: readonly MemberAnswer[]
  readonly events: readonly RoomEvent[]
  /** The number of the last event up to which none is missing. The socket goes on after it. */
  readonly lastEvent: number
  /** The number of the event that the books come from. */
  readonly booksEvent: number
  readonly connection: Connection
  /** The number of a loop → the text that is typed there. */
  readonly drafts: Readonly<Record<string, string>>
  readonly history: readonly string[]
  /** The expressions that the player keeps as columns of the trace table. */
  readonly columns: readonly string[]
  /** The facts that the latest verdict brought onto the lists. They are marked there. */
  readonly fresh: readonly Fact[]
  /** A waiting fact (`factKey`) → the step that breaks it, as far as one was told. */
  readonly steps: Readonly<Record<string, Transition>>
  /** The waiting fact (`factKey`) whose step the player wants to see. */
  readonly chosenStep: string | null
  /** The key of a kept run → its rows, as far as they were fetched. */
  readonly traces: Readonly<Record<string, TraceAnswer>>
  /** How the facts carry the goal, as the engine last told it, and the event after which it was told. */
  readonly board: BoardAnswer | null
  readonly boardEvent: number
  /** Proposals that were made while another one was judged. They are sent one after the other. */
  readonly queue: readonly { readonly fact: Fact; readonly text: string }[]
  /** What the screen of the proved goal shows; null while the board is shown. */
  readonly win: Win | null
}

/** The moment in which the goal was proved. */
export type Win = {
  /** The verdict that proved it; null where the player only looks at the proof again. */
  readonly verdict: ProposalAnswer | null
  /** The last ghost. */
  readonly ghost: StateToRuleOut | null
  readonly earned: Earned | null
}

/** A fact as the key of a record. */
export const factKey = ({ loop, expression }: Fact): string => `${loop} ${expression}`
export const sameFact = (a: Fact, b: Fact): boolean => a.loop === b.loop && a.expression === b.expression
/** The text in the entry box. */
export const draft = (state: GameState): string => state.drafts[state.loop] ?? ''
export const loopOf = (state: GameState) =>
  state.program.loops.find((loop) => loop.number === state.loop) ?? state.program.loops[0]
/** The inputs with which a program is shown first. Those of a room always have some. */
export const defaultInputs = (state: GameState): Values => state.program.inputs ?? {}
/** Whether the trace that is shown is the program's default one. */
export const isDefaultTrace = (state: GameState): boolean =>
  state.trace.seed === 0 &&
  !state.trace.choices.length &&
  !state.trace.trouble &&
  sameValues(state.trace.run.inputs, defaultInputs(state))
export const sameValues = (a: Values, b: Values): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)
export const nameOf = (state: GameState, player: string | null): string | null =>
  state.members.find((member) => member.player === player)?.name ?? null
/**
 * How many expressions of the player were accepted: those on the lists, and those of this sitting that other facts have
 * displaced since.
 */
export function accepted({ player: { player }, inductive, potential, events }: GameState): number {
  // Verdicts from before the room was judged again do not count.
  const since = events.findLast((event) => event.kind === 'rejudged')?.number ?? 0
  const judged = events.flatMap((event) =>
    event.kind === 'judged' && event.number > since && event.player === player && isFactVerdict(event.body)
      ? [event.body]
      : [],
  )
  const displaced = judged.filter(({ kind, limited }) => (kind === 'inductive' || kind === 'potential') && !limited)
  const listed = [...inductive, ...potential].filter((fact) => fact.player === player)
  return new Set([...listed, ...displaced].map(({ loop, expression }) => `${loop} ${expression}`)).size
}
/** Whether others can be in this room. */
export const isShared = (state: GameState): boolean => state.code !== null || state.members.length > 1
