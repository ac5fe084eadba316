// Why an expression is false in a row: for which numbers a forall fails first, and which cells are read there.

import { QUANTIFIER_RANGE_MAX } from '../limits'
import { addInt, formatValue, type Int, negInt, type Scalar } from '../running/numbers'
import { type Compiler, Stop } from '../running/compiler'
import { fails, type Trace } from '../running/trace'
import type { Expr, QuantifiedExpr } from '../syntax'

/** A cell that is read: the array, and its index as a text. */
export type ReadCell = { readonly array: string; readonly index: string }
export type Witness = {
  /** The numbers of the quantifiers, such as k → 2, the outermost first. */
  readonly numbers: readonly { readonly name: string; readonly value: string }[]
  /** The cells that are read where the expression fails. */
  readonly cells: readonly ReadCell[]
  /** Why there is no value; null where the expression is false. */
  readonly stop: Stop | null
}

/** Null where the expression holds in the row. */
export function witness(trace: Trace, expr: Expr, row: number): Witness | null {
  const compiler = trace.compiler()
  const value = (part: Expr): Scalar | Stop => trace.at(row, compiler.code(part))
  const numbers: { name: string; value: string }[] = []
  let part = failing(expr, value)
  if (!fails(value(part))) return null
  while (part.kind === 'quantified' && part.word === 'forall') {
    const found = firstFailing(part, compiler, value)
    if (found === null) break
    numbers.push({ name: part.variable.name, value: formatValue(found) })
    compiler.bound = new Map(compiler.bound).set(part.variable.name, { value: found })
    part = failing(part.body, value)
  }
  const result = value(part)
  return { numbers, cells: cellsIn(part, value), stop: result instanceof Stop ? result : null }
}

/** The part of a conjunction, or the right side of an implication, that makes it fail. */
function failing(expr: Expr, value: (part: Expr) => Scalar | Stop): Expr {
  if (expr.kind !== 'binary') return expr
  const left = value(expr.left)
  if (expr.op === '&') return failing(fails(left) ? expr.left : expr.right, value)
  return expr.op === '->' && left === true ? failing(expr.right, value) : expr
}

function firstFailing(
  { variable, low, high, body }: QuantifiedExpr,
  compiler: Compiler,
  value: (part: Expr) => Scalar | Stop,
): Int | null {
  const first = value(low)
  const last = value(high)
  if (first instanceof Stop || last instanceof Stop) return null
  const distance = addInt(last as Int, negInt(first as Int))
  if (distance >= QUANTIFIER_RANGE_MAX) return null
  const before = compiler.bound
  const number: { value: Int } = { value: 0 }
  compiler.bound = new Map(before).set(variable.name, number)
  try {
    for (let step = 0; step <= distance; step++) {
      number.value = addInt(first as Int, step)
      if (fails(value(body))) return number.value
    }
  } finally {
    compiler.bound = before
  }
  return null
}

/** The cells that an expression reads, without those under a quantifier. */
function cellsIn(expr: Expr, value: (part: Expr) => Scalar | Stop): ReadCell[] {
  switch (expr.kind) {
    case 'quantified':
      return []
    case 'cell': {
      const index = value(expr.index)
      const inner = cellsIn(expr.index, value)
      return index instanceof Stop ? inner : [{ array: expr.array.name, index: formatValue(index) }, ...inner]
    }
    case 'unary':
      return cellsIn(expr.operand, value)
    case 'binary':
      return [expr.left, expr.right].flatMap((part) => cellsIn(part, value))
    case 'compare':
      return expr.operands.flatMap((part) => cellsIn(part, value))
    case 'call':
      return expr.args.flatMap((part) => cellsIn(part, value))
    default:
      return []
  }
}
