// Arrays and quantifiers as text: reading, printing, completion.

import table from '../../../../spec/operators-arrays.json?parser'
import type { ArrayExpr } from '../extension'
import { COMPARISON_PRECEDENCE } from '../operators'
import { elementOf, type Expr, type NameExpr, type QuantifiedExpr, type Type } from '../syntax'
import { ATOM, printExpression, within } from '../text/printer'
import { expressionSexpr, form } from '../text/sexpr'
import type { Candidate } from '../text/completion'
import { type ExpressionParser, spanOf } from '../text/parser'
import type { Token } from '../text/tokens'
import type { Text } from '../problems'

export const TABLE = table
export const FUNCTION_NAMES: ReadonlySet<string> = new Set(table.functions.map(({ name }) => name))
export const QUANTIFIERS: ReadonlySet<string> = new Set(table.words.map(({ token }) => token))
/** The word before the range of a quantifier. It may be a name elsewhere. */
const IN = 'in'
/** The precedence of a quantifier, whose body has no end of its own: lower than that of any operator. */
const OPEN = -1

export function operand(parser: ExpressionParser, token: Token, leaf: Expr | null): ArrayExpr | null {
  if (leaf)
    return token.kind === 'name' && leaf.kind === 'name' && parser.token.kind === '[' ? cell(parser, leaf) : null
  return QUANTIFIERS.has(token.kind) ? quantified(parser, token) : null
}

function cell(parser: ExpressionParser, array: NameExpr): ArrayExpr {
  const opener = parser.need('[')
  const index = parser.expression()
  const { end } = parser.close(opener)
  parser.grow(0, array.span)
  return { kind: 'cell', array, index, span: [array.span[0], end] }
}

/** The body reaches as far as possible. */
function quantified(parser: ExpressionParser, word: Token): QuantifiedExpr {
  if (++parser.quantifiers > parser.quantifiersMax)
    parser.fail('quantifiers-too-deep', spanOf(word), null, { limit: parser.quantifiersMax })
  const hint: Text = ['write', `${word.text} k in 0..n: …`]
  const name = parser.need('name', ['name-after', word.text], hint)
  if (parser.token.text !== IN) parser.failExpected(['in-range'], hint)
  parser.position++
  const low = parser.expression(COMPARISON_PRECEDENCE + 1)
  let { height } = parser
  parser.need('..', ['last-number'], hint)
  const high = parser.expression(COMPARISON_PRECEDENCE + 1)
  height = Math.max(height, parser.height)
  parser.need(':', ['said-of-numbers'], hint)
  const body = parser.expression()
  parser.grow(height, spanOf(word))
  parser.quantifiers--
  const variable: NameExpr = { kind: 'name', name: name.text, span: spanOf(name) }
  return { kind: 'quantified', word: word.kind, variable, low, high, body, span: [word.start, parser.previousEnd] }
}

export function print(expr: ArrayExpr): [text: string, precedence: number] {
  if (expr.kind === 'cell') return [`${expr.array.name}[${printExpression(expr.index)}]`, ATOM]
  const { word, variable, low, high, body } = expr
  const bounds = [low, high].map((bound) => within(bound, COMPARISON_PRECEDENCE + 1)).join('..')
  return [`${word} ${variable.name} in ${bounds}: ${printExpression(body)}`, OPEN]
}

export const sexpr = (expr: ArrayExpr): string =>
  expr.kind === 'cell'
    ? form('cell', expr.array.name, expressionSexpr(expr.index))
    : form(expr.word, expr.variable.name, ...[expr.low, expr.high, expr.body].map(expressionSexpr))

/** What may stand where a value is expected: quantifiers, the names that they range over, and functions of arrays. */
export function candidates(before: string, variables: ReadonlyMap<string, Type>): Candidate[] {
  const bound = [...before.matchAll(/\b(?:forall|exists)\s+([A-Za-z_]\w*)\s+in\b[^:]*:/g)].map(
    (match) => match[1] ?? '',
  )
  if (![...variables.values()].some(elementOf)) return []
  return [
    ...[...new Set(bound)].map((text): Candidate => ({ text, kind: 'variable', type: 'int' })),
    ...[...FUNCTION_NAMES].map((name): Candidate => ({ text: `${name}(`, kind: 'function' })),
    ...[...QUANTIFIERS].map((word): Candidate => ({ text: `${word} `, kind: 'word' })),
  ]
}
