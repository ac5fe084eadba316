// A small game as the server opens it, for tests of the reducer and the messages.

import type { EventWith, Kind } from '../../src/api'
import type { FeedbackAnswer, OpenedRoom, ProposalAnswer } from '../../src/wire'
import { EMPTY_LOCAL_ROOM } from '../../src/game/save'
import { opened } from '../../src/game/reducer'
import type { GameState } from '../../src/game/state'

const SOURCE =
  'fn main(n, m: nat) {\n  var res, cnt: int;\n  res := 0;\n  cnt := 0;\n  while (cnt < m) {\n    cnt := ' +
  'cnt + 1;\n    res := res + n;\n  }\n  assert(res = n * m);\n}\n'
const where = (text: string): { line: number; column: number; start: number; end: number } => {
  const start = SOURCE.indexOf(text)
  return { line: SOURCE.slice(0, start).split('\n').length, column: 1, start, end: start + text.length }
}
const loopText = SOURCE.slice(SOURCE.indexOf('while'), SOURCE.indexOf('  assert') - 1)

export const FEEDBACK: FeedbackAnswer = {
  solved: false,
  potential_suffices: false,
  state: {
    loop: 1,
    values: { n: '0', m: '0', res: '-1', cnt: '0' },
    cause: 'assert',
    where: where('res = n * m'),
    inside: false,
  },
  message: '',
}

export const OPENED: OpenedRoom = {
  room: {
    room: 'room-1',
    code: null,
    program: 'hash',
    level: 'multiply',
    variant: 'code',
    owner: 'me',
    engine: '1',
    version: 0,
    last_event: 1,
    inductive: [],
    potential: [],
    solved: false,
    feedback: FEEDBACK,
    hints: [],
    hint_coins: { variable: 1, together: 2, shape: 5, template: 10, invariant: 20 },
    members: [
      { player: 'me', name: 'Emmy', agent: false, here: true, left: false },
      { player: 'other', name: 'Ada', agent: false, here: true, left: false },
    ],
  },
  program: {
    program: 'hash',
    title: 'Multiply',
    source: SOURCE,
    level: 'multiply',
    params: [
      { name: 'n', type: 'nat' },
      { name: 'm', type: 'nat' },
    ],
    assigned_params: [],
    chooses: false,
    helpers: [],
    loops: [
      {
        number: 1,
        outer: null,
        columns: [
          { name: 'n', type: 'nat' },
          { name: 'm', type: 'nat' },
          { name: 'res', type: 'int' },
          { name: 'cnt', type: 'int' },
        ],
        where: where(loopText),
        test: { text: 'cnt < m', where: where('cnt < m') },
        body: where(loopText.slice(loopText.indexOf('{'))),
      },
    ],
    guarantee: {
      expressions: [{ text: 'res = n * m', where: where('res = n * m') }],
      where: where('assert(res = n * m);'),
    },
    pres: [],
    guarantee_text: 'res = n * m',
    inputs: { n: '6', m: '2' },
  },
  trace: {
    inputs: { n: '6', m: '2' },
    outcome: { kind: 'returned', message: 'returned', value: null },
    printed: [],
    loops: [
      {
        loop: 1,
        columns: ['n', 'm', 'res', 'cnt'],
        rows: [
          ['6', '2', '0', '0'],
          ['6', '2', '6', '1'],
          ['6', '2', '12', '2'],
        ],
        rows_total: 3,
      },
    ],
  },
  player: { player: 'me', name: 'Emmy', agent: false },
  score: { coins: 0, spent: 0, gem: false, medals: [] },
}

export const game = (): GameState => opened(OPENED, EMPTY_LOCAL_ROOM)

export function verdict(kind: Kind, expression: string, rest: Partial<ProposalAnswer> = {}): ProposalAnswer {
  const fact = { loop: 1, expression }
  const lists = {
    promoted: kind === 'inductive' ? [fact] : [],
    inductive: kind === 'inductive' ? [fact] : [],
    potential: kind === 'potential' ? [fact] : [],
    unknown: kind === 'unknown' ? [fact] : [],
  }
  return {
    ...fact,
    kind,
    ...lists,
    removed: [],
    solved: false,
    feedback: { ...FEEDBACK, state: null },
    message: 'English',
    ...rest,
  }
}

/** Another engine finds that `cnt <= 5` is no invariant, and proves `res = n * cnt`. */
export const rejudged = (number: number): EventWith<'rejudged'> => ({
  number,
  kind: 'rejudged',
  player: null,
  time: 0,
  body: {
    engine: 'new',
    engine_before: 'old',
    was_solved: true,
    solved: false,
    fallen: [{ loop: 1, expression: 'cnt <= 5', was: 'inductive', kind: 'non-invariant', message: 'English' }],
    kept: 1,
    gained: [{ loop: 1, expression: 'res = n * cnt' }],
    inductive: [{ loop: 1, expression: 'res = n * cnt', player: 'other' }],
    potential: [],
    feedback: FEEDBACK,
  },
})

export const judged = (number: number, body: ProposalAnswer, player = 'me'): EventWith<'judged'> => ({
  number,
  kind: 'judged',
  player,
  time: 0,
  answers: number - 1,
  body,
})
