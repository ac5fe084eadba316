// Measures and runs that never end: what a draft shows, what verdicts change, and what is said.

import { expect, it } from 'vitest'
import { endlessText, hasFallen } from '../../src/game/ends/measure'
import { isAskedFor, withEnd } from '../../src/game/ends/reducing'
import type { EventWith } from '../../src/api'
import type { GameState } from '../../src/game/state'
import { game } from './fixtures'

it('falls where a component falls from 0 or more, and those before it stay', () => {
  expect(hasFallen([3], [2], ['int'])).toBe(true)
  expect(hasFallen([0], [-5], ['int'])).toBe(true)
  expect(hasFallen([-1], [-2], ['int'])).toBe(false)
  expect(hasFallen([2], [2], ['int'])).toBe(false)
  expect(hasFallen([2, 1], [2, 0], ['int', 'int'])).toBe(true)
  expect(hasFallen([2, 1], [3, 0], ['int', 'int'])).toBe(false)
  expect(hasFallen([2, 1], [1, 99], ['int', 'int'])).toBe(true)
  expect(hasFallen([true], [false], ['bool'])).toBe(true)
  expect(hasFallen([false], [true], ['bool'])).toBe(false)
  expect(hasFallen([], [], [])).toBe(false)
})

it('writes the claim that a run never ends', () => {
  expect(
    endlessText([
      ['n', '3'],
      ['m', '-1'],
    ]),
  ).toBe('endless n = 3, m = -1')
  expect(endlessText([])).toBe('endless ()')
})

const OPEN = { status: 'open', measures: [], loops: [1], functions: [], rests_on: [], run: null, message: '' }
const event = (body: object): EventWith<'judged'> =>
  ({ number: 5, kind: 'judged', player: 'me', time: 0, body }) as unknown as EventWith<'judged'>
const judged = (kind: string, proved: boolean, turn: object | null = null): EventWith<'judged'> =>
  event({
    kind,
    ending: { ...OPEN, status: proved ? 'ends' : 'open' },
    measures: [{ loop: 1, expression: 'm - cnt', proved }],
    report: { loop: 1, measure: 'm - cnt', kind, turn },
  })

it('keeps a measure, its author, and the turn in which it may not fall', () => {
  const turn = { before: { cnt: '0' }, after: { cnt: '0' }, measure_before: ['1'], measure_after: ['1'] }
  const waiting = withEnd(game(), judged('may-not-fall', false, turn))
  expect(waiting.measures).toEqual([{ loop: 1, expression: 'm - cnt', proved: false, player: 'me' }])
  expect(Object.values(waiting.turns)).toEqual([turn])
  expect(waiting.ends).toBe('')
  const proved = withEnd(waiting, { ...judged('falls', true), player: 'other' })
  expect(proved.measures[0]?.player).toBe('me')
  expect(proved.ends).toBe('ends')
})

it('keeps the mark when later verdicts say nothing of the end', () => {
  const ended = withEnd(game(), judged('falls', true))
  expect(withEnd(ended, event({ kind: 'inductive' })).ends).toBe('ends')
})

it('takes measures of a batch, and those that facts have proved', () => {
  const batch = event({
    moves: [
      { loop: 1, expression: 'decreases m - cnt', kind: 'may-not-fall' },
      { loop: 1, expression: 'decreases res', kind: 'does-not-fall' },
    ],
  })
  const waiting = withEnd(game(), batch)
  expect(waiting.measures.map((one) => [one.expression, one.proved])).toEqual([['m - cnt', false]])
  const after = withEnd(waiting, event({ measures_proved: [{ loop: 1, text: 'm - cnt' }] }))
  expect(after.measures.map((one) => [one.expression, one.proved, one.player])).toEqual([['m - cnt', true, 'me']])
})

it('knows whether the level asks for the mark that the room has', () => {
  const start = game()
  const state: GameState = { ...start, program: { ...start.program, ending: 'ends' } }
  expect(isAskedFor(state)).toBe(false)
  expect(isAskedFor({ ...state, ends: 'ends' })).toBe(true)
  expect(isAskedFor({ ...state, ends: 'never ends' })).toBe(false)
})
