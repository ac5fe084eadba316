// Arrays and quantifiers are read, checked, evaluated and printed by a part of the language that is loaded when it is
// needed (arrays/). It enters itself here.

import type { Checker } from './checking/checker'
import type { CompiledExpression, Compiler } from './running/compiler'
import type { Text } from './problems'
import type { CallExpr, CellExpr, CompareExpr, Expr, QuantifiedExpr, Span, Type } from './syntax'
import type { Candidate } from './text/completion'
import type { ExpressionParser } from './text/parser'
import type { Token } from './text/tokens'

export type ArrayExpr = CellExpr | QuantifiedExpr
export type ArrayPart = {
  /** Reads what the token begins that was read last; null where that is nothing of arrays. */
  readonly operand: (parser: ExpressionParser, token: Token) => Expr | null
  /** Reads the rest of the arguments after the first one of `sorted`; null for other functions. */
  readonly range: (parser: ExpressionParser, name: Token, array: Expr) => readonly Expr[] | null
  readonly typeOf: (checker: Checker, expr: ArrayExpr) => Type | null
  /** The type of a name where a number or a Boolean has to stand: none for an array, which is reported. */
  readonly scalarType: (checker: Checker, name: string, type: Type, span: Span) => Type | null
  /** The type of a call of a function of arrays, or undefined where it is none of them. */
  readonly callType: (checker: Checker, expr: CallExpr) => Type | null | undefined
  /** Reports what is wrong with a chain of comparisons of which some operands are arrays. */
  readonly compared: (checker: Checker, expr: CompareExpr, types: readonly (Type | null)[]) => void
  readonly code: (compiler: Compiler, expr: ArrayExpr) => CompiledExpression
  /** The code of a call of a function of arrays, or null where it is none of them. */
  readonly call: (compiler: Compiler, expr: CallExpr) => CompiledExpression | null
  readonly print: (expr: ArrayExpr) => [text: string, precedence: number]
  /** The arguments of a call, where they are written in a way of their own. */
  readonly args: (expr: CallExpr) => string | null
  readonly sexpr: (expr: ArrayExpr) => string
  /** The functions of arrays. Only where there are arrays are they offered. */
  readonly functions: ReadonlySet<string>
  /** A hint for a function of arrays that other languages have; none of the functions here is near it. */
  readonly foreign: (name: string) => Text | undefined
  readonly candidates: (text: string, variables: ReadonlyMap<string, Type>) => readonly Candidate[]
}

/** What shows that a text needs this part. */
const NEEDS = /[[\]]|\.\.|\b(?:forall|exists|len|sorted|permutation)\b/

let part: ArrayPart | null = null

export function enter(entered: ArrayPart): void {
  part = entered
}

/** The part that knows arrays; null as long as it is not loaded. */
export const arrayPart = (): ArrayPart | null => part

/** Whether a text cannot be read before the part is loaded. */
export const lacksArrays = (text: string, types: Iterable<Type> = []): boolean =>
  !part && (NEEDS.test(text) || [...types].some((type) => type.endsWith('[]')))
