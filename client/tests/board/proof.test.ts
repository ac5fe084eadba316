// What the goal's parts say, and the forms of the facts that prove it.

import { expect, it } from 'vitest'
import { formsOf } from '../../src/game/board/power-ups'
import { partsOf } from '../../src/game/board/proof'
import type { BoardAnswer, GoalPartAnswer } from '../../src/wire'
import { game } from '../game/fixtures'

const part = (failing: GoalPartAnswer['failing']): BoardAnswer =>
  ({
    parts: [
      { number: 1, text: 'i < 10', status: 'open', uses: [], waits_for: [], where: {}, cause: 'assert', failing },
    ],
    waiting: [],
    proved: [],
    best: null,
  }) as unknown as BoardAnswer

it('does not call a part open that a run breaks', () => {
  const run = { inputs: { n: '10' } } as unknown as GoalPartAnswer['failing']
  expect(partsOf({ ...game(), board: part(run) })).toMatchObject([{ status: 'open', broken: true }])
  expect(partsOf({ ...game(), board: part(null) })).toMatchObject([{ status: 'open', broken: false }])
})

it('reads the patterns of a proof in the order of the way', () => {
  const facts = ['cnt <= m', 'res = n * cnt', 'res = res'].map((expression) => ({ loop: 1, expression }))
  expect(formsOf(facts, game().program)).toEqual(['product', 'limit'])
})
