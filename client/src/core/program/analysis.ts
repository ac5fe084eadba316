// Checks whole programs, and finds the variables and the loops of each function.

import {
  Checker,
  checkExpression,
  FACT,
  type Hidden,
  isLike,
  notBoolean,
  type ExpressionPlace,
  quote,
  type Scope,
} from '../checking/checker'
import { integerType } from '../arrays/checking'
import { VARIABLES_MAX } from '../limits'
import { nearLater } from '../checking/near'
import { FUNCTIONS } from '../operators'
import { elementOf, type Expr, expressions, type NameExpr, type Span, type Type } from '../syntax'
import { type Arg, type ProblemCode, type Details, type Finding, problem, type Text } from '../problems'
import { quoted } from '../text/tokens'
import {
  alwaysReturns,
  type Block,
  type CassignStmt,
  type SipFunction,
  type Stmt,
  statementExpressions,
  statements,
  type VarStmt,
  type WhileStmt,
} from './syntax'

/** The place of an expression that is executed. */
const CODE: ExpressionPlace = { old: false, choice: true }
/** The place of the condition of an assume. */
const ASSUMPTION: ExpressionPlace = { old: true, choice: true }
/** The place of a pre, and of the condition of a cassign. */
const CONDITION: ExpressionPlace = { old: false, choice: false }

export type LoopInfo = {
  /** Counts from 1, in the order of the `while`s in the text. */
  readonly number: number
  readonly statement: WhileStmt
  /** The function that it belongs to. */
  readonly function: string
  /** The variables visible at the loop head. */
  readonly columns: readonly string[]
  /** The number of the loop around it; null where there is none. */
  readonly outer: number | null
}

export type FunctionInfo = {
  readonly function: SipFunction
  /** Parameters, `result` where the function has a result type, and all local variables, wherever they are declared. */
  readonly variables: ReadonlyMap<string, Type>
  readonly loops: readonly LoopInfo[]
}

export type ProgramInfo = {
  readonly level: string
  readonly functions: ReadonlyMap<string, FunctionInfo>
  /** The functions that use cassign, themselves or through other functions. */
  readonly choosing: ReadonlySet<string>
}

export function checkFunctions(list: readonly SipFunction[]): { info: ProgramInfo; problems: Finding[] } {
  const problems: Finding[] = []
  const infos = new Map<string, FunctionInfo>()
  const level = list.at(-1)?.name ?? ''
  const functions = new Map(list.map((function_) => [function_.name, function_]))
  const helpers = new Map([...functions].filter(([name]) => name !== level))
  const choosing = choosingFunctions(functions)
  const above = new Set<string>()
  for (const function_ of list) {
    const { name, nameSpan } = function_
    if (FUNCTIONS.has(name)) problems.push(problem('reserved-word', nameSpan, ['choose-name'], { found: name }))
    else if (above.has(name)) problems.push(problem('function-declared-twice', nameSpan, null, { name }))
    above.add(name)
    const tooMany = declared(function_)[VARIABLES_MAX]
    if (tooMany) {
      problems.push(problem('too-many-variables', tooMany.span, null, { name, limit: VARIABLES_MAX }))
      continue
    }
    // The level may call itself, but no helper may call the level.
    const [known, uncalled] = name === level ? [functions, ''] : [helpers, level]
    const checker = new FunctionChecker(function_, known, choosing, uncalled, new Set(above))
    infos.set(name, checker.check())
    problems.push(...checker.problems)
  }
  problems.sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
  return { info: { level, functions: infos, choosing }, problems }
}

/** The functions that use cassign, themselves or through functions that they call. */
function choosingFunctions(functions: ReadonlyMap<string, SipFunction>): ReadonlySet<string> {
  const choosing = new Set<string>()
  const callers = new Map<string, string[]>()
  const waiting: string[] = []
  for (const [name, function_] of functions) {
    const all = statements(function_.body)
    const whole = [...function_.pres, ...function_.posts, ...function_.measure, ...all.flatMap(statementExpressions)]
    for (const part of whole.flatMap(expressions))
      if (part.kind === 'call') callers.set(part.name, [...(callers.get(part.name) ?? []), name])
    if (all.some((statement) => statement.kind === 'cassign')) waiting.push(name)
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (choosing.has(name)) continue
    choosing.add(name)
    waiting.push(...(callers.get(name) ?? []))
  }
  return choosing
}

const locals = (function_: SipFunction): NameExpr[] =>
  statements(function_.body).flatMap((statement) => (statement.kind === 'var' ? statement.names : []))
const declared = (function_: SipFunction): { span: Span }[] => [...function_.params, ...locals(function_)]

/** Whether the body assigns the result by an assignment or a cassign. A return does not count. */
function assignsResult(function_: SipFunction): boolean {
  const targets = statements(function_.body).flatMap((statement) =>
    statement.kind === 'assign' ? [statement.target] : statement.kind === 'cassign' ? statement.targets : [],
  )
  return targets.some((target) => target.name === 'result')
}

class FunctionChecker {
  readonly problems: Finding[] = []
  private readonly params = new Map<string, Type>()
  private readonly variables = new Map<string, Type>()
  private readonly visible = new Map<string, Type>()
  private readonly hidden = new Map<string, Hidden>()
  private readonly loops: LoopInfo[] = []
  /** The numbers of the loops around the statement that is being checked. */
  private readonly inside: number[] = []
  private readonly scope: Scope

  constructor(
    private readonly function_: SipFunction,
    private readonly functions: ReadonlyMap<string, SipFunction>,
    choosing: ReadonlySet<string>,
    level: string,
    private readonly above: ReadonlySet<string>,
  ) {
    this.scope = { variables: this.visible, params: this.params, functions, choosing, hidden: this.hidden, level }
  }

  private report(code: ProblemCode, span: Span, hint: Finding['hint'] = null, details: Details = {}): void {
    this.problems.push(problem(code, span, hint, details))
  }

  check(): FunctionInfo {
    const { function_ } = this
    for (const param of function_.params) this.declare(param.name, param.type, param.span)
    if (function_.result && elementOf(function_.result))
      this.report('array-result', function_.nameSpan, ['return-single'])
    for (const [name, type] of this.visible) this.params.set(name, type)
    const local = locals(function_)
      .map((variable) => variable.name)
      .filter((name) => !this.visible.has(name))
    this.contract(local)
    for (const name of local) this.hidden.set(name, 'used-before-declaration')
    this.result()
    this.block(function_.body)
    return { function: function_, variables: this.variables, loops: this.loops }
  }

  private declare(name: string, type: Type, span: Span): void {
    if (FUNCTIONS.has(name)) this.report('reserved-word', span, ['choose-name'], { found: name })
    else if (this.variables.has(name)) this.report('already-declared', span, ['declared-once'], { name })
    else if (this.above.has(name)) this.report('already-declared', span, ['function-has-name'], { name })
    this.variables.set(name, type)
    this.visible.set(name, type)
    this.hidden.delete(name)
  }

  private contract(local: readonly string[]): void {
    const { result, pres, posts, measure } = this.function_
    const hidden = new Map<string, Hidden>(local.map((name) => [name, 'local-in-contract']))
    const withoutResult = new Map(hidden).set('result', result ? 'no-result-here' : 'no-result-type')
    const before: Scope = { ...this.scope, variables: this.params, hidden: withoutResult }
    for (const component of measure) this.problems.push(...checkExpression(component, before, CONDITION).problems)
    const after: Scope = result ? { ...before, variables: new Map(this.params).set('result', result), hidden } : before
    for (const pre of pres) this.boolean(pre, CONDITION, ['a-pre'], before)
    for (const post of posts) this.boolean(post, FACT, ['a-post'], after)
  }

  private result(): void {
    const { name, nameSpan, result, body } = this.function_
    if (!result) {
      this.hidden.set('result', 'no-result-type')
      return
    }
    this.variables.set('result', result)
    if (assignsResult(this.function_)) {
      this.visible.set('result', result)
      return
    }
    this.hidden.set('result', 'no-result-here')
    if (!alwaysReturns(body)) this.report('missing-return', nameSpan, ['end-with-return'], { name })
  }

  private block(block: Block): void {
    const before = new Set(this.visible.keys())
    for (const statement of block.statements) this.statement(statement)
    for (const name of [...this.visible.keys()].filter((visibleName) => !before.has(visibleName))) {
      this.visible.delete(name)
      this.hidden.set(name, 'out-of-scope')
    }
  }

  private statement(statement: Stmt): void {
    switch (statement.kind) {
      case 'var':
        this.length(statement)
        if (statement.value) this.assignable(quoted(statement.names[0]?.name ?? ''), statement.type, statement.value)
        for (const { name, span } of statement.names) this.declare(name, statement.type, span)
        break
      case 'assign':
        this.assignable(quoted(statement.target.name), this.target(statement.target), statement.value)
        break
      case 'set': {
        const element = this.cellsOf(statement.array)
        this.index(statement.index, ['an-index'])
        this.assignable(['a-cell-of', statement.array.name], element, statement.value)
        break
      }
      case 'swap':
        this.cellsOf(statement.array)
        for (const index of [statement.left, statement.right]) this.index(index, ['an-index'])
        break
      case 'if':
        for (const branch of statement.branches) {
          this.boolean(branch.test, CODE, ['test-of-if'])
          this.block(branch.body)
        }
        this.block(statement.otherwise)
        break
      case 'while':
        this.loop(statement)
        break
      case 'print':
        for (const value of statement.values) this.problems.push(...checkExpression(value, this.scope, CODE).problems)
        break
      case 'assume':
        this.boolean(statement.condition, ASSUMPTION, ['an-assume'])
        break
      case 'assert':
        this.boolean(statement.condition, FACT, ['an-assert'])
        break
      case 'claim':
        this.boolean(statement.condition, FACT, ['a-claim'])
        break
      case 'cassign':
        this.choice(statement)
        break
      case 'return':
        if (!this.function_.result) this.report('unexpected-return', statement.span, ['give-one', this.function_.name])
        this.assignable(['the-result'], this.function_.result, statement.value)
    }
  }

  private boolean(expr: Expr, place: ExpressionPlace, what: Text, scope: Scope = this.scope): void {
    const { type, problems } = checkExpression(expr, scope, place)
    this.problems.push(...problems, ...(type ? notBoolean(expr, type, what) : []))
  }

  private loop(loop: WhileStmt): void {
    const number = this.loops.length + 1
    this.loops.push({
      number,
      statement: loop,
      function: this.function_.name,
      columns: [...this.visible.keys()],
      outer: this.inside.at(-1) ?? null,
    })
    if (loop.invariant) this.boolean(loop.invariant, FACT, ['an-invariant'])
    this.boolean(loop.test, CODE, ['test-of-while'])
    for (const component of loop.measure) this.problems.push(...checkExpression(component, this.scope, FACT).problems)
    this.inside.push(number)
    this.block(loop.body)
    this.inside.pop()
  }

  /**
   * The type of a variable that is assigned. Where it cannot be assigned the type is null, and a problem is reported.
   */
  private target(target: NameExpr): Type | null {
    const { name, span } = target
    const type = this.visible.get(name)
    if (type) return type
    if (this.hidden.has(name)) this.problems.push(...checkExpression(target, this.scope).problems)
    else if (FUNCTIONS.has(name) || this.functions.has(name))
      this.report('not-assignable', span, ['not-a-target'], { name })
    else this.report('unknown-name', span, nearLater(name, this.visible.keys(), ['declare-it', name]), { name })
    return null
  }

  private length({ names: [first], type, value, length }: VarStmt): void {
    const element = elementOf(type)
    if (length) this.index(length, ['array-length'])
    else if (first && element && !value)
      this.report('array-length', first.span, ['write-length', first.name, element], { name: first.name })
  }

  /** The type of the cells of an array that is written; null where it is no array that can be, which is reported. */
  private cellsOf(array: NameExpr): Type | null {
    const type = this.target(array)
    if (type && !elementOf(type)) this.report('not-an-array', array.span, null, { shown: quote(array), type: [type] })
    return type && elementOf(type)
  }

  /** Reports where an expression in code is no whole number. */
  private index(expr: Expr, what: Text): void {
    const checker = new Checker(this.scope, CODE)
    integerType(checker, what, expr)
    this.problems.push(...checker.problems)
  }

  private assignable(target: Arg, targetType: Type | null, value: Expr): void {
    const checker = new Checker(this.scope, CODE)
    const type = targetType && elementOf(targetType) ? checker.valueType(value) : checker.typeOf(value)
    this.problems.push(...checker.problems)
    if (!type || !targetType || isLike(type, targetType)) return
    this.report('assigned-type', value.span, null, {
      target,
      target_type: [targetType],
      shown: quote(value),
      type: [type],
    })
  }

  private choice(choice: CassignStmt): void {
    const seen = new Set<string>()
    for (const target of choice.targets) {
      if (seen.has(target.name)) this.report('chosen-twice', target.span, null, { name: target.name })
      seen.add(target.name)
      const type = this.target(target)
      const element = type && elementOf(type)
      if (element) this.report('array-chosen', target.span, ['any-cells', element, target.name], { name: target.name })
    }
    this.boolean(choice.condition, CONDITION, ['condition-of-cassign'])
  }
}
