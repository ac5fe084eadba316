// Places of a program in words, and what would go wrong in the state of a ghost. The board says this at once; all other
// sentences about verdicts come later.

import type { StateToRuleOut } from '../wire'
import type { Say } from '../strings/game'
import type { GameState } from './state'

/** The causes of obligations that state an expression. All other obligations are about operations that can go wrong. */
export const STATED: ReadonlySet<string> = new Set(['post', 'assert', 'claim', 'invariant'])
/** Whether the cause of an obligation is one that the guarantee can have. */
export const isGuarantee = (cause: string): boolean => cause === 'post' || cause === 'assert'

const PLACES: ReadonlySet<string> = new Set([
  'post',
  'assert',
  'claim',
  'narrowing',
  'zero-divisor',
  'negative-exponent',
  'callee-pre',
  'invariant',
  'index',
])
type PlaceName =
  | 'post'
  | 'assert'
  | 'claim'
  | 'narrowing'
  | 'zero-divisor'
  | 'negative-exponent'
  | 'callee-pre'
  | 'invariant'
  | 'index'

/** Names a broken obligation in words, with its line. */
export function placeText(t: Say, cause: string, line: number): string {
  return PLACES.has(cause) ? t(`place.${cause as PlaceName}`, line) : t('place.other', line)
}

/** What would go wrong in the state of an exit ghost. */
export function exitText(state: GameState, t: Say, toRuleOut: StateToRuleOut): string {
  const { cause, where, inside, loop } = toRuleOut
  const place = placeText(t, cause, where.line)
  if (inside) return t('state.inside', place)
  const ends = state.program.loops.length > 1 ? t('state.loopEnds', loop) : t('state.ends')
  return `${ends} ${t(STATED.has(cause) ? 'state.false' : 'state.wrong', place)}`
}
