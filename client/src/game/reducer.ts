// (state, event) → state, without side effects. Events come from the player, from answers of the server and from the
// room's WebSocket. What comes twice, such as an answer by HTTP and by the socket, counts once. An answer that comes
// too late is dropped.

import type { Choices, EventWith, Kind, Values } from '../api'
import type {
  BatchAnswer,
  BoardAnswer,
  Earned,
  EndlessJudged,
  Explanation,
  Fact,
  MeasureJudged,
  MemberAnswer,
  OpenedRoom,
  OwnedFact,
  ProposalAnswer,
  RoomEvent,
  Score,
  TraceAnswer,
  TransitionAnswer,
} from '../wire'
import type { Connection } from '../net'
import { runKey } from './board/runs'
import { isAskedFor, KEPT_MEASURES, withEnd } from './ends/reducing'
import { type LocalRoom, remember } from './save'
import {
  type Asking,
  defaultInputs,
  EVENTS_MAX,
  factKey,
  type GameState,
  isFactVerdict,
  sameFact,
  type Topic,
  type Trouble,
} from './state'

export type GameEvent =
  | { readonly type: 'typed'; readonly loop: number; readonly text: string }
  | { readonly type: 'loop-chosen'; readonly loop: number }
  | { readonly type: 'columns-chosen'; readonly columns: readonly string[] }
  | { readonly type: 'asked'; readonly asking: Asking }
  | { readonly type: 'waiting'; readonly id: string; readonly trouble: Trouble }
  | { readonly type: 'refused'; readonly id: string; readonly trouble: Trouble }
  | { readonly type: 'stopped-waiting' }
  | {
      readonly type: 'judged'
      readonly id: string
      readonly event: EventWith<'judged'>
      readonly earned: Earned
      readonly score: Score
    }
  | { readonly type: 'answered'; readonly id: string; readonly event: RoomEvent }
  | { readonly type: 'explained'; readonly id: string; readonly explanation: Explanation }
  | { readonly type: 'trace-asked'; readonly id: string }
  | {
      readonly type: 'traced'
      readonly id: string
      readonly run: TraceAnswer
      readonly seed: number
      readonly choices: Choices
    }
  | { readonly type: 'trace-refused'; readonly id: string; readonly trouble: Trouble }
  | { readonly type: 'happened'; readonly event: RoomEvent }
  | { readonly type: 'here' | 'changed'; readonly members: readonly MemberAnswer[] }
  | { readonly type: 'connection'; readonly connection: Connection }
  | { readonly type: 'shared'; readonly code: string }
  | { readonly type: 'show-feedback' | 'win-shown' | 'win-left' | 'next-sent' }
  | { readonly type: 'queued'; readonly fact: Fact; readonly text: string }
  | { readonly type: 'step-chosen'; readonly fact: Fact }
  | { readonly type: 'run-known'; readonly key: string; readonly run: TraceAnswer }
  | {
      readonly type: 'run-shown'
      readonly run: TraceAnswer
      readonly seed: number
      readonly choices: Choices
    }
  | { readonly type: 'board'; readonly event: number; readonly board: BoardAnswer }
  | { readonly type: 'scored'; readonly score: Score }
  | { readonly type: 'reminded'; readonly event: EventWith<'rejudged'> }

/** The kinds of verdicts that put a fact onto one of the lists. */
const KEPT_KINDS: ReadonlySet<Kind> = new Set<Kind>(['inductive', 'potential', 'unknown'])

/** The kinds of verdicts after which the player will want to edit the proposal. */
const REFUTED_KINDS: ReadonlySet<string> = new Set(['non-invariant', 'does-not-fall', 'run-ends', 'not-shown'])
type Judged = EventWith<'judged'>['body']

/** The state of a game that was just opened: what the server answered and what this browser has kept. */
export function opened(openedRoom: OpenedRoom, localRoom: LocalRoom, version = 1): GameState {
  const { room, program, trace, player, score } = openedRoom
  const unknown = room.unknown ?? []
  const resumed = room.inductive.length + room.potential.length + unknown.length > 0
  return {
    version,
    room: room.room,
    code: room.code,
    level: room.level,
    variant: room.variant,
    owner: room.owner,
    player,
    program,
    loop: program.loops.some((loop) => loop.number === localRoom.loop) ? localRoom.loop : 1,
    trace: { run: trace, seed: 0, choices: [], asking: null, trouble: null },
    inductive: room.inductive,
    potential: room.potential,
    unknown,
    solved: room.solved,
    measures: room.measures ?? [],
    ending: room.ending ?? null,
    ends: room.ends ?? '',
    turns: {},
    feedback: room.feedback,
    hints: room.hints,
    hintsEvent: room.last_event,
    hintCoins: room.hint_coins,
    topic: room.judging_again ? { about: 'judging-again' } : { about: 'new', resumed },
    asking: null,
    score,
    members: room.members,
    events: [],
    lastEvent: room.last_event,
    booksEvent: room.last_event,
    connection: 'connecting',
    drafts: localRoom.drafts,
    history: localRoom.history,
    columns: localRoom.columns,
    fresh: [],
    steps: {},
    chosenStep: null,
    traces: { [runKey({ inputs: trace.inputs, seed: 0, choices: [] })]: trace },
    board: null,
    boardEvent: 0,
    queue: [],
    win: null,
  }
}

export function reduce(state: GameState, event: GameEvent): GameState {
  switch (event.type) {
    case 'typed':
      return { ...state, drafts: { ...state.drafts, [event.loop]: event.text } }
    case 'loop-chosen':
      return state.program.loops.some((loop) => loop.number === event.loop) ? { ...state, loop: event.loop } : state
    case 'columns-chosen':
      return { ...state, columns: event.columns }
    case 'asked':
      return asked(state, event.asking)
    case 'waiting':
      return awaits(state, event.id)
        ? { ...state, topic: { about: 'trouble', trouble: event.trouble, doing: state.asking } }
        : state
    case 'refused':
      return awaits(state, event.id)
        ? {
            ...state,
            topic: { about: 'trouble', trouble: event.trouble, doing: state.asking },
            asking: null,
            queue: [],
          }
        : state
    case 'stopped-waiting':
      return {
        ...state,
        queue: [],
        asking: null,
        topic: state.topic.about === 'trouble' ? { about: 'feedback', same: false } : state.topic,
      }
    case 'judged':
      return answeredProposal(state, event)
    case 'answered':
      return answered(state, event.id, event.event)
    case 'explained':
      return awaits(state, event.id)
        ? { ...state, asking: null, topic: { about: 'explanation', explanation: event.explanation } }
        : state
    case 'trace-asked':
      return { ...state, trace: { ...state.trace, asking: event.id, trouble: null } }
    case 'traced':
      return state.trace.asking === event.id
        ? { ...state, trace: { run: event.run, seed: event.seed, choices: event.choices, asking: null, trouble: null } }
        : state
    case 'trace-refused':
      return state.trace.asking === event.id
        ? { ...state, trace: { ...state.trace, asking: null, trouble: event.trouble } }
        : state
    case 'happened':
      return afterRoomEvent(state, event.event)
    case 'here':
      return { ...state, members: event.members }
    case 'changed':
      return { ...state, members: withChanges(state.members, event.members) }
    case 'connection':
      return state.connection === event.connection ? state : { ...state, connection: event.connection }
    case 'shared':
      return { ...state, code: event.code }
    case 'show-feedback':
      return { ...state, topic: { about: 'feedback', same: false } }
    case 'queued':
      return clearDraft(
        {
          ...state,
          queue: [...state.queue, { fact: event.fact, text: event.text }],
          history: remember(state.history, event.text),
        },
        event,
        null,
      )
    case 'next-sent':
      return { ...state, queue: state.queue.slice(1) }
    case 'win-shown':
      return state.solved ? { ...state, win: { verdict: null, ghost: null, earned: null } } : state
    case 'win-left':
      return { ...state, win: null, topic: { about: 'feedback', same: false } }
    case 'step-chosen':
      return { ...state, chosenStep: factKey(event.fact) }
    case 'run-known':
      return { ...state, traces: { ...state.traces, [event.key]: event.run } }
    case 'run-shown':
      return {
        ...state,
        trace: { run: event.run, seed: event.seed, choices: event.choices, asking: null, trouble: null },
      }
    case 'board':
      return event.event >= state.boardEvent ? withBoard(state, event.board, event.event) : state
    case 'scored':
      return { ...state, score: event.score }
    case 'reminded':
      return state.topic.about === 'new' && !state.asking
        ? { ...state, topic: { about: 'rejudged', again: event.event.body } }
        : state
  }
}

/** The state with what the engine told about the goal and the waiting facts. Its steps are the newest ones. */
const withBoard = (state: GameState, board: BoardAnswer, event: number): GameState => ({
  ...state,
  board,
  boardEvent: event,
  steps: {
    ...state.steps,
    ...Object.fromEntries(
      board.waiting.flatMap((fact) => (fact.transition ? [[factKey(fact), fact.transition] as const] : [])),
    ),
  },
})

/** Whether this is the answer that the game waits for. */
const awaits = (state: GameState, id: string): boolean =>
  state.asking?.id === id && state.asking.version === state.version

function asked(state: GameState, asking: Asking): GameState {
  if (asking.version !== state.version) return state
  const history = asking.what === 'proposal' ? remember(state.history, asking.text) : state.history
  return { ...state, asking, history }
}

/**
 * The answer to the player's own proposal. The draft is removed only now, and only if the player has not changed it
 * since.
 */
function answeredProposal(state: GameState, event: Extract<GameEvent, { type: 'judged' }>): GameState {
  const own = awaits(state, event.id) && state.asking?.what === 'proposal' ? state.asking : null
  const judged = withEvent(state, event.event)
  const scored = { ...judged, score: event.score }
  if (!own) return scored
  const topic = topicOf(event.event, event.earned)
  const win = scored.win && { ...scored.win, earned: event.earned }
  return clearDraft({ ...scored, asking: null, topic: topic ?? scored.topic, win }, own, event.event.body)
}

/** Empties the entry box, unless the proposal was refuted or not judged: then the player will want to edit it. */
function clearDraft(
  state: GameState,
  own: { readonly fact: Fact; readonly text: string },
  verdict: Judged | null,
): GameState {
  const refuted = verdict && 'kind' in verdict && (REFUTED_KINDS.has(verdict.kind) || Boolean(verdict.limited))
  if (refuted || state.drafts[own.fact.loop] !== own.text) return state
  return { ...state, drafts: { ...state.drafts, [own.fact.loop]: '' } }
}

/** The answer to any other question of the player. */
function answered(state: GameState, id: string, event: RoomEvent): GameState {
  const own = awaits(state, id)
  const next = withEvent(state, event)
  if (!own) return next
  const topic =
    event.kind === 'feedback'
      ? ({ about: 'feedback', same: Boolean(event.body.no_other) } as const)
      : topicOf(event, null)
  return { ...next, asking: null, topic: topic ?? next.topic }
}

/** An event that came through the room's socket. What others do changes the message only if it changes the books. */
function afterRoomEvent(state: GameState, event: RoomEvent): GameState {
  const known =
    event.number <= state.booksEvent || state.events.some((knownEvent) => knownEvent.number === event.number)
  const next = withEvent(state, event)
  const ours = event.player === state.player.player
  if (known || state.asking || ours) return next
  const loud = event.kind === 'reset' || (event.kind === 'judged' && changesBooks(event.body))
  const topic = loud ? topicOf(event, null) : null
  return topic ? { ...next, topic } : next
}

/** Whether a verdict changes the books: it puts a fact onto a list, and no limit of the server ended it. */
const changesBooks = (verdict: Judged): boolean => {
  if (verdict.limited) return false
  if (!('kind' in verdict)) return verdict.kinds.some(({ kind }) => KEPT_KINDS.has(kind)) || Boolean(verdict.moves)
  if (isFactVerdict(verdict)) return KEPT_KINDS.has(verdict.kind)
  return (KEPT_MEASURES.has(verdict.kind) || verdict.kind === 'never-ends') && !isKnown(verdict)
}
const isKnown = (verdict: MeasureJudged | EndlessJudged): boolean =>
  Boolean('report' in verdict ? verdict.report.known : verdict.known)

/** What the message window says after a verdict. */
export function judgedTopic({ body, player }: EventWith<'judged'>, earned: Earned | null): Topic {
  if (!('kind' in body)) return { about: 'batch', verdict: body, player }
  if (isFactVerdict(body)) return { about: 'verdict', verdict: body, player, earned }
  return 'report' in body ? { about: 'measure', verdict: body, player } : { about: 'endless', verdict: body, player }
}

/** What the message window says after an event; null if the event leaves the message as it is. */
function topicOf(event: RoomEvent, earned: Earned | null): Topic | null {
  switch (event.kind) {
    case 'judged':
      return judgedTopic(event, earned)
    case 'transition':
      return { about: 'transition', answer: event.body }
    case 'reset':
      return { about: 'new', resumed: false }
    default:
      return null
  }
}

/** The state with a hint that was given, once. */
const withHint = (state: GameState, event: RoomEvent): GameState =>
  event.kind === 'hint' && event.number > state.hintsEvent
    ? { ...state, hints: [...state.hints, event.body], hintsEvent: event.number }
    : state

/**
 * The state with an event in the list of events, and with the effect that it has on the books. Both happen once, even
 * if the event comes twice.
 */
function withEvent(state: GameState, event: RoomEvent): GameState {
  const next = withHint(withListedEvent(state, event), event)
  if (event.number <= state.booksEvent) return next
  switch (event.kind) {
    case 'judged':
      return withVerdict({ ...next, booksEvent: event.number }, event)
    case 'feedback':
      return event.body.state || event.body.solved || !state.feedback.state
        ? { ...next, booksEvent: event.number, feedback: event.body }
        : { ...next, booksEvent: event.number }
    case 'reset':
      return {
        ...next,
        // The message belongs here, because either the answer or the socket may bring the event first.
        topic: { about: 'new', resumed: false },
        version: state.version + 1,
        booksEvent: event.number,
        inductive: [],
        potential: [],
        unknown: [],
        solved: false,
        measures: [],
        ending: null,
        ends: '',
        turns: {},
        feedback: event.body.feedback,
        hints: [],
        asking: null,
        fresh: [],
        steps: {},
        chosenStep: null,
        board: null,
        boardEvent: event.number,
        queue: [],
        win: null,
      }
    case 'rejudged':
      return rejudged({ ...next, booksEvent: event.number }, event)
    case 'transition':
      return withStep(next, event.body)
    default:
      return next
  }
}

/** The state with the step that breaks a waiting fact. It is shown as a ghost; the newest one is. */
function withStep(state: GameState, answer: TransitionAnswer | ProposalAnswer): GameState {
  const { transition } = answer
  if (!transition) return state
  const key = factKey(answer)
  return { ...state, steps: { ...state.steps, [key]: transition }, chosenStep: key }
}

/**
 * The state with the books as another engine sees them. It is told in any case, because facts may be gone. Where facts
 * fell, the hints that were given may lead nowhere.
 */
const rejudged = (state: GameState, { body }: EventWith<'rejudged'>): GameState => ({
  ...state,
  topic: { about: 'rejudged', again: body },
  inductive: body.inductive,
  potential: body.potential,
  unknown: body.unknown ?? [],
  solved: body.solved,
  measures: body.measures ?? [],
  ending: body.ending ?? null,
  ends: body.ends ?? '',
  turns: {},
  feedback: body.feedback,
  hints: body.fallen.length ? [] : state.hints,
  fresh: body.gained,
})

/** The state with the event in its list of events. `lastEvent` goes on as far as no number is missing. */
function withListedEvent(state: GameState, event: RoomEvent): GameState {
  if (state.events.some((knownEvent) => knownEvent.number === event.number)) return state
  const events = [...state.events, event].sort((a, b) => a.number - b.number).slice(-EVENTS_MAX)
  let lastEvent = state.lastEvent
  for (const { number } of events) if (number === lastEvent + 1) lastEvent = number
  return { ...state, events, lastEvent }
}

/** The state with the books as a verdict leaves them. */
function withVerdict(state: GameState, event: EventWith<'judged'>): GameState {
  const { body } = event
  const isAboutEnd = 'kind' in body && !isFactVerdict(body)
  const next = withEnd(isAboutEnd ? state : withFacts(state, body, event.player), event)
  // Where a level asks for its second mark, the whole level is done when both are given.
  const done = next.ends !== '' && next.solved && isAskedFor(next)
  const win =
    done && !(state.ends && state.solved) ? (next.win ?? { verdict: null, ghost: null, earned: null }) : next.win
  return { ...next, win }
}

/** The state with the facts as a verdict leaves them. A fact that was on a list before keeps its author. */
function withFacts(state: GameState, body: ProposalAnswer | BatchAnswer, player: string | null): GameState {
  const before = [...state.inductive, ...state.potential, ...state.unknown]
  const waiting = [...body.potential, ...(body.unknown ?? [])]
  const kept = changesBooks(body)
  const owned = (facts: readonly Fact[]): OwnedFact[] =>
    facts.map((fact) => ({
      ...fact,
      player: before.find((listedFact) => sameFact(listedFact, fact))?.player ?? player,
    }))
  const inductive = owned(body.inductive)
  const single = 'kind' in body ? body : null
  const won = body.solved && !state.solved
  const stepped = single?.kind === 'potential' && !single.limited ? withStep(state, single) : state
  return {
    ...stepped,
    win: won ? { verdict: single, ghost: state.feedback.state, earned: null } : state.win,
    inductive,
    potential: owned(body.potential),
    unknown: owned(body.unknown ?? []),
    solved: state.solved || body.solved,
    feedback: kept ? body.feedback : state.feedback,
    fresh: kept
      ? [...body.promoted, ...waiting.filter((fact) => !before.some((listedFact) => sameFact(listedFact, fact)))]
      : [],
  }
}

/** The inputs of the trace that the browser is to keep; null where they are the program's default inputs. */
export const inputsToKeep = (state: GameState): Values | null =>
  state.trace.seed === 0 && JSON.stringify(state.trace.run.inputs) === JSON.stringify(defaultInputs(state))
    ? null
    : state.trace.run.inputs

/** The members of a room after some of them changed; those who are new come last. */
function withChanges(members: readonly MemberAnswer[], changed: readonly MemberAnswer[]): readonly MemberAnswer[] {
  const byPlayer = new Map([...members, ...changed].map((member) => [member.player, member]))
  return [...byPlayer.values()]
}
