// Finds what is wrong with a program while it is typed, without a request. The server checks again when the program is
// submitted.

import type { Problem } from '../core'
import { loadProgram } from '../core/program'

export type Check =
  | { readonly kind: 'empty' | 'no-loop' | 'no-guarantee' | 'good' }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[]; readonly more: number }

export function check(text: string): Check {
  if (!text.trim()) return { kind: 'empty' }
  const loaded = loadProgram(text)
  if (!loaded.ok) return { kind: 'problems', problems: loaded.problems, more: loaded.more }
  const { program } = loaded
  if (!program.loops.length) return { kind: 'no-loop' }
  // The guarantee consists of the posts or, where there are none, of the asserts at the end.
  const promises = program.level.posts.length > 0 || program.level.body.statements.at(-1)?.kind === 'assert'
  return { kind: promises ? 'good' : 'no-guarantee' }
}
