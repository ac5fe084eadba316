// Arrays, quantifiers, sums and counts as text: reading, printing, completion.

import reading from '../../../../spec/operators-arrays.json?parser'
import writing from '../../../../spec/operators-arrays-written.json?parser'
import type { ArrayExpr } from '../extension'
import { QUANTIFIER_LEVELS_MAX } from '../limits'
import { COMPARISON_PRECEDENCE, INFIX, PREFIX } from '../operators'
import {
  type CallExpr,
  elementOf,
  type Expr,
  type NameExpr,
  type OldExpr,
  type QuantifiedExpr,
  type Type,
} from '../syntax'
import { ATOM, printExpression, within } from '../text/printer'
import { expressionSexpr, form } from '../text/sexpr'
import type { Candidate } from '../text/completion'
import { type ExpressionParser, spanOf } from '../text/parser'
import type { Token } from '../text/tokens'
import type { Text } from '../problems'

export const BUILTINS = [...reading.functions, ...writing.functions]
export const FUNCTION_NAMES: ReadonlySet<string> = new Set(BUILTINS.map(({ name }) => name))
export const QUANTIFIERS: ReadonlySet<string> = new Set(reading.words.map(({ token }) => token))
/** Words that compute a number from a range of numbers. They may be names elsewhere, and so may `in`. */
export const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'count'])
const IN = 'in'
/** The precedence of what has no end of its own: lower than that of any operator. */
const OPEN = -1
/** Nodes and height of what `sorted(a)` adds to the array: 0 and len(a) - 1. */
const ALL_CELLS_NODES = 5
const ALL_CELLS_HEIGHT = 3

/** The least precedence of operators in what follows a word: `sum k in 0..n: a[k] = s` compares the sum with s. */
function bodyPrecedence(word: string): number {
  if (word === 'sum') return INFIX.get('*')?.precedence ?? 0
  return word === 'count' ? (PREFIX.get('!')?.precedence ?? 0) : OPEN
}

export function operand(parser: ExpressionParser, token: Token): Expr | null {
  const { kind, text } = token
  const next = parser.token
  if (QUANTIFIERS.has(kind)) return quantified(parser, token)
  if (kind === 'name' && AGGREGATES.has(text) && next.kind === 'name' && parser.following.text === IN)
    return quantified(parser, token)
  if (kind === 'old') {
    const old = parser.old(token)
    return parser.token.kind === '[' ? cell(parser, old) : old
  }
  if (kind !== 'name' || next.kind !== '[') return null
  parser.leaf(token)
  return cell(parser, { kind: 'name', name: text, span: spanOf(token) })
}

function cell(parser: ExpressionParser, array: NameExpr | OldExpr): ArrayExpr {
  const opener = parser.need('[')
  const index = parser.expression()
  const { end } = parser.close(opener)
  parser.grow(0, array.span)
  return { kind: 'cell', array, index, span: [array.span[0], end] }
}

/** The cells of which `sorted` speaks; without a range, all of them. */
export function range(parser: ExpressionParser, name: Token, array: Expr): readonly Expr[] | null {
  if (name.text !== 'sorted') return null
  if (parser.take(',')) {
    const low = parser.expression(COMPARISON_PRECEDENCE + 1)
    const { height } = parser
    parser.need('..', ['last-cell'], ['write', 'sorted(a, 0..n)'])
    const high = parser.expression(COMPARISON_PRECEDENCE + 1)
    parser.height = Math.max(height, parser.height)
    return [low, high]
  }
  const { span } = array
  parser.nodes += ALL_CELLS_NODES
  parser.height = ALL_CELLS_HEIGHT
  const length: Expr = { kind: 'call', name: 'len', args: [array], span }
  const one: Expr = { kind: 'number', value: 1, span }
  return [
    { kind: 'number', value: 0, span },
    { kind: 'binary', op: '-', left: length, right: one, span },
  ]
}

function quantified(parser: ExpressionParser, word: Token): QuantifiedExpr {
  if (++parser.quantifiers > QUANTIFIER_LEVELS_MAX)
    parser.fail('quantifiers-too-deep', spanOf(word), null, { limit: QUANTIFIER_LEVELS_MAX })
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
  const body = parser.expression(bodyPrecedence(word.text))
  parser.grow(height, spanOf(word))
  parser.quantifiers--
  const variable: NameExpr = { kind: 'name', name: name.text, span: spanOf(name) }
  return { kind: 'quantified', word: word.text, variable, low, high, body, span: [word.start, parser.previousEnd] }
}

/** The bounds of a range. */
const rangeText = (...bounds: Expr[]): string =>
  bounds.map((bound) => within(bound, COMPARISON_PRECEDENCE + 1)).join('..')

/** The arguments of `sorted`, of which the second one is a range; null for other functions. */
export const args = ({ name, args: [array, ...bounds] }: CallExpr): string | null =>
  name === 'sorted' && array ? `${printExpression(array)}, ${rangeText(...bounds)}` : null

export function print(expr: ArrayExpr): [text: string, precedence: number] {
  if (expr.kind === 'cell') return [`${printExpression(expr.array)}[${printExpression(expr.index)}]`, ATOM]
  const { word, variable, low, high, body } = expr
  return [`${word} ${variable.name} in ${rangeText(low, high)}: ${within(body, bodyPrecedence(word))}`, OPEN]
}

export const sexpr = (expr: ArrayExpr): string =>
  expr.kind === 'cell'
    ? form('cell', ...[expr.array, expr.index].map(expressionSexpr))
    : form(expr.word, expr.variable.name, ...[expr.low, expr.high, expr.body].map(expressionSexpr))

const FOREIGN: Readonly<Record<string, Text>> = {
  sum: ['write', 'sum k in 0..len(a) - 1: a[k]'],
  count: ['write', 'count k in 0..len(a) - 1: a[k] = x'],
}
export const foreign = (name: string): Text | undefined => (AGGREGATES.has(name) ? FOREIGN[name] : undefined)

/** What may stand where a value is expected: quantifiers, the names that they range over, and functions of arrays. */
export function candidates(before: string, variables: ReadonlyMap<string, Type>): Candidate[] {
  if (![...variables.values()].some(elementOf)) return []
  const ranges = before.matchAll(/\b(?:forall|exists|sum|count)\s+([A-Za-z_]\w*)\s+in\b[^:]*:/g)
  const bound = new Set([...ranges].map((match) => match[1] ?? ''))
  return [
    ...[...bound].map((text): Candidate => ({ text, kind: 'variable', type: 'int' })),
    ...[...FUNCTION_NAMES].map((name): Candidate => ({ text: `${name}(`, kind: 'function' })),
    ...[...QUANTIFIERS, ...AGGREGATES].map((word): Candidate => ({ text: `${word} `, kind: 'word' })),
  ]
}
