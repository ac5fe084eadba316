// The table game of a study, played on the parts of the board. The server tells tables, whether a fact is accepted, and
// points; everything else that a board knows of a program is empty here, because this browser never hears of it.

import type { EventWith } from '../api'
import * as net from '../net'
import * as requests from './requests'
import type {
  FeedbackAnswer,
  OpenedRoom,
  PlayerAnswer,
  ProposalAnswer,
  Score,
  TableGame,
  TableRun,
  TableVerdict,
  TraceAnswer,
  Where,
} from '../wire'

const NOWHERE: Where = { line: 0, column: 0, start: 0, end: 0 }
const NO_FEEDBACK: FeedbackAnswer = { solved: false, potential_suffices: false, state: null, message: '' }
const NO_SCORE: Score = { coins: 0, spent: 0, gem: false, medals: [] }

const traceIn = ({ inputs, loops }: TableRun): TraceAnswer => ({
  inputs,
  outcome: { kind: 'returned', message: '', value: null },
  printed: [],
  loops: loops.map(({ loop, columns, rows, rows_total }) => ({
    loop,
    columns: columns.map(({ name }) => name),
    rows,
    rows_total,
  })),
})

/** A table game as a room. Accepted facts stand in the list that the board takes for proved ones; it never says so. */
export function tableRoom({ run, accepted, number }: TableGame, player: PlayerAnswer): OpenedRoom {
  return {
    room: {
      room: `table-${number}`,
      code: null,
      program: '',
      level: null,
      variant: 'trace',
      owner: player.player,
      engine: '',
      version: 0,
      last_event: 0,
      inductive: accepted.map((fact) => ({ ...fact, player: player.player })),
      potential: [],
      solved: false,
      feedback: NO_FEEDBACK,
      hints: [],
      hint_coins: {},
      members: [],
    },
    program: {
      program: '',
      title: '',
      source: '',
      level: null,
      params: run.params,
      assigned_params: [],
      chooses: false,
      helpers: [],
      loops: run.loops.map(({ loop, columns }) => ({
        number: loop,
        outer: null,
        columns,
        where: NOWHERE,
        test: { text: '', where: NOWHERE },
        body: NOWHERE,
      })),
      guarantee: { expressions: [], where: NOWHERE },
      pres: [],
      inputs: run.inputs,
      guarantee_text: '',
    },
    trace: traceIn(run),
    player,
    score: NO_SCORE,
  }
}

/** The requests of a table game, as a game makes them. There is no socket: nobody else is in the room. */
export function tableNet(
  place: requests.TablePlace,
  opened: TableGame,
  player: PlayerAnswer,
  ontold: (verdict: TableVerdict) => void,
): typeof net {
  let accepted = opened.accepted
  let events = 0
  return {
    ...net,
    follow: (_room, listener) => {
      listener.onConnection('live')
      return () => {}
    },
    trace: async (_program, { inputs, origin }, options) =>
      traceIn(await requests.otherTable(place, inputs, origin ?? 'restored', options)),
    propose: async (_room, fact, request, options) => {
      const verdict = await requests.proposeInTable(place, fact, request, options)
      const { expression } = verdict
      const isNew = !accepted.some((known) => known.loop === fact.loop && known.expression === expression)
      if (verdict.accepted && isNew) accepted = [...accepted, { loop: fact.loop, expression }]
      ontold(verdict)
      const body: ProposalAnswer = {
        loop: fact.loop,
        expression,
        promoted: [],
        removed: [],
        inductive: accepted,
        potential: [],
        solved: false,
        feedback: NO_FEEDBACK,
        message: '',
        // Why a fact is not accepted is not known here. The board takes it for one that was not judged, and lets the
        // player change it.
        ...(verdict.accepted ? { kind: 'inductive' } : { kind: 'unknown', limited: 'error' }),
      }
      const time = Date.now() / 1000
      const event: EventWith<'judged'> = { number: ++events, player: player.player, time, kind: 'judged', body }
      return { event, earned: { coins: 0, gem: false, medals: [] }, score: NO_SCORE }
    },
  }
}
