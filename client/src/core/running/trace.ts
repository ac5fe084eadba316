// What a text means on every row of a trace. This colours the rows of the game at every keystroke, without a request.

import { checkExpression, type Hidden, notBoolean, type Scope } from '../checking/checker'
import { lacksArrays } from '../extension'
import { EVALUATION_STEPS_MAX } from '../limits'
import { type CallCompiler, type CompiledExpression, Compiler, fuel, type Row, Stop } from './compiler'
import { parseValue, type Scalar } from './numbers'
import { parseExpression } from '../text/parser'
import { printExpression } from '../text/printer'
import { type Expr, expressions, type Signature, type Type } from '../syntax'
import { type Problem, SipError } from '../problems'

/** Helpers that expressions may call. program/index.ts makes them from the text of a program. */
export type Helpers = {
  readonly functions: ReadonlyMap<string, Signature>
  readonly choosing: ReadonlySet<string>
  readonly calls: CallCompiler
  /** Restores what helpers may spend, before the next row. */
  readonly refuel: () => void
}

const NO_HELPERS: Helpers = {
  functions: new Map(),
  choosing: new Set(),
  calls: (call) => {
    throw new Error(`the checker let a call of ${call.name} pass`)
  },
  refuel: () => {},
}

/** A trace as it comes from the server. Numbers are strings. */
export type TraceData = {
  readonly columns: readonly string[]
  readonly types: Readonly<Record<string, Type>>
  readonly rows: readonly (readonly string[])[]
  /** The level's parameters, for old(x), and their entry values. */
  readonly params?: Readonly<Record<string, Type>>
  readonly old?: Readonly<Record<string, string>>
  /** The level, where it may not be called: at a loop of a helper. */
  readonly uncalled?: string
  /** Names of the program that are not visible at this loop → the code of the problem. */
  readonly hidden?: Readonly<Record<string, Hidden>>
}

/** A trace whose values have been parsed. */
export class Trace {
  readonly rows: readonly Row[]
  readonly scope: Scope
  private readonly slots: ReadonlyMap<string, number>
  private readonly olds: ReadonlyMap<string, CompiledExpression>

  constructor(
    data: TraceData,
    readonly helpers: Helpers = NO_HELPERS,
  ) {
    const { columns, params = {}, old = {}, uncalled = '' } = data
    const types = columns.map((name) => data.types[name] as Type)
    this.rows = data.rows.map((row) => row.map((text, index) => parseValue(text, types[index] as Type)))
    this.slots = new Map(columns.map((name, index) => [name, index]))
    this.olds = new Map(
      Object.entries(old).map(([name, text]) => {
        const value = parseValue(text, params[name] as Type)
        return [name, () => value]
      }),
    )
    this.scope = {
      variables: new Map(columns.map((name, index) => [name, types[index] as Type])),
      params: new Map(Object.entries(params)),
      functions: uncalled ? new Map([...helpers.functions].filter(([name]) => name !== uncalled)) : helpers.functions,
      choosing: helpers.choosing,
      hidden: new Map(Object.entries(data.hidden ?? {})),
      level: uncalled,
    }
  }

  /** Whether this trace has the value of every old(x) in the expression. */
  knowsOlds(expr: Expr): boolean {
    return expressions(expr).every((inner) => inner.kind !== 'old' || this.olds.has(inner.name))
  }

  /** The value of a checked expression in each row. */
  values(expr: Expr): (Scalar | Stop)[] {
    const value = this.evaluator(expr)
    return this.rows.map((_, index) => value(index))
  }

  /** A checked expression as a function from the index of a row to its value there. */
  evaluator(expr: Expr): (row: number) => Scalar | Stop {
    const code = this.compiler().code(expr)
    return (row) => this.at(row, code)
  }

  compiler(): Compiler {
    return new Compiler({ slots: this.slots, olds: this.olds }, this.helpers.calls)
  }

  /** The value of compiled code in the row with this index. */
  at(row: number, code: CompiledExpression): Scalar | Stop {
    fuel.steps = EVALUATION_STEPS_MAX
    this.helpers.refuel()
    try {
      return code(this.rows[row] as Row) as Scalar
    } catch (stop) {
      return stopOf(stop)
    }
  }
}

/** What stopped an evaluation. The browser's stack may be used up before the calls of a helper reach their bound. */
function stopOf(thrown: unknown): Stop {
  if (thrown instanceof Stop) return thrown
  if (thrown instanceof RangeError) return new Stop('call-depth', [0, 0], null)
  throw thrown
}

export type CheckedExpression = {
  readonly ok: true
  readonly expr: Expr
  readonly type: Type
  readonly canonical: string
}
export type Refusal = { readonly ok: false; readonly problems: readonly Problem[]; readonly more: number }

/** Reads a text as a checked expression, or returns everything that is wrong with it. */
export function readExpression(text: string, scope: Scope): CheckedExpression | Refusal {
  // A text that cannot be read yet has no problems that could be told.
  if (lacksArrays(text, scope.variables.values())) return { ok: false, problems: [], more: 0 }
  try {
    const expr = parseExpression(text)
    const { type, problems } = checkExpression(expr, scope)
    if (problems.length || !type) throw new SipError(problems)
    return { ok: true, expr, type, canonical: printExpression(expr) }
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return { ok: false, problems: error.problems, more: error.more }
  }
}

/** The problems of a checked expression as a proposal: it must be Boolean. */
export function proposalProblems(reading: CheckedExpression): readonly Problem[] {
  const findings = notBoolean(reading.expr, reading.type, ['a-proposal'])
  return findings.length ? new SipError(findings).problems : []
}

export type Coloured = CheckedExpression & {
  /** One value for each row, or the Stop that says why there is none. */
  readonly values: readonly (Scalar | Stop)[]
  /** The number of rows in which a Boolean expression is true or a numeric one has a value. */
  readonly holds: number
  /** The index of the first row that is not one of these, or -1. */
  readonly firstFailing: number
}

/** Evaluates the expression that a text denotes on every row, or returns what is wrong with the text. */
export function colour(trace: Trace, text: string): Coloured | Refusal {
  const reading = readExpression(text, trace.scope)
  if (!reading.ok) return reading
  const values = trace.values(reading.expr)
  let holds = 0
  let firstFailing = -1
  values.forEach((value, index) => {
    if (!fails(value)) holds++
    else if (firstFailing < 0) firstFailing = index
  })
  return { ...reading, values, holds, firstFailing }
}

/** Whether the expression is false in a row or has no value there. */
export const fails = (value: Scalar | Stop): boolean => value === false || value instanceof Stop

/**
 * The index of the next failing row after this one. After the last row the search starts again; -1 where no row fails.
 */
export function nextFailing(values: readonly (Scalar | Stop)[], after: number): number {
  const later = values.findIndex((value, index) => index > after && fails(value))
  return later < 0 ? values.findIndex(fails) : later
}

export type Subexpression = { readonly expr: Expr; readonly text: string; readonly type: Type }

/** The parts of an expression that are worth a column of their own, in the order of the text. */
export function subexpressions(expr: Expr, scope: Scope): Subexpression[] {
  const partsByText = new Map<string, Subexpression>()
  for (const inner of expressions(expr)) {
    if (inner === expr || inner.kind === 'number' || inner.kind === 'boolean' || inner.kind === 'name') continue
    const text = printExpression(inner)
    const { type } = checkExpression(inner, scope)
    if (type && !partsByText.has(text)) partsByText.set(text, { expr: inner, text, type })
  }
  return [...partsByText.values()]
}
