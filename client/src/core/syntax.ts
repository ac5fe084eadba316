// The syntax tree. Spans are half-open ranges of UTF-16 offsets, as text fields count them. problems.ts converts them
// to code points, in which the server and spec/ count.

import type { Num } from './running/numbers'

export type Span = readonly [start: number, end: number]
/** The types of numbers and of Booleans. */
export type Basic = 'bool' | 'nat' | 'int' | 'rat'
export type ArrayType = `${Basic}[]`
export type Type = Basic | ArrayType

export type NumberExpr = { readonly kind: 'number'; readonly value: Num; readonly span: Span }
export type BooleanExpr = { readonly kind: 'boolean'; readonly value: boolean; readonly span: Span }
export type NameExpr = { readonly kind: 'name'; readonly name: string; readonly span: Span }
export type OldExpr = { readonly kind: 'old'; readonly name: string; readonly span: Span }
export type UnaryExpr = { readonly kind: 'unary'; readonly op: string; readonly operand: Expr; readonly span: Span }
export type BinaryExpr = {
  readonly kind: 'binary'
  readonly op: string
  readonly left: Expr
  readonly right: Expr
  readonly span: Span
}
/** A chain such as a < b <= c. It has one operator less than it has operands. */
export type CompareExpr = {
  readonly kind: 'compare'
  readonly operands: readonly Expr[]
  readonly ops: readonly string[]
  readonly span: Span
}
/** A call of a built-in function or a helper. */
export type CallExpr = {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expr[]
  readonly span: Span
}

/** A cell of an array: a[i], old(a)[i]. */
export type CellExpr = {
  readonly kind: 'cell'
  readonly array: NameExpr | OldExpr
  readonly index: Expr
  readonly span: Span
}
/** What is said of, or computed from, all whole numbers of a range: forall k in low..high: body. */
export type QuantifiedExpr = {
  readonly kind: 'quantified'
  /** forall, exists, sum or count */
  readonly word: string
  readonly variable: NameExpr
  readonly low: Expr
  readonly high: Expr
  readonly body: Expr
  readonly span: Span
}

export type Expr =
  | NumberExpr
  | BooleanExpr
  | NameExpr
  | OldExpr
  | UnaryExpr
  | BinaryExpr
  | CompareExpr
  | CallExpr
  | CellExpr
  | QuantifiedExpr

/** The type of the cells, where this is a type of arrays. */
export const elementOf = (type: Type): Basic | null => (type.endsWith('[]') ? (type.slice(0, -2) as Basic) : null)

/** The direct operands of an expression. */
export function parts(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'unary':
      return [expr.operand]
    case 'binary':
      return [expr.left, expr.right]
    case 'compare':
      return expr.operands
    case 'call':
      return expr.args
    case 'cell':
      return [expr.array, expr.index]
    case 'quantified':
      return [expr.low, expr.high, expr.body]
    default:
      return []
  }
}

/** The expression and everything inside it, outermost first, in the order of the text. */
export function expressions(expr: Expr): Expr[] {
  const collected: Expr[] = []
  const waiting: Expr[] = [expr]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    collected.push(next)
    waiting.push(...[...parts(next)].reverse())
  }
  return collected
}

export type Param = { readonly name: string; readonly type: Type; readonly span: Span }

/** What a caller needs to know about a function. */
export type Signature = { readonly name: string; readonly params: readonly Param[]; readonly result: Type | null }
