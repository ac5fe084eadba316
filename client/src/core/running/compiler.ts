// Turns expressions into closures, which are made once and called for every row. The content security policy forbids
// generated code.
//
// The checker has accepted every expression that comes here, so types need no test. The sizes of results are tested.
// The Python implementation leaves out the tests that its static bounds show to be superfluous, so both implementations
// stop at the same operations.

import { type ArrayPart, arrayPart } from '../extension'
import {
  abs,
  add,
  div,
  divmod,
  gcd,
  type Int,
  isPower,
  less,
  mul,
  mulInt,
  type Num,
  neg,
  power,
  powerTooLarge,
  same,
  sub,
  tooLarge,
  type Value,
} from './numbers'
import type { BinaryExpr, CallExpr, CompareExpr, Expr, Span } from '../syntax'
import { lookUp } from '../problems'

export type Row = readonly Value[]
export type CompiledExpression = (row: Row) => Value
type CompiledNumber = (row: Row) => Num
type CompiledBoolean = (row: Row) => boolean

/** Why an expression has no value in a row. docs/language.md lists these outcomes. */
export type Cause =
  | 'zero-divisor'
  | 'negative-exponent'
  | 'number-too-large'
  | 'narrowing'
  | 'callee-pre'
  | 'assert'
  | 'post'
  | 'invariant'
  | 'assume'
  | 'steps'
  | 'call-depth'
  | 'prints'
  | 'index'
  | 'range'
  | 'array-too-long'

/**
 * Thrown where a value cannot be computed. There is one object for each place, made when the expression is compiled.
 */
export class Stop {
  constructor(
    readonly cause: Cause,
    /** The operation that has no value: a span of the expression or, where a helper stopped, of the program. */
    readonly span: Span,
    /** The helper in which the evaluation stopped; null for the expression itself. */
    readonly helper: string | null,
  ) {}
}

/** Compiles a call of a helper. program/helpers.ts has an implementation. */
export type CallCompiler = (call: CallExpr, compiler: Compiler) => CompiledExpression

/** Where the compiled code finds names: in a slot of the row or, for old(x), by a function. */
export type Places = {
  readonly slots: ReadonlyMap<string, number>
  readonly olds: ReadonlyMap<string, CompiledExpression>
}

/** What the evaluation on one row may still spend. */
export const fuel = { steps: 0 }

export function useStep(stop: Stop): void {
  if (!fuel.steps) throw stop
  fuel.steps--
}

export class Compiler {
  /** The numbers of the quantifiers around an expression, as they are while it is evaluated. */
  bound: ReadonlyMap<string, { value: Int }> = new Map()

  constructor(
    private readonly places: Places,
    private readonly calls: CallCompiler,
    readonly helper: string | null = null,
  ) {}

  stop(cause: Cause, span: Span): Stop {
    return new Stop(cause, span, this.helper)
  }

  code(expr: Expr): CompiledExpression {
    switch (expr.kind) {
      case 'number':
      case 'boolean': {
        const { value } = expr
        return () => value
      }
      case 'name': {
        const number = this.bound.get(expr.name)
        if (number) return () => number.value
        const slot = this.places.slots.get(expr.name) as number
        return (row) => row[slot] as Value
      }
      case 'old':
        return this.places.olds.get(expr.name) as CompiledExpression
      case 'unary': {
        const operand = this.code(expr.operand)
        return expr.op === '!' ? (row) => !operand(row) : (row) => neg(operand(row) as Num)
      }
      case 'compare':
        return this.chain(expr)
      case 'binary':
        return this.binary(expr)
      case 'call':
        return (
          arrayPart()?.call(this, expr) ??
          lookUp(BUILTINS, expr.name)?.(expr.args.map((arg) => this.code(arg) as CompiledNumber)) ??
          this.calls(expr, this)
        )
      default:
        return (arrayPart() as ArrayPart).code(this, expr)
    }
  }

  private chain(expr: CompareExpr): CompiledBoolean {
    const [first, second, ...others] = expr.operands.map((operand) => this.code(operand)) as [
      CompiledExpression,
      CompiledExpression,
      ...CompiledExpression[],
    ]
    const [test, ...tests] = expr.ops.map((op) => COMPARISONS[op]) as [Comparison, ...Comparison[]]
    if (!others.length) return (row) => test(first(row), second(row))
    return (row) => {
      const start = first(row)
      let left = second(row)
      if (!test(start, left)) return false
      for (let index = 0; index < others.length; index++) {
        const right = (others[index] as CompiledExpression)(row)
        if (!(tests[index] as Comparison)(left, right)) return false
        left = right
      }
      return true
    }
  }

  private binary(expr: BinaryExpr): CompiledExpression {
    const { op, span } = expr
    const left = this.code(expr.left)
    const right = this.code(expr.right)
    switch (op) {
      case '&':
        return (row) => left(row) && right(row)
      case '|':
        return (row) => left(row) || right(row)
      case '->':
        return (row) => !left(row) || right(row)
      default:
        return this.arithmetic(op, span, left as CompiledNumber, right as CompiledNumber)
    }
  }

  private arithmetic(op: string, span: Span, left: CompiledNumber, right: CompiledNumber): CompiledNumber {
    const large = this.stop('number-too-large', span)
    const zero = this.stop('zero-divisor', span)
    const checked = (value: Num): Num => {
      if (tooLarge(value)) throw large
      return value
    }
    switch (op) {
      case '+':
        return (row) => checked(add(left(row), right(row)))
      case '-':
        return (row) => checked(sub(left(row), right(row)))
      case '*':
        return (row) => checked(mul(left(row), right(row)))
      case '^':
        return this.power(span, left, right as (row: Row) => Int)
      default: {
        const divide = DIVISIONS[op] as (a: Num, b: Num) => Num
        return (row) => {
          const a = left(row)
          const b = right(row)
          if (b === 0) throw zero
          return checked(divide(a, b))
        }
      }
    }
  }

  private power(span: Span, base: CompiledNumber, exponent: (row: Row) => Int): CompiledNumber {
    const large = this.stop('number-too-large', span)
    const negative = this.stop('negative-exponent', span)
    return (row) => {
      const x = base(row)
      const k = exponent(row)
      if (k === 2 && typeof x === 'number') return mulInt(x, x)
      if (k < 0) throw negative
      if (powerTooLarge(x, k)) throw large
      return power(x, k)
    }
  }
}

const DIVISIONS: Readonly<Record<string, (a: Num, b: Num) => Num>> = {
  '/': div,
  '//': (a, b) => divmod(a as Int, b as Int)[0],
  '%': (a, b) => divmod(a as Int, b as Int)[1],
}

type Comparison = (a: Value, b: Value) => boolean

/** Compares two small whole numbers directly, and all other numbers exactly. */
const ordered =
  (small: (a: number, b: number) => boolean, exact: (a: Num, b: Num) => boolean): Comparison =>
  (a, b) =>
    typeof a === 'number' && typeof b === 'number' ? small(a, b) : exact(a as Num, b as Num)

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': same,
  '!=': (a, b) => !same(a, b),
  '<': ordered((a, b) => a < b, less),
  '<=': ordered(
    (a, b) => a <= b,
    (a, b) => !less(b, a),
  ),
  '>': ordered(
    (a, b) => a > b,
    (a, b) => less(b, a),
  ),
  '>=': ordered(
    (a, b) => a >= b,
    (a, b) => !less(a, b),
  ),
}

const best =
  (better: (a: Num, b: Num) => boolean) =>
  (args: readonly CompiledNumber[]): CompiledNumber =>
  (row) => {
    const values = args.map((arg) => arg(row))
    return values.reduce((bestSoFar, value) => (better(value, bestSoFar) ? value : bestSoFar))
  }

const two =
  (of: (a: Int, b: Int) => Value) =>
  ([first, second]: readonly CompiledNumber[]): CompiledExpression =>
  (row) => {
    const a = (first as CompiledNumber)(row) as Int
    return of(a, (second as CompiledNumber)(row) as Int)
  }

const BUILTINS: Readonly<Record<string, (args: readonly CompiledNumber[]) => CompiledExpression>> = {
  abs:
    ([first]) =>
    (row) =>
      abs((first as CompiledNumber)(row)),
  min: best(less),
  max: best((a, b) => less(b, a)),
  gcd: two(gcd),
  ispow: two(isPower),
}
