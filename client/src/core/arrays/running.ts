// Cells, quantifiers, sums and counts as closures. All instances are evaluated, so that there is a value exactly where
// each instance has one.

import type { ArrayExpr } from '../extension'
import { QUANTIFIER_RANGE_MAX, VARIABLE_BITS_MAX } from '../limits'
import {
  add,
  addInt,
  type Cells,
  formatValue,
  type Int,
  less,
  negInt,
  type Num,
  type Scalar,
  size,
  tooLarge,
} from '../running/numbers'
import { type CompiledExpression, type Compiler, type Row, useStep } from '../running/compiler'
import type { CallExpr, CellExpr, Expr, QuantifiedExpr, Span } from '../syntax'

type CompiledInt = (row: Row) => Int
type CompiledArray = (row: Row) => Cells

export const code = (compiler: Compiler, expr: ArrayExpr): CompiledExpression =>
  expr.kind === 'cell' ? cell(compiler, expr) : quantified(compiler, expr)

export function call(compiler: Compiler, expr: CallExpr): CompiledExpression | null {
  const { name, args } = expr
  if (name === 'len') {
    const array = compiler.code(args[0] as Expr) as CompiledArray
    return (row) => array(row).length
  }
  if (name === 'sorted') return sorted(compiler, expr)
  return name === 'permutation' ? permutation(compiler, expr) : null
}

/** The cell with this index; undefined where there is none. */
export const cellAt = (array: Cells, index: Int): Scalar | undefined => array[Number(index)]

function cell(compiler: Compiler, expr: CellExpr): CompiledExpression {
  const array = compiler.code(expr.array) as CompiledArray
  const index = compiler.code(expr.index) as CompiledInt
  const outside = compiler.stop('index', expr.span)
  return (row) => {
    const found = cellAt(array(row), index(row))
    if (found === undefined) throw outside
    return found
  }
}

/** Calls a function with each number of a range; each costs a step. */
function ranging(compiler: Compiler, span: Span, low: CompiledInt, high: CompiledInt) {
  const range = compiler.stop('range', span)
  const steps = compiler.stop('steps', span)
  return (row: Row, visit: (number: Int) => void): void => {
    const first = low(row)
    const distance = addInt(high(row), negInt(first))
    if (distance >= QUANTIFIER_RANGE_MAX) throw range
    for (let step = 0; step <= distance; step++) {
      useStep(steps)
      visit(addInt(first, step))
    }
  }
}

function quantified(compiler: Compiler, expr: QuantifiedExpr): CompiledExpression {
  const range = ranging(compiler, expr.span, bound(compiler, expr.low), bound(compiler, expr.high))
  const number: { value: Int } = { value: 0 }
  const before = compiler.bound
  compiler.bound = new Map(before).set(expr.variable.name, number)
  const body = compiler.code(expr.body)
  compiler.bound = before
  const make = ACCUMULATORS[expr.word] as (compiler: Compiler, span: Span) => Accumulator
  const { start, step: taken } = make(compiler, expr.span)
  return (row) => {
    let result = start
    // The body may call a helper that evaluates this quantifier again.
    const kept = number.value
    try {
      range(row, (value) => {
        number.value = value
        result = taken(result, body(row) as Scalar)
      })
    } finally {
      number.value = kept
    }
    return result
  }
}

/** What no instance makes, and what one more makes of the result so far. */
type Accumulator = { readonly start: Scalar; readonly step: (result: Scalar, value: Scalar) => Scalar }

const ACCUMULATORS: Readonly<Record<string, (compiler: Compiler, span: Span) => Accumulator>> = {
  forall: () => ({ start: true, step: (result, value) => result && value }),
  exists: () => ({ start: false, step: (result, value) => result || value }),
  count: () => ({ start: 0, step: (result, value) => (value ? addInt(result as Int, 1) : result) }),
  sum: (compiler, span) => {
    const large = compiler.stop('number-too-large', span)
    return {
      start: 0,
      step: (result, value) => {
        const reached = add(result as Num, value as Num)
        if (tooLarge(reached)) throw large
        return reached
      },
    }
  },
}

/** The same as `forall k in low..high - 1: a[k] <= a[k + 1]`. */
function sorted(compiler: Compiler, { args, span }: CallExpr): CompiledExpression {
  const [array, low, high] = args as [Expr, Expr, Expr]
  const cells = compiler.code(array) as CompiledArray
  const last = bound(compiler, high)
  const range = ranging(compiler, span, bound(compiler, low), (row) => addInt(last(row), -1))
  const outside = compiler.stop('index', span)
  return (row) => {
    const held = cells(row)
    let result = true
    range(row, (number) => {
      const [left, right] = [cellAt(held, number), cellAt(held, addInt(number, 1))]
      if (left === undefined || right === undefined) throw outside
      if (less(right as Num, left as Num)) result = false
    })
    return result
  }
}

/** Whether two arrays have the same values, each as often. Each cell of the first one costs a step. */
function permutation(compiler: Compiler, { args, span }: CallExpr): CompiledExpression {
  const [left, right] = args.map((arg) => compiler.code(arg)) as [CompiledArray, CompiledArray]
  const steps = compiler.stop('steps', span)
  const ordered = (cells: Cells): string => cells.map(formatValue).sort().join(' ')
  return (row) => {
    const [first, second] = [left(row), right(row)]
    for (const _ of first) useStep(steps)
    return first.length === second.length && ordered(first) === ordered(second)
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
