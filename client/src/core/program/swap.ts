// The statement that exchanges two cells: swap(a, i, j);

import type { Span } from '../syntax'
import type { Text } from '../problems'
import { spanOf } from '../text/parser'
import type { Token } from '../text/tokens'
import type { ProgramParser } from './parser'
import type { SwapStmt } from './syntax'

/** Its word, which may be a name elsewhere. */
export const SWAP = 'swap'

/** Reads what follows the word. */
export function readSwap(parser: ProgramParser, word: Token): SwapStmt {
  const hint: Text = ['write-swap']
  const opener = parser.need('(')
  const name = parser.need('name', ['array-name'], hint)
  parser.need(',', ['comma-cell'], hint)
  const left = parser.wholeExpression()
  parser.need(',', ['comma-cell'], hint)
  const right = parser.wholeExpression()
  const span: Span = [word.start, parser.close(opener).end]
  parser.semicolon(['this-word', SWAP])
  return { kind: 'swap', array: { kind: 'name', name: name.text, span: spanOf(name) }, left, right, span }
}
