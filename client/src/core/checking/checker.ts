// Checks names and types. The checker finds as many problems as it can in one go; a part whose type is unknown causes
// no further problems.

import { arrayPart } from '../extension'
import * as foreign from '../text/foreign'
import { nearLater } from './near'
import { Rat } from '../running/numbers'
import { type Builtin, FUNCTIONS } from '../operators'
import { printExpression } from '../text/printer'
import {
  type Basic,
  type BinaryExpr,
  type CallExpr,
  type CompareExpr,
  elementOf,
  type Expr,
  type Signature,
  type Span,
  type Type,
  type UnaryExpr,
} from '../syntax'
import { type Arg, type ProblemCode, type Details, type Finding, lookUp, problem, short, type Text } from '../problems'
import { quoted } from '../text/tokens'

/** How many characters of an expression a message repeats. */
const SHOWN_EXPRESSION_CHARS_MAX = 50

/** What an expression may contain, which depends on where it stands. */
export type ExpressionPlace = {
  /** Whether old(x) may stand here. */
  readonly old: boolean
  /** Whether helpers that make choices may be called here. */
  readonly choice: boolean
}
/** The place of a proposal, a post, an assert, a claim or an invariant. */
export const FACT: ExpressionPlace = { old: true, choice: false }

/** What an expression may refer to. */
export type Scope = {
  readonly variables: ReadonlyMap<string, Type>
  /** The parameters, which old(x) may name. */
  readonly params: ReadonlyMap<string, Type>
  readonly functions: ReadonlyMap<string, Signature>
  /** The helpers that use cassign, themselves or through other helpers. */
  readonly choosing: ReadonlySet<string>
  /** Names that exist but may not be used here → the code of the problem. */
  readonly hidden: ReadonlyMap<string, Hidden>
  /** Functions that are declared further down. */
  readonly level: string
}
export type Hidden = keyof typeof HIDDEN_HINTS

const HIDDEN_HINTS = {
  'out-of-scope': ['declare-before'],
  'used-before-declaration': ['declare-up'],
  'no-result-here': ['result-known'],
  'no-result-type': ['result-type'],
  'local-in-contract': ['local-assert'],
} as const satisfies Partial<Record<ProblemCode, Text>>

/** How wide the types of numbers are: a wider type contains the narrower ones. */
const WIDTH = { bool: -1, nat: 0, int: 1, rat: 2 } as const

export const isNumber = (type: Type): boolean => type !== 'bool'
export const isInteger = (type: Type): boolean => type === 'nat' || type === 'int'
const wider = (left: Type, right: Type): Type => (WIDTH[left as Basic] >= WIDTH[right as Basic] ? left : right)
/** Whether a value of one type may fit the other. */
export const isLike = (type: Type, target: Type): boolean =>
  elementOf(type) || elementOf(target) ? type === target : isNumber(type) === isNumber(target)
const isLogical = (op: string): boolean => op === '->' || op === '|' || op === '&'

/** The type of `left op right`, for operands that are numbers and that the operator accepts. */
function arithmeticType(op: string, left: Type, right: Type): Type {
  switch (op) {
    case '-':
      return wider(wider(left, right), 'int')
    case '/':
      return 'rat'
    case '%':
      return right
    case '^':
      return left
    default:
      return wider(left, right)
  }
}

export const show = (expr: Expr): string => short(printExpression(expr), SHOWN_EXPRESSION_CHARS_MAX)
export const quote = (expr: Expr): string => quoted(show(expr))

/** The type of an expression, which is null where a problem hides it, and the problems. */
export function checkExpression(
  expr: Expr,
  scope: Scope,
  place: ExpressionPlace = FACT,
): { type: Type | null; problems: Finding[] } {
  const checker = new Checker(scope, place)
  return { type: checker.typeOf(expr), problems: checker.problems }
}

/** The problems of an expression of this type at a place where a Boolean must stand. `what` names the place. */
export function notBoolean(expr: Expr, type: Type, what: Arg): Finding[] {
  if (type === 'bool') return []
  const hint: Text | null = isInteger(type) && expr.kind === 'name' ? ['mean', `${show(expr)} != 0`] : null
  return [problem('not-boolean', expr.span, hint, { what, shown: quote(expr), type: [type] })]
}

export class Checker {
  readonly problems: Finding[] = []
  /** The names over which the quantifiers around the expression range. */
  bound: ReadonlyMap<string, Type> = new Map()
  /** The names over which sums and counts range that stand on the left of the expression and do not reach so far. */
  readonly ended = new Set<string>()
  /** The word of the sum or count around the expression, if any. */
  aggregate = ''

  constructor(
    readonly scope: Scope,
    private readonly place: ExpressionPlace,
  ) {}

  report(code: ProblemCode, span: Span, hint: Finding['hint'] = null, details: Details = {}): void {
    this.problems.push(problem(code, span, hint, details))
  }

  typeOf(expr: Expr): Type | null {
    switch (expr.kind) {
      case 'number':
        return expr.value instanceof Rat ? 'rat' : 'nat'
      case 'boolean':
        return 'bool'
      case 'name':
        return this.scalarType(expr.name, this.variableType(expr.name, expr.span), expr.span)
      case 'old':
        return this.scalarType(`old(${expr.name})`, this.entryType(expr.name, expr.span), expr.span)
      case 'unary':
        return this.unaryType(expr)
      case 'binary':
        return this.binaryType(expr)
      case 'compare':
        return this.chainType(expr)
      case 'call':
        return this.callType(expr)
      default:
        return arrayPart()?.typeOf(this, expr) ?? null
    }
  }

  /** The type of a name that stands for a number or a Boolean. */
  private scalarType(name: string, type: Type | null, span: Span): Type | null {
    return type && elementOf(type) ? (arrayPart()?.scalarType(this, name, type, span) ?? null) : type
  }

  variableType(name: string, span: Span): Type | null {
    const { variables, hidden, functions } = this.scope
    const type = this.bound.get(name) ?? variables.get(name)
    if (type) return type
    const code = hidden.get(name)
    if (code) this.report(code, span, HIDDEN_HINTS[code], { name })
    else if (FUNCTIONS.has(name) || functions.has(name))
      this.report('function-not-called', span, ['write', this.callExample(name)], { name })
    else {
      const ended: Text | undefined = this.ended.has(name) ? ['aggregate-ended', name] : lookUp(foreign.WORDS, name)
      this.report('unknown-name', span, ended ?? nearLater(name, variables.keys()), { name })
    }
    return null
  }

  private callExample(name: string): string {
    return FUNCTIONS.get(name)?.example ?? `${name}(${this.scope.functions.get(name)?.params.length ? '…' : ''})`
  }

  private entryType(name: string, span: Span): Type | null {
    const { params } = this.scope
    if (!this.place.old) this.report('old-not-allowed', span)
    const type = params.get(name)
    if (!type) this.report('bad-old', span, params.size ? nearLater(name, params.keys()) : ['no-params'])
    return type ?? null
  }

  /** The type of an expression that may also be an array. */
  valueType(expr: Expr): Type | null {
    if (expr.kind === 'name') return this.variableType(expr.name, expr.span)
    return expr.kind === 'old' ? this.entryType(expr.name, expr.span) : this.typeOf(expr)
  }

  private unaryType(expr: UnaryExpr, given: Text | null = null): Type | null {
    const { op, operand, span } = expr
    const type = this.typeOf(operand)
    if (!type) return op === '!' ? 'bool' : null
    if (op === '!' ? type === 'bool' : type !== 'bool') return type === 'nat' ? 'int' : type
    const details = { shown: quote(operand), type: [type] as const }
    if (op === '!') {
      const hint: Text | null = given ?? (operand.kind === 'name' ? ['is-zero', show(operand)] : null)
      this.report('not-boolean', span, hint, { what: ['after-not'], ...details })
      return 'bool'
    }
    this.report('not-number', span, ['write-not'], { what: ['after-minus'], ...details })
    return null
  }

  private binaryType(expr: BinaryExpr): Type | null {
    const { op, span } = expr
    const left = this.typeOf(expr.left)
    const right = this.typeOf(expr.right)
    const logical = isLogical(op)
    if (!left || !right) return logical ? 'bool' : null
    const report = (code: ProblemCode, hint: Text | null = null): void =>
      this.reportSides(code, op, span, expr.left, left, expr.right, right, hint)
    if (logical) {
      if (left !== 'bool' || right !== 'bool')
        report('needs-booleans', op === '|' && isInteger(left) ? ['divides'] : null)
      return 'bool'
    }
    if (left === 'bool' || right === 'bool') {
      report('needs-numbers')
      return null
    }
    if ((op === '//' || op === '%') && !(isInteger(left) && isInteger(right))) {
      report('needs-integers', op === '//' ? ['exact-quotient'] : null)
      return 'int'
    }
    if (op === '^') this.checkExponent(expr.right, right)
    return arithmeticType(op, left, right)
  }

  private checkExponent(exponent: Expr, type: Type): void {
    const shown = quote(exponent)
    const negative = exponent.kind === 'unary' && exponent.op === '-' && exponent.operand.kind === 'number'
    if (type === 'rat') this.report('bad-exponent', exponent.span, null, { shown, type: [type] })
    else if (negative) this.report('bad-exponent', exponent.span, ['negative-power'], { shown, type: ['negative'] })
  }

  reportSides(
    code: ProblemCode,
    op: string,
    span: Span,
    left: Expr,
    leftType: Type,
    right: Expr,
    rightType: Type,
    hint: Text | null,
  ): void {
    this.report(code, span, hint, {
      op,
      left: quote(left),
      left_type: [leftType],
      right: quote(right),
      right_type: [rightType],
    })
  }

  private chainType(expr: CompareExpr): Type {
    const { operands, ops } = expr
    const types = operands.map((operand, index) => this.operandType(ops[index - 1], operand))
    if (types.some((type) => type && elementOf(type))) {
      arrayPart()?.compared(this, expr, types)
      return 'bool'
    }
    ops.forEach((op, index) => {
      const [left, right] = [operands[index] as Expr, operands[index + 1] as Expr]
      const [leftType, rightType] = [types[index], types[index + 1]]
      if (!leftType || !rightType) return
      const span: Span = ops.length === 1 ? expr.span : [left.span[0], right.span[1]]
      const report = (code: ProblemCode, hint: Text | null = null): void =>
        this.reportSides(code, op, span, left, leftType, right, rightType, hint)
      if (op === '=' || op === '!=') {
        if (isNumber(leftType) !== isNumber(rightType)) report('needs-same-kind')
      } else if (leftType === 'bool' || rightType === 'bool') {
        report('needs-numbers', op === '>=' || op === '<=' ? ['write-implies'] : null)
      }
    })
    return 'bool'
  }

  /**
   * The type of an operand that follows a comparison. `x =! y` is read as `x = !y`, with a hint that `!=` may be meant.
   */
  private operandType(op: string | undefined, operand: Expr): Type | null {
    if (op === '=' && operand.kind === 'unary' && operand.op === '!') return this.unaryType(operand, ['mean', "'!='"])
    return this.valueType(operand)
  }

  private callType(expr: CallExpr): Type | null {
    const { name, span } = expr
    const own = arrayPart()?.callType(this, expr)
    if (own !== undefined) return own
    const called = this.scope.functions.get(name)
    const builtin = FUNCTIONS.get(name)
    const types = expr.args.map((arg) => (builtin ? this.typeOf(arg) : this.valueType(arg)))
    if (builtin) return this.builtinType(expr, builtin, types)
    if (!called) {
      this.reportUnknownFunction(expr)
      return null
    }
    if (this.scope.choosing.has(name) && !this.place.choice) this.report('undetermined', span, null, { name })
    const wanted = called.params.length
    if (types.length !== wanted) {
      const shown = called.params.map((param) => `${param.name}: ${param.type}`).join(', ')
      const details = { function: quoted(name), expected: counted(wanted), found: types.length }
      this.report('argument-count', span, ['as-is', `${name}(${shown})`], details)
    }
    called.params.slice(0, types.length).forEach((param, index) => {
      const type = types[index]
      if (type && !isLike(type, param.type)) this.reportArgument(name, expr.args[index] as Expr, type, [param.type])
    })
    if (!called.result) this.report('no-result', span, ['give-type', name], { name })
    return called.result
  }

  private reportUnknownFunction(expr: CallExpr): void {
    const { name } = expr
    const { variables, functions, level } = this.scope
    const span: Span = [expr.span[0], expr.span[0] + name.length]
    if (name === level) this.report('level-called', span, ['helpers-above'], { name })
    else if (variables.has(name)) this.report('not-a-function', span, ['multiply', name], { name })
    else {
      const part = arrayPart()
      const known = [...FUNCTIONS.keys()].filter((builtin) => !part?.functions.has(builtin))
      if ([...variables.values()].some(elementOf)) known.push('len')
      const own = known.at(-1) === 'len' ? part?.foreign(name) : undefined
      const hint = own ?? lookUp(foreign.FUNCTIONS, name) ?? nearLater(name, [...known, ...functions.keys()])
      this.report('unknown-function', span, hint, { name })
    }
  }

  private builtinType(expr: CallExpr, builtin: Builtin, types: readonly (Type | null)[]): Type | null {
    const { name, arguments_min: least, arguments_max: most } = builtin
    const fixed: Type | null = name === 'ispow' ? 'bool' : name === 'gcd' ? 'nat' : null
    if (types.length < least || (most !== null && types.length > most)) {
      const expected: Text = most ? counted(least) : ['arguments-min', least]
      this.report('argument-count', expr.span, ['write', builtin.example], {
        function: quoted(name),
        expected,
        found: types.length,
      })
      return fixed
    }
    types.forEach((type, index) => {
      if (type === 'bool') this.reportArgument(name, expr.args[index] as Expr, type, ['number'])
      else if (type === 'rat' && fixed) this.reportArgument(name, expr.args[index] as Expr, type, ['integer'])
    })
    if (fixed) return fixed
    const widest = types.reduce(
      (soFar, type) => (soFar && type && type !== 'bool' ? wider(soFar, type) : null),
      'nat' as Type | null,
    )
    return name === 'abs' && widest === 'int' ? 'nat' : widest
  }

  reportArgument(name: string, argument: Expr, type: Type, expected: Arg): void {
    this.report('argument-type', argument.span, null, {
      function: quoted(name),
      expected,
      shown: quote(argument),
      type: [type],
    })
  }
}

export const counted = (count: number): Text => (count === 1 ? ['one-argument'] : ['arguments', count])
