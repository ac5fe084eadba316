// Which step a hint gives next, and when there is something to hint at.

import { expect, it } from 'vitest'
import { nextHintStep, wantsHints } from '../../src/game/ends/hints'
import type { GameState } from '../../src/game/state'
import type { GivenHint } from '../../src/wire'
import { game } from './fixtures'

const hint = (step: GivenHint['step'], left: number): GivenHint => ({ step, left, loop: 1, coins: 1 }) as GivenHint
const level = (changes: Partial<GameState>, ending: '' | 'ends' | 'never ends' = 'ends'): GameState => {
  const start = game()
  return { ...start, program: { ...start.program, ending }, ...changes }
}

it('goes from step to step to a fact, a measure, or a run', () => {
  expect(nextHintStep(level({ hints: [hint('variable', 4)] }))).toBe('together')
  expect(nextHintStep(level({ hints: [hint('together', 3)] }))).toBe('shape')
  expect(nextHintStep(level({ hints: [hint('falls', 2)] }))).toBe('measure-template')
  expect(nextHintStep(level({ hints: [hint('measure-template', 1)] }))).toBe('measure')
  expect(nextHintStep(level({ hints: [hint('endless', 1)] }))).toBe('endless-run')
})

it('begins with what is still dark', () => {
  expect(nextHintStep(level({ hints: [hint('invariant', 0)] }))).toBe('variable')
  expect(nextHintStep(level({ hints: [hint('invariant', 0)], solved: true }))).toBe('falls')
  expect(nextHintStep(level({ solved: true }, 'never ends'))).toBe('endless')
})

it('has nothing to say when both lamps are lit, or when the second is not wanted', () => {
  expect(wantsHints(level({}))).toBe(true)
  expect(wantsHints(level({ solved: true }))).toBe(true)
  expect(wantsHints(level({ solved: true, ends: 'ends' }))).toBe(false)
  expect(wantsHints(level({ solved: true }, ''))).toBe(false)
  const measures = [{ loop: 1, expression: 'm - cnt', player: 'me', proved: false }]
  expect(wantsHints(level({ solved: true, measures }, ''))).toBe(true)
})
