import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/api'
import {
  after,
  back,
  type PlayerAction,
  isDone,
  type Remark,
  resumed,
  START,
  STEPS,
  type StepName,
  skip,
  stepOf,
  stepsInAll,
  type Tutorial,
} from '../../src/tutorial/steps'

const traced: PlayerAction = { kind: 'traced', inputs: { n: '6', m: '3' } }
const typed = (holds: number, rows = 8, numeric = false): PlayerAction => ({
  kind: 'typed',
  text: 'x',
  rows,
  holds,
  numeric,
})
const judged = (verdict: Kind, { promotedOthers = 0, solved = false } = {}): PlayerAction => ({
  kind: 'judged',
  verdict,
  expression: 'x',
  promotedOthers,
  solved,
})
const stands = (potential: number, solved = false): PlayerAction => ({
  kind: 'opened',
  inductive: 0,
  potential,
  solved,
})
const explained: PlayerAction = { kind: 'explained' }
const tutorialAt = (name: StepName): Tutorial => ({ ...START, step: STEPS.findIndex((step) => step.name === name) })
const nameAfter = (tutorial: Tutorial, ...playerActions: PlayerAction[]): StepName =>
  stepOf(playerActions.reduce(after, tutorial)).name

describe('the tutorial', () => {
  it('is done by doing every step', () => {
    const playerActions = [
      traced,
      typed(7),
      judged('non-invariant'),
      traced,
      judged('potential'),
      explained,
      judged('inductive', { promotedOthers: 1 }),
      judged('inductive', { solved: true }),
    ]
    expect(playerActions).toHaveLength(stepsInAll)
    let now = START
    for (const [index, action] of playerActions.entries()) {
      expect(now.step).toBe(index)
      now = after(now, action)
      expect(now.praised).toBe(STEPS[index]?.name)
    }
    expect(isDone(now)).toBe(true)
    expect(after(now, traced)).toBe(now)
  })

  it.each<[StepName, PlayerAction, Remark]>([
    ['fails', typed(8), 'holds-already'],
    ['fails', typed(8, 8, true), 'number'],
    ['guess', judged('inductive'), 'really-true'],
    ['potential', judged('inductive'), 'proved-at-once'],
    ['potential', judged('non-invariant'), 'refuted'],
    ['promote', judged('inductive'), 'no-promotion'],
    ['promote', judged('displaced'), 'not-new'],
    ['solve', judged('type-tautology'), 'not-new'],
  ])('at %s says something about another deed', (name, action, remark) => {
    const now = after(tutorialAt(name), action)
    expect([stepOf(now).name, now.remark]).toEqual([name, remark])
  })

  it('takes an empty table for no failure', () => expect(nameAfter(tutorialAt('fails'), typed(0, 0))).toBe('fails'))
  it('drops a remark when the player goes on typing', () =>
    expect(after(after(tutorialAt('fails'), typed(8)), typed(0, 0)).remark).toBeNull())

  it.each(STEPS.slice(0, -1).map((step) => step.name))('ends at %s when the level is solved', (name) => {
    expect(nameAfter(tutorialAt(name), judged('inductive', { solved: true }))).toBe('done')
    expect(nameAfter(tutorialAt(name), stands(0, true))).toBe('done')
  })

  it('goes back where a level that was begun again lacks the potential invariant', () => {
    expect(nameAfter(tutorialAt('why'), stands(0))).toBe('potential')
    expect(nameAfter(tutorialAt('promote'), stands(1))).toBe('promote')
    expect(nameAfter(tutorialAt('solve'), stands(0))).toBe('solve')
  })

  it('can be skipped through from every step, and never asks about what was skipped', () => {
    for (let step = 0; step < stepsInAll; step++) {
      let now: Tutorial = { ...START, step }
      for (let count = 0; count < stepsInAll; count++) now = skip(now)
      expect(isDone(now)).toBe(true)
    }
    expect(stepOf(skip(tutorialAt('potential'))).name).toBe('solve')
    expect(back(START).step).toBe(0)
  })

  it('is resumed where the screen still shows what the step speaks of', () => {
    const names = STEPS.map((_, step) => stepOf(resumed(step)).name)
    expect(names).toEqual(['trace', 'fails', 'guess', 'guess', 'potential', 'why', 'why', 'solve', 'done'])
    for (const wrong of [-1, 99, 0.5, Number.NaN]) expect(resumed(wrong).step).toBe(0)
  })
})
