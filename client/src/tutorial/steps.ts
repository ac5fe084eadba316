// The tutorial: a state, and the state after each action of the player. Every step is done in the real game, by any
// action that shows what the step is about, not only by the suggested one. No action leads to a dead end: steps can be
// skipped, and solving the level ends the tutorial.

import type { Kind, Values } from '../api'

export const TUTORIAL_LEVEL = 'multiply'

/** What the player did, as far as the coach needs to know. */
export type PlayerAction =
  | {
      readonly kind: 'typed'
      readonly text: string
      readonly rows: number
      readonly holds: number
      readonly numeric: boolean
    }
  | { readonly kind: 'traced'; readonly inputs: Values }
  | {
      readonly kind: 'judged'
      readonly verdict: Kind
      readonly expression: string
      readonly promotedOthers: number
      readonly solved: boolean
    }
  | { readonly kind: 'explained' }
  /** The level was opened or reset. */
  | { readonly kind: 'opened'; readonly inductive: number; readonly potential: number; readonly solved: boolean }

export type StepName = 'trace' | 'fails' | 'guess' | 'try' | 'potential' | 'why' | 'promote' | 'solve' | 'done'
/** The part of the screen that the step is about. */
export type ScreenPart = 'trace' | 'entry' | 'message' | 'potential' | 'none'
/** What the coach says in addition when the player did something else than the step asks for. */
export type Remark =
  'holds-already' | 'number' | 'really-true' | 'proved-at-once' | 'refuted' | 'not-new' | 'no-promotion' | 'early'

export type Step = {
  readonly name: StepName
  readonly part: ScreenPart
  /** The text that the coach offers to type. Others are as good. */
  readonly suggestion: string | null
  /** Whether the action completes the step. */
  readonly done: (action: PlayerAction) => boolean
}

const judged =
  (...kinds: Kind[]) =>
  (action: PlayerAction): boolean =>
    action.kind === 'judged' && kinds.includes(action.verdict)

export const STEPS: readonly Step[] = [
  { name: 'trace', part: 'trace', suggestion: null, done: (action) => action.kind === 'traced' },
  {
    name: 'fails',
    part: 'entry',
    suggestion: 'cnt < m',
    done: (action) => action.kind === 'typed' && !action.numeric && action.holds < action.rows,
  },
  { name: 'guess', part: 'entry', suggestion: 'res >= cnt', done: judged('non-invariant') },
  { name: 'try', part: 'message', suggestion: null, done: (action) => action.kind === 'traced' },
  { name: 'potential', part: 'entry', suggestion: 'res <= n * m', done: judged('potential', 'unknown') },
  { name: 'why', part: 'potential', suggestion: null, done: (action) => action.kind === 'explained' },
  {
    name: 'promote',
    part: 'entry',
    suggestion: 'res <= n * cnt',
    done: (action) => action.kind === 'judged' && action.promotedOthers > 0,
  },
  {
    name: 'solve',
    part: 'entry',
    suggestion: 'res = n * cnt',
    done: (action) => action.kind === 'judged' && action.solved,
  },
  { name: 'done', part: 'none', suggestion: null, done: () => false },
]
/** The index of the last step, which only says that the tutorial is done. */
const LAST = STEPS.length - 1
const indexOf = (name: StepName): number => STEPS.findIndex((step) => step.name === name)

export type Tutorial = {
  readonly step: number
  readonly remark: Remark | null
  /** The step that was just completed. The coach praises it. */
  readonly praised: StepName | null
}

export const START: Tutorial = { step: 0, remark: null, praised: null }

/**
 * A tutorial that was left and is opened again. A step that speaks of a message of the game starts again with the step
 * that brings this message, because the message itself is gone.
 */
export function resumed(step: number): Tutorial {
  const name = STEPS[step]?.name ?? 'trace'
  return { ...START, step: indexOf(name === 'try' ? 'guess' : name === 'promote' ? 'why' : name) }
}

export const stepOf = (tutorial: Tutorial): Step => STEPS[tutorial.step] as Step
export const isDone = (tutorial: Tutorial): boolean => tutorial.step === LAST
/** The number of steps in which there is something to do. */
export const stepsInAll = LAST

/** The tutorial after an action. */
export function after(tutorial: Tutorial, action: PlayerAction): Tutorial {
  if (isDone(tutorial)) return tutorial
  const step = stepOf(tutorial)
  if (action.kind === 'opened') return afterOpening(tutorial, action)
  if (action.kind === 'judged' && action.solved)
    return { step: LAST, remark: step.name === 'solve' ? null : 'early', praised: step.name }
  if (step.done(action)) return { step: tutorial.step + 1, remark: null, praised: step.name }
  return { ...tutorial, remark: remarkOn(step.name, action) ?? (action.kind === 'typed' ? null : tutorial.remark) }
}

/**
 * The tutorial after its level was opened or reset. A solved level leaves nothing to do. A level that was begun again
 * lacks the potential invariant that some steps need.
 */
function afterOpening(tutorial: Tutorial, action: Extract<PlayerAction, { kind: 'opened' }>): Tutorial {
  if (action.solved) return { step: LAST, remark: 'early', praised: null }
  const needsPotential = tutorial.step > indexOf('potential') && tutorial.step <= indexOf('promote')
  if (needsPotential && !action.potential) return { step: indexOf('potential'), remark: null, praised: null }
  return tutorial
}

/** What the coach says to an action that does not complete the step; null for nothing. */
function remarkOn(step: StepName, action: PlayerAction): Remark | null {
  if (action.kind === 'typed') {
    if (step !== 'fails' || !action.rows) return null
    return action.numeric ? 'number' : action.holds === action.rows ? 'holds-already' : null
  }
  if (action.kind !== 'judged') return null
  if (step === 'guess') return 'really-true'
  if (step !== 'potential' && step !== 'promote' && step !== 'solve') return null
  if (action.verdict === 'non-invariant') return 'refuted'
  if (action.verdict === 'inductive')
    return step === 'potential' ? 'proved-at-once' : step === 'promote' ? 'no-promotion' : null
  return action.verdict === 'potential' || action.verdict === 'unknown' ? null : 'not-new'
}

/** The tutorial after the step was skipped. */
export function skip(tutorial: Tutorial): Tutorial {
  // Without a potential invariant there is none to ask about or to promote.
  const target = stepOf(tutorial).name === 'potential' ? indexOf('solve') : tutorial.step + 1
  return { step: Math.min(target, LAST), remark: null, praised: null }
}

export const back = (tutorial: Tutorial): Tutorial => ({
  step: Math.max(0, tutorial.step - 1),
  remark: null,
  praised: null,
})
