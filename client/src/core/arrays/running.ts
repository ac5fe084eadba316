// Cells and quantifiers as closures. A quantifier evaluates all of its instances, so that it has a value exactly where
// each instance has one.

import type { ArrayExpr } from '../extension'
import { QUANTIFIER_RANGE_MAX, VARIABLE_BITS_MAX } from '../limits'
import { addInt, type Cells, type Int, negInt, size } from '../running/numbers'
import { type CompiledExpression, type Compiler, type Row, useStep } from '../running/compiler'
import type { CallExpr, CellExpr, Expr, QuantifiedExpr } from '../syntax'

type CompiledInt = (row: Row) => Int

export const code = (compiler: Compiler, expr: ArrayExpr): CompiledExpression =>
  expr.kind === 'cell' ? cell(compiler, expr) : quantified(compiler, expr)

export function call(compiler: Compiler, { name, args }: CallExpr): CompiledExpression | null {
  if (name !== 'len') return null
  const array = compiler.code(args[0] as Expr)
  return (row) => (array(row) as Cells).length
}

function cell(compiler: Compiler, expr: CellExpr): CompiledExpression {
  const array = compiler.code(expr.array)
  const index = compiler.code(expr.index) as CompiledInt
  const outside = compiler.stop('index', expr.span)
  return (row) => {
    const found = (array(row) as Cells)[Number(index(row))]
    if (found === undefined) throw outside
    return found
  }
}

function quantified(compiler: Compiler, expr: QuantifiedExpr): CompiledExpression {
  const low = bound(compiler, expr.low)
  const high = bound(compiler, expr.high)
  const range = compiler.stop('range', expr.span)
  const steps = compiler.stop('steps', expr.span)
  const number: { value: Int } = { value: 0 }
  const before = compiler.bound
  compiler.bound = new Map(before).set(expr.variable.name, number)
  const body = compiler.code(expr.body)
  compiler.bound = before
  // What an instance must not be for the result to be the one of a quantifier without instances.
  const decisive = expr.word === 'exists'
  return (row) => {
    const first = low(row)
    const distance = addInt(high(row), negInt(first))
    if (distance >= QUANTIFIER_RANGE_MAX) throw range
    let result = !decisive
    // The body may call a helper that evaluates this quantifier again.
    const kept = number.value
    try {
      for (let step = 0; step <= distance; step++) {
        useStep(steps)
        number.value = addInt(first, step)
        if (body(row) === decisive) result = decisive
      }
    } finally {
      number.value = kept
    }
    return result
  }
}

/** A bound of a range, which is a value that a variable could hold. */
function bound(compiler: Compiler, expr: Expr): CompiledInt {
  const value = compiler.code(expr) as CompiledInt
  const large = compiler.stop('number-too-large', expr.span)
  return (row) => {
    const number = value(row)
    if (typeof number !== 'number' && size(number) > VARIABLE_BITS_MAX) throw large
    return number
  }
}
