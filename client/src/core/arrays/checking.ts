// The types of arrays, quantifiers, sums and counts.

import type { Checker } from '../checking/checker'
import { counted, isInteger, quote } from '../checking/checker'
import type { ArrayExpr } from '../extension'
import { FUNCTIONS } from '../operators'
import type { Arg, Details, Text } from '../problems'
import {
  type CallExpr,
  type CellExpr,
  type CompareExpr,
  elementOf,
  type Expr,
  type QuantifiedExpr,
  type Span,
  type Type,
} from '../syntax'
import { AGGREGATES, FUNCTION_NAMES } from './text'

export const typeOf = (checker: Checker, expr: ArrayExpr): Type | null =>
  expr.kind === 'cell' ? cellType(checker, expr) : quantifiedType(checker, expr)

/** Reports the name of an array where a number or a Boolean has to stand. */
export function scalarType(checker: Checker, name: string, _: Type, span: Span): Type | null {
  checker.report('array-value', span, ['read-cell', name], { name })
  return null
}

export function callType(checker: Checker, expr: CallExpr): Type | null | undefined {
  const { name, args, span } = expr
  const builtin = FUNCTION_NAMES.has(name) && FUNCTIONS.get(name)
  if (!builtin) return undefined
  const { arguments_min: least, example } = builtin
  if (name === 'len' && args.length === 1) arrayType(checker, args[0] as Expr)
  else if (name !== 'len' && args.length >= least) return orderType(checker, expr)
  else {
    for (const arg of args) checker.valueType(arg)
    const details = { function: `'${name}'`, expected: counted(least), found: args.length }
    checker.report('argument-count', span, ['write', example], details)
  }
  return name === 'len' ? 'nat' : 'bool'
}

/** The type of `sorted(a, low..high)` or `permutation(a, b)`. */
function orderType(checker: Checker, { name, args: [array, ...others], span }: CallExpr): Type {
  const type = arrayType(checker, array as Expr)
  if (name === 'sorted') {
    if (type === 'bool[]') checker.reportArgument(name, array as Expr, type, ['number-array'])
    for (const bound of others) integerType(checker, ['a-bound'], bound)
    return 'bool'
  }
  const other = arrayType(checker, others[0] as Expr)
  if (others.length > 1)
    checker.report('argument-count', span, ['write', 'permutation(a, b)'], {
      function: "'permutation'",
      expected: ['arguments', 2],
      found: 1 + others.length,
    })
  if (type && other && type !== other) checker.reportArgument(name, others[0] as Expr, other, [type])
  return 'bool'
}

/** Arrays of the same type may be equal or not; they have no order. */
export function compared(checker: Checker, { operands, ops }: CompareExpr, types: readonly (Type | null)[]): void {
  for (const [index, op] of ops.entries()) {
    const [leftType, rightType] = [types[index], types[index + 1]]
    const equality = op === '=' || op === '!='
    if (!leftType || !rightType || (leftType === rightType && equality)) continue
    const [left, right] = [operands[index] as Expr, operands[index + 1] as Expr]
    const span: Span = [left.span[0], right.span[1]]
    checker.reportSides('needs-arrays', op, span, left, leftType, right, rightType, equality ? null : ['no-order'])
  }
}

/** The type of what must be an array; null where it is something else, which is reported. */
function arrayType(checker: Checker, array: Expr): Type | null {
  const type = checker.valueType(array)
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
export function integerType(checker: Checker, what: Text, expr: Expr): Type | null {
  const type = checker.typeOf(expr)
  if (type && !isInteger(type))
    checker.report('not-integer', expr.span, null, { what, shown: quote(expr), type: [type] })
  return type
}

function quantifiedType(checker: Checker, expr: QuantifiedExpr): Type | null {
  const { word, variable, low, high, body } = expr
  const { name, span } = variable
  const around = checker.aggregate
  const aggregates = AGGREGATES.has(word)
  if (aggregates && around)
    checker.report('nested-aggregate', expr.span, ['compute-apart'], { inner: word, outer: around })
  const lowType = integerType(checker, ['a-bound'], low)
  integerType(checker, ['a-bound'], high)
  const { variables, params, hidden, functions } = checker.scope
  const before = checker.bound
  if (FUNCTIONS.has(name)) checker.report('reserved-word', span, ['choose-name'], { found: name })
  else if ([before, variables, params, hidden, functions].some((names) => names.has(name)))
    checker.report('already-declared', span, ['own-name'], { name })
  checker.bound = new Map(before).set(name, lowType === 'nat' ? 'nat' : 'int')
  checker.aggregate = aggregates ? word : around
  const type = checker.typeOf(body)
  checker.bound = before
  checker.aggregate = around
  if (aggregates) checker.ended.add(name)
  return resultType(checker, expr, type)
}

/** The type of what a word makes of a body of this type, and what is wrong with the body. */
function resultType(checker: Checker, { word, variable, body }: QuantifiedExpr, type: Type | null): Type | null {
  const told: Arg = type ? [type] : ''
  const details: Details = { what: ['after-word', word], shown: quote(body), type: told }
  if (word === 'sum') {
    if (type === 'bool') checker.report('not-number', body.span, ['write-count', variable.name], details)
    return type === 'bool' ? null : type
  }
  if (type && type !== 'bool')
    checker.report('not-boolean', body.span, word === 'count' ? ['write-sum', variable.name] : null, details)
  return word === 'count' ? 'nat' : 'bool'
}
