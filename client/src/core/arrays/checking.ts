// The types of arrays and quantifiers.

import type { Checker } from '../checking/checker'
import { isInteger, quote } from '../checking/checker'
import type { ArrayExpr } from '../extension'
import { FUNCTIONS } from '../operators'
import type { Text } from '../problems'
import {
  type CallExpr,
  type CellExpr,
  elementOf,
  type Expr,
  type QuantifiedExpr,
  type Span,
  type Type,
} from '../syntax'

export const typeOf = (checker: Checker, expr: ArrayExpr): Type | null =>
  expr.kind === 'cell' ? cellType(checker, expr) : quantifiedType(checker, expr)

/** Reports the name of an array where a number or a Boolean has to stand. */
export function scalarType(checker: Checker, name: string, _: Type, span: Span): Type | null {
  checker.report('array-value', span, ['read-cell', name], { name })
  return null
}

export function callType(checker: Checker, { name, args }: CallExpr): Type | null | undefined {
  if (name !== 'len' || args.length !== 1) return undefined
  arrayType(checker, args[0] as Expr)
  return 'nat'
}

/** The type of what must be the name of an array; null where it is something else, which is reported. */
function arrayType(checker: Checker, array: Expr): Type | null {
  const type = array.kind === 'name' ? checker.variableType(array.name, array.span) : checker.typeOf(array)
  if (!type || elementOf(type)) return type
  checker.report('not-an-array', array.span, null, { shown: quote(array), type: [type] })
  return null
}

function cellType(checker: Checker, { array, index }: CellExpr): Type | null {
  const type = arrayType(checker, array)
  integerType(checker, ['an-index'], index)
  return type && elementOf(type)
}

/** The type of an expression that must be a whole number; where it is another one, that is reported. */
function integerType(checker: Checker, what: Text, expr: Expr): Type | null {
  const type = checker.typeOf(expr)
  if (type && !isInteger(type))
    checker.report('not-integer', expr.span, null, { what, shown: quote(expr), type: [type] })
  return type
}

function quantifiedType(checker: Checker, { word, variable, low, high, body }: QuantifiedExpr): Type {
  const { name, span } = variable
  const lowType = integerType(checker, ['a-bound'], low)
  integerType(checker, ['a-bound'], high)
  const { variables, params, hidden, functions } = checker.scope
  const before = checker.bound
  if (FUNCTIONS.has(name)) checker.report('reserved-word', span, ['choose-name'], { found: name })
  else if ([before, variables, params, hidden, functions].some((names) => names.has(name)))
    checker.report('already-declared', span, ['own-name'], { name })
  checker.bound = new Map(before).set(name, lowType === 'nat' ? 'nat' : 'int')
  const type = checker.typeOf(body)
  checker.bound = before
  if (type && type !== 'bool')
    checker.report('not-boolean', body.span, null, { what: ['after-word', word], shown: quote(body), type: [type] })
  return 'bool'
}
