// A student's board at any moment: the events of the room, applied one after the other as they were when they happened.

import { judgedTopic, opened, reduce } from '../game/reducer'
import { EMPTY_LOCAL_ROOM } from '../game/save'
import { refutationOf, type RunStart } from '../game/board/runs'
import type { GameState, Topic } from '../game/state'
import type { OpenedRoom, RoomEvent } from '../wire'

/** The kinds of events that are steps of a replay. A proposal and its verdict are one step. */
const STEPS: ReadonlySet<string> = new Set([
  'judged',
  'hint',
  'traced',
  'reset',
  'feedback',
  'transition',
  'solved',
  'ended',
  'rejudged',
  'joined',
  'left',
])

/** The events that are steps, in order. */
export const stepsOf = (events: readonly RoomEvent[]): readonly RoomEvent[] =>
  events.filter((event) => STEPS.has(event.kind))

/** The room as it was when it was opened. What was to be ruled out then is not part of the log. */
export function beginning(board: OpenedRoom): OpenedRoom {
  const room = {
    ...board.room,
    inductive: [],
    potential: [],
    unknown: [],
    measures: [],
    ends: '' as const,
    hints: [],
    solved: false,
    judging_again: false,
    last_event: 0,
    feedback: { solved: false, potential_suffices: false, state: null, message: '' },
  }
  return { ...board, room }
}

/** The run that somebody asked for last until an event; null where nobody did. */
export function runAt(events: readonly RoomEvent[], last: number): RunStart | null {
  const asked = events.findLast((event) => event.kind === 'traced' && event.number <= last)
  if (asked?.kind !== 'traced') return null
  return { inputs: asked.body.inputs, seed: asked.body.seed, choices: asked.body.choices ?? [] }
}

/** The state of the game right after an event. */
export function after(board: OpenedRoom, events: readonly RoomEvent[], last: number): GameState {
  let state = opened(beginning(board), EMPTY_LOCAL_ROOM)
  for (const event of events) {
    if (event.number > last) break
    state = reduce(state, { type: 'happened', event })
  }
  return state
}

/** The state with the message that the player saw after this event; null where the event has none. */
export function told(state: GameState, event: RoomEvent): GameState | null {
  const topic = topicOf(event)
  return topic && { ...state, asking: null, win: null, topic }
}

function topicOf(event: RoomEvent): Topic | null {
  switch (event.kind) {
    case 'judged':
      return judgedTopic(event, null)
    case 'transition':
      return { about: 'transition', answer: event.body }
    case 'feedback':
      return { about: 'feedback', same: false }
    case 'rejudged':
      return { about: 'rejudged', again: event.body }
    default:
      return null
  }
}

/** States that show why a verdict is what it is: the end of the run that refutes a fact, or the turn that breaks it. */
export type Shown = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
/** How many of the last rows of a refuting run are shown. */
const ROWS_MAX = 5

export function evidenceOf(event: RoomEvent): Shown | null {
  if (event.kind !== 'judged' && event.kind !== 'transition') return null
  const refuting = event.kind === 'judged' ? refutationOf(event.body)?.run : undefined
  const run = 'run' in event.body ? event.body.run : refuting
  if (run) return { columns: run.columns, rows: run.rows.slice(-ROWS_MAX) }
  const turn = 'transition' in event.body ? event.body.transition : null
  if (!turn) return null
  const columns = Object.keys(turn.after)
  // Where it is no turn, there is no state before it.
  const states = turn.at_entry ? [turn.after] : [turn.before, turn.after]
  return { columns, rows: states.map((state) => columns.map((name) => state[name] ?? '')) }
}
