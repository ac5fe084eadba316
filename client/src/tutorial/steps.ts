// The beginning: its stages, and which of them a newcomer is at. The map imports this, so it is small.

/** The level whose program the beginning is played on, in a room of its own. */
export const BEGINNING_LEVEL = 'egg-boxes'

export type Stage = 'predict' | 'rule' | 'ghost' | 'program' | 'waiting' | 'lamp' | 'more' | 'done'
/** The stages of the game with the program in view, and of the table game. */
const STAGES: Readonly<Record<'code' | 'trace', readonly Stage[]>> = {
  code: ['predict', 'rule', 'ghost', 'program', 'waiting', 'lamp', 'done'],
  trace: ['predict', 'rule', 'more', 'done'],
}
export const stagesOf = (variant: 'code' | 'trace'): readonly Stage[] => STAGES[variant]
/** The number of stages in which there is something to do, with the program in view. */
export const stepsInAll = STAGES.code.length - 1

export const isLast = (variant: 'code' | 'trace', step: number): boolean => step >= STAGES[variant].length - 1
/** A number of a stage that exists. */
export const within = (variant: 'code' | 'trace', step: number): number =>
  Math.max(0, Math.min(Math.trunc(step) || 0, STAGES[variant].length - 1))

/** Where to go on when the beginning is opened again: a stage that speaks of the player's rule needs one. */
export function resumed(variant: 'code' | 'trace', step: number, rule: string): number {
  const wanted = within(variant, step)
  const ruleAt = STAGES[variant].indexOf('rule')
  return rule.trim() ? wanted : Math.min(wanted, ruleAt)
}
