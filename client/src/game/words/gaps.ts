// What an unfinished text lacks, in plain words. While somebody types, most mistakes are that something is still
// missing; the language's own sentences speak of expected values and of the end of the text. Both are loaded together.

import type { Problem } from '../../core/problems'
import { type Say, t } from '../../strings/answers'

export { problems } from '../../strings/language/problems'

/** The last sign or word before a place. */
const lastOf = (text: string): string => /(?:\w+|[^\s\w()]+|[()])(?=\s*$)/.exec(text)?.[0] ?? ''
const isEnd = (found: unknown): boolean => Array.isArray(found) && found[0] === 'the-end'

/** What is missing, and where; empty where the problem is another one. Code stands between backquotes. */
export function gapText({ code, span: [start, end], details, hint }: Problem, text: string, say: Say = t): string {
  if (code === 'unclosed' && isEnd(details.found)) return say('entry.missingClose', String(details.closer))
  if (code !== 'expected' || hint || !Array.isArray(details.expected) || details.expected[0] !== 'value') return ''
  const before = lastOf(text.slice(0, start))
  if (isEnd(details.found)) return before ? say('entry.missingAfter', before) : ''
  const sign = text.slice(start, end)
  if (!/^[^\w(]+$/.test(sign)) return ''
  return before ? say('entry.missingBetween', before, sign) : say('entry.missingBefore', sign)
}
