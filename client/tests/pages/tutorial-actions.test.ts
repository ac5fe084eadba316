import { expect, it } from 'vitest'
import type { Kind } from '../../src/api'
import type { FeedbackAnswer, OpenedRoom, ProposalAnswer } from '../../src/wire'
import { opened, reduce } from '../../src/game/reducer'
import { EMPTY_LOCAL_ROOM } from '../../src/game/save'
import type { GameState } from '../../src/game/state'
import { playerActions, openedAction } from '../../src/tutorial/actions'

const where = { line: 1, column: 1, start: 0, end: 0 }
const feedback: FeedbackAnswer = { solved: false, potential_suffices: false, state: null, message: '' }
const columns = (['n', 'm', 'res', 'cnt'] as const).map((name) => ({ name, type: 'int' as const }))
const run = {
  inputs: { n: '6', m: '1' },
  outcome: { kind: 'returned' as const, message: '', value: null },
  printed: [],
  loops: [
    {
      loop: 1,
      columns: columns.map((column) => column.name),
      rows: [
        ['6', '1', '0', '0'],
        ['6', '1', '6', '1'],
      ],
      rows_total: 2,
    },
  ],
}
const openedRoom: OpenedRoom = {
  room: {
    room: 'r',
    code: null,
    program: 'p',
    level: 'multiply',
    variant: 'code',
    owner: 'me',
    engine: '1',
    version: 0,
    last_event: 1,
    inductive: [],
    potential: [],
    solved: false,
    feedback,
    hints: [],
    hint_coins: { variable: 1, together: 2, shape: 5, template: 10, invariant: 20 },
    members: [],
  },
  program: {
    program: 'p',
    title: '',
    source: '',
    level: 'multiply',
    params: columns.slice(0, 2),
    assigned_params: [],
    chooses: false,
    helpers: [],
    loops: [{ number: 1, outer: null, columns, where, test: { text: 'cnt < m', where }, body: where }],
    guarantee: { expressions: [], where },
    pres: [],
    guarantee_text: '',
    inputs: run.inputs,
  },
  trace: run,
  player: { player: 'me', name: 'Me', agent: false },
  score: { coins: 0, gem: false, medals: [], spent: 0 },
}
const start = opened(openedRoom, EMPTY_LOCAL_ROOM)
const typing = (text: string): GameState => reduce(start, { type: 'typed', loop: 1, text })
const verdict = (kind: Kind, more: Partial<ProposalAnswer> = {}): ProposalAnswer => ({
  loop: 1,
  expression: 'res = n * cnt',
  kind,
  message: '',
  promoted: [],
  removed: [],
  inductive: [],
  potential: [],
  solved: false,
  feedback,
  ...more,
})
const told = (body: ProposalAnswer, player = 'me'): GameState => ({
  ...start,
  topic: { about: 'verdict', verdict: body, player, earned: null },
})

it('sees what is typed, on the rows of the trace', () => {
  expect(playerActions(start, typing('cnt < m'))).toEqual([
    { kind: 'typed', text: 'cnt < m', rows: 2, holds: 1, numeric: false },
  ])
  expect(playerActions(start, typing('cnt + m'))).toEqual([
    { kind: 'typed', text: 'cnt + m', rows: 2, holds: 2, numeric: true },
  ])
  expect(playerActions(start, typing('cnt <'))).toEqual([])
})

it('sees traces, resets and explanations', () => {
  expect(
    playerActions(start, { ...start, trace: { ...start.trace, run: { ...run, inputs: { n: '6', m: '3' } } } }),
  ).toEqual([{ kind: 'traced', inputs: { n: '6', m: '3' } }])
  expect(playerActions(start, { ...start, version: 2 })).toEqual([openedAction(start)])
  expect(
    playerActions(start, {
      ...start,
      topic: { about: 'transition', answer: { loop: 1, expression: 'x', transition: null, message: '' } },
    }),
  ).toEqual([{ kind: 'explained' }])
  expect(playerActions(start, start)).toEqual([])
})

it("sees the player's own verdicts, and what else was promoted", () => {
  const promoted = [
    { loop: 1, expression: 'res <= n * m' },
    { loop: 1, expression: 'res = n * cnt' },
  ]
  expect(playerActions(start, told(verdict('inductive', { promoted, solved: true })))).toEqual([
    { kind: 'judged', verdict: 'inductive', expression: 'res = n * cnt', promotedOthers: 1, solved: true },
  ])
  expect(playerActions(start, told(verdict('inductive'), 'somebody'))).toEqual([])
  expect(playerActions(start, told(verdict('unknown', { limited: 'time' })))).toEqual([])
})
