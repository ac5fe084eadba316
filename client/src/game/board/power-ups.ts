// Power-ups: forms of facts that the player has not used yet in the level. The first fact of such a form earns double.
// The client only shows them; the server scores.

import { PATTERN_NAMES, PATTERNS, type Pattern } from '../../map/pattern-names'
import { patternsOf } from '../../map/patterns'
import type { ProgramAnswer } from '../../wire'

/** How many power-ups are shown at a time. */
const SHOWN_MAX = 3

export type PowerUps = {
  /** The forms that pay double, the first ones of the way. */
  readonly fresh: readonly string[]
  /** The forms of what is typed that pay double. */
  readonly typed: readonly string[]
}

const forms = (patterns: readonly Pattern[]): readonly string[] => patterns.map((pattern) => PATTERNS[pattern].form)

/** `used` are the names of the patterns that the player has used in this program, as the score tells them. */
export function powerUps(
  used: readonly string[],
  program: Pick<ProgramAnswer, 'params' | 'assigned_params'>,
  text: string,
): PowerUps {
  const changed = new Set(program.assigned_params)
  const fixed = new Set(program.params.map(({ name }) => name).filter((name) => !changed.has(name)))
  const fresh = PATTERN_NAMES.filter((pattern) => !used.includes(pattern))
  const typed = patternsOf([{ loop: 1, text }], fixed)
  return { fresh: forms(fresh.slice(0, SHOWN_MAX)), typed: forms(fresh.filter((pattern) => typed.has(pattern))) }
}
