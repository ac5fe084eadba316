// The chain of promotions: each fact after those that its proof uses, and nothing said that the engine did not tell.

import { expect, it } from 'vitest'
import { chainOf, isToldNow, tryOf } from '../../src/game/board/chain'
import type { BoardAnswer, Fact } from '../../src/wire'
import { game, judged, verdict } from './fixtures'

const fact = (expression: string): Fact => ({ loop: 1, expression })
const [ODD, SQUARE, COUNT] = ['odd = 2 * cnt + 1', 'sqr = (cnt + 1)^2', 'cnt^2 <= n'].map(fact) as [Fact, Fact, Fact]
const told = (proofs: readonly [Fact, readonly Fact[]][]): BoardAnswer =>
  ({
    parts: [],
    waiting: [],
    best: null,
    proved: proofs.map(([one, uses]) => ({ ...one, uses, parts: [], needed: true })),
  }) as unknown as BoardAnswer
const state = { ...game(), inductive: [SQUARE, COUNT, ODD].map((one) => ({ ...one, player: 'me' })) }

it('goes from the proposed fact along the proofs', () => {
  const board = told([
    [SQUARE, [SQUARE, ODD]],
    [COUNT, [SQUARE]],
    [ODD, [ODD]],
  ])
  expect(chainOf({ ...state, board }, [COUNT, SQUARE, ODD], ODD)).toEqual([
    { fact: ODD, follows: false },
    { fact: SQUARE, follows: true },
    { fact: COUNT, follows: true },
  ])
})

it('says of no fact that it followed before the proofs are there', () => {
  const chain = chainOf({ ...state, board: null }, [COUNT, SQUARE, ODD], ODD)
  expect(chain.map((link) => link.fact)).toEqual([ODD, COUNT, SQUARE])
  expect(chain.some((link) => link.follows)).toBe(false)
})

it('says of facts that need each other that none came first, and leaves out what went off the shelf', () => {
  const board = told([
    [SQUARE, [COUNT]],
    [COUNT, [SQUARE]],
  ])
  const chain = chainOf({ ...state, board, inductive: state.inductive.slice(0, 2) }, [SQUARE, COUNT, ODD], null)
  expect(chain).toEqual([
    { fact: SQUARE, follows: false },
    { fact: COUNT, follows: false },
  ])
})

it('knows whether the proofs are those of the facts that are listed', () => {
  expect(isToldNow({ ...state, board: null })).toBe(false)
  expect(isToldNow({ ...state, board: told([]), booksEvent: 7, boardEvent: 6 })).toBe(false)
  expect(isToldNow({ ...state, board: told([]), booksEvent: 7, boardEvent: 7 })).toBe(true)
})

it('counts the try that brought a fact', () => {
  const events = [judged(2, verdict('inductive', 'cnt >= 0')), judged(3, verdict('inductive', ODD.expression))]
  expect(tryOf({ ...state, events }, ODD)).toBe(2)
  expect(tryOf({ ...state, events }, COUNT)).toBe(0)
})
