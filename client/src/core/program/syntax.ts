// The syntax of programs: statements and functions.

import type { Expr, NameExpr, Param, Signature, Span, Type } from '../syntax'

export type Block = { readonly statements: readonly Stmt[]; readonly span: Span }
export type Branch = { readonly test: Expr; readonly body: Block; readonly span: Span }

export type VarStmt = {
  readonly kind: 'var'
  readonly names: readonly NameExpr[]
  readonly type: Type
  readonly value: Expr | null
  /** For arrays that are declared without a value: how many cells each of them has. */
  readonly length: Expr | null
  readonly span: Span
}
export type AssignStmt = {
  readonly kind: 'assign'
  readonly target: NameExpr
  readonly value: Expr
  readonly span: Span
}
/** a[i] := e; */
export type SetStmt = {
  readonly kind: 'set'
  readonly array: NameExpr
  readonly index: Expr
  readonly value: Expr
  readonly span: Span
}
/** swap(a, i, j); */
export type SwapStmt = {
  readonly kind: 'swap'
  readonly array: NameExpr
  readonly left: Expr
  readonly right: Expr
  readonly span: Span
}
/** There is one branch for the `if` and one for each `else if`. `otherwise` is empty where there is no `else`. */
export type IfStmt = {
  readonly kind: 'if'
  readonly branches: readonly Branch[]
  readonly otherwise: Block
  readonly span: Span
}
export type WhileStmt = {
  readonly kind: 'while'
  readonly invariant: Expr | null
  readonly test: Expr
  readonly body: Block
  /** The components of the measure that falls in every turn, the weightiest first; none where none is stated. */
  readonly measure: readonly Expr[]
  readonly span: Span
}
export type PrintStmt = { readonly kind: 'print'; readonly values: readonly Expr[]; readonly span: Span }
export type ConditionStmt = {
  readonly kind: 'assume' | 'assert' | 'claim'
  readonly condition: Expr
  readonly span: Span
}
export type CassignStmt = {
  readonly kind: 'cassign'
  readonly targets: readonly NameExpr[]
  readonly condition: Expr
  readonly span: Span
}
/** Ends the function, wherever it stands. It is the last statement of its block. */
export type ReturnStmt = { readonly kind: 'return'; readonly value: Expr; readonly span: Span }
/** Leaves the innermost loop around it. It is the last statement of its block. */
export type BreakStmt = { readonly kind: 'break'; readonly span: Span }

export type Stmt =
  | VarStmt
  | AssignStmt
  | SetStmt
  | SwapStmt
  | IfStmt
  | WhileStmt
  | PrintStmt
  | ConditionStmt
  | CassignStmt
  | ReturnStmt
  | BreakStmt

export type SipFunction = Signature & {
  readonly params: readonly Param[]
  readonly pres: readonly Expr[]
  readonly posts: readonly Expr[]
  /** The measure of a recursive function, as of a loop: what falls from a call to the calls that it makes. */
  readonly measure: readonly Expr[]
  readonly body: Block
  readonly span: Span
  readonly nameSpan: Span
}

/** Every statement of the block and of the blocks inside it, in the order of the text. */
export function statements(block: Block): Stmt[] {
  return block.statements.flatMap((statement) => [statement, ...blocks(statement).flatMap(statements)])
}

/** Whether each way through the block plainly ends in a return. */
export function alwaysReturns(block: Block): boolean {
  const last = block.statements.at(-1)
  return last?.kind === 'return' || (last?.kind === 'if' && blocks(last).every(alwaysReturns))
}

function blocks(statement: Stmt): readonly Block[] {
  if (statement.kind === 'if') return [...statement.branches.map((branch) => branch.body), statement.otherwise]
  return statement.kind === 'while' ? [statement.body] : []
}

/** The expressions of the statement itself, not of the blocks inside it. */
export function statementExpressions(statement: Stmt): readonly Expr[] {
  switch (statement.kind) {
    case 'var':
      return [statement.value, statement.length].flatMap((part) => part ?? [])
    case 'set':
      return [statement.index, statement.value]
    case 'swap':
      return [statement.left, statement.right]
    case 'assign':
    case 'return':
      return [statement.value]
    case 'if':
      return statement.branches.map((branch) => branch.test)
    case 'while':
      return [...(statement.invariant ? [statement.invariant] : []), statement.test, ...statement.measure]
    case 'print':
      return statement.values
    case 'break':
      return []
    default:
      return [statement.condition]
  }
}
