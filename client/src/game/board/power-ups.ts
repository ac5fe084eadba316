// Power-ups: forms of facts that the player has not used yet in the level. The first fact of such a form earns double.
// The client only shows them; the server scores.

import { PATTERN_NAMES, PATTERNS, type Pattern } from '../../map/pattern-names'
import { patternsOf } from '../../map/patterns'
import type { Fact, ProgramAnswer } from '../../wire'

/** How many power-ups are shown at a time. */
const SHOWN_MAX = 3

/** How many letters the shown forms have together, at most: one line of the narrowest screen has room for them. */
const LETTERS_MAX = 25

export type PowerUps = {
  /** The forms that pay double, the first ones of the way, as many as one line has room for. */
  readonly fresh: readonly string[]
  /** The forms of what is typed that pay double, as many as one line has room for. */
  readonly typed: readonly string[]
}

/** The forms of the first patterns, as many as there is room for, and at least one. */
function forms(patterns: readonly Pattern[]): readonly string[] {
  const all = patterns.slice(0, SHOWN_MAX).map((pattern) => PATTERNS[pattern].form)
  return all.filter((_, index) => index === 0 || all.slice(0, index + 1).join('').length <= LETTERS_MAX)
}

/** The names of what never changes in the program: inputs that it does not assign. */
function fixedIn({ params, assigned_params }: Pick<ProgramAnswer, 'params' | 'assigned_params'>): ReadonlySet<string> {
  const changed = new Set(assigned_params)
  return new Set(params.map(({ name }) => name).filter((name) => !changed.has(name)))
}

/** The patterns of these facts, in the order in which the way introduces them. */
export function formsOf(
  facts: readonly Fact[],
  program: Pick<ProgramAnswer, 'params' | 'assigned_params'>,
): readonly Pattern[] {
  const found = patternsOf(
    facts.map(({ loop, expression }) => ({ loop, text: expression })),
    fixedIn(program),
  )
  return PATTERN_NAMES.filter((name) => found.has(name))
}

/** `used` are the names of the patterns that the player has used in this program, as the score tells them. */
export function powerUps(
  used: readonly string[],
  program: Pick<ProgramAnswer, 'params' | 'assigned_params'>,
  text: string,
): PowerUps {
  const fresh = PATTERN_NAMES.filter((pattern) => !used.includes(pattern))
  const typed = patternsOf([{ loop: 1, text }], fixedIn(program))
  return { fresh: forms(fresh), typed: forms(fresh.filter((pattern) => typed.has(pattern))) }
}
