// Turns helper functions into closures, so that expressions that call them are evaluated without a request. What
// helpers may spend on one row is bounded as in Python: steps, calls inside each other, prints.

import {
  type CallCompiler,
  type Cause,
  type CompiledExpression,
  Compiler,
  type Row,
  Stop,
  useStep,
} from '../running/compiler'
import { ARRAY_CELLS_MAX, CALL_DEPTH_MAX, PRINTED_CHARS_MAX, PRINTS_MAX, VARIABLE_BITS_MAX } from '../limits'
import { type Cells, formatValue, less, type Num, Rat, type Scalar, size, type Value } from '../running/numbers'
import { type CallExpr, elementOf, type Expr, type Type } from '../syntax'
import type { Helpers } from '../running/trace'
import type { FunctionInfo, ProgramInfo } from './analysis'
import type { Block, SetStmt, Stmt, SwapStmt, WhileStmt } from './syntax'

type Frame = Value[]
/** How a statement was left, where a break or a return did that. */
type Exit = 'break' | 'return' | undefined
type CompiledStatement = (frame: Frame) => Exit
type Callable = (args: Frame, site: Site) => Value
/** What a call can be stopped by at the place of the call. */
type Site = { readonly depth: Stop; readonly steps: Stop; readonly pre: Stop }

/**
 * If evaluating a pre stops for one of these causes, the pre does not hold. Any other cause ends the whole evaluation.
 */
const FAILED = new Set<Cause>([
  'assert',
  'post',
  'invariant',
  'narrowing',
  'zero-divisor',
  'negative-exponent',
  'callee-pre',
  'index',
])

const zero = (type: Type): Value => (elementOf(type) ? [] : type === 'bool' ? false : 0)

export class CompiledHelpers implements Helpers {
  readonly functions: Helpers['functions']
  readonly choosing: Helpers['choosing']
  private readonly compiled = new Map<string, Callable>()
  private depth = 0
  private lines = 0
  private chars = 0

  constructor(private readonly info: ProgramInfo) {
    this.functions = new Map([...info.functions].map(([name, functionInfo]) => [name, functionInfo.function]))
    this.choosing = info.choosing
  }

  readonly refuel = (): void => {
    this.depth = this.lines = this.chars = 0
  }

  readonly calls: CallCompiler = (call, compiler) => {
    const { params } = (this.info.functions.get(call.name) as FunctionInfo).function
    const args = call.args.map((arg, index) => stored(compiler, arg, (params[index] as { type: Type }).type))
    const stopFor = (cause: Cause): Stop => compiler.stop(cause, call.span)
    const site: Site = { depth: stopFor('call-depth'), steps: stopFor('steps'), pre: stopFor('callee-pre') }
    return (row) => {
      const values = args.map((arg) => arg(row))
      return this.callable(call)(values, site)
    }
  }

  /** A function is compiled at its first call, because it may call itself. */
  private callable({ name }: CallExpr): Callable {
    const known = this.compiled.get(name)
    if (known) return known
    const made = this.compile(this.info.functions.get(name) as FunctionInfo)
    this.compiled.set(name, made)
    return made
  }

  print(values: readonly Value[], stop: Stop): void {
    if (this.lines >= PRINTS_MAX) throw stop
    this.lines++
    this.chars += values.map(formatValue).join(' ').length
    if (this.chars > PRINTED_CHARS_MAX) throw stop
  }

  private compile(info: FunctionInfo): Callable {
    const { function: called, variables } = info
    const names = [...variables.keys()]
    const slots = new Map(names.map((name, index) => [name, index]))
    const olds = new Map(
      called.params.map(({ name }, index) => [name, (frame: Row) => frame[names.length + index] as Value]),
    )
    const compiler = new Compiler({ slots, olds }, this.calls, called.name)
    const statements = new StatementCompiler(compiler, this, info, slots)
    const zeros = [...variables.values()].map(zero)
    const pres = called.pres.map((pre) => compiler.code(pre))
    const body = statements.block(called.body)
    const posts = called.posts.map((post) => statements.require(post, 'post'))
    const result = slots.get('result')
    return (args, site) => {
      if (++this.depth > CALL_DEPTH_MAX) throw site.depth
      useStep(site.steps)
      const frame = [...args, ...zeros.slice(args.length), ...args]
      for (const pre of pres) if (!this.holds(pre, frame)) throw site.pre
      body(frame)
      for (const post of posts) post(frame)
      this.depth--
      return result === undefined ? false : (frame[result] as Value)
    }
  }

  /** Whether a pre holds. A pre that cannot be evaluated does not hold. */
  private holds(pre: CompiledExpression, frame: Frame): boolean {
    try {
      return pre(frame) as boolean
    } catch (stop) {
      if (!(stop instanceof Stop) || !FAILED.has(stop.cause)) throw stop
      return false
    }
  }
}

/** Computes a value that is to be stored in a variable of the target type, and stops if it does not fit. */
function stored(compiler: Compiler, expr: Expr, target: Type): CompiledExpression {
  const code = compiler.code(expr)
  if (target === 'bool' || elementOf(target)) return code
  const misfit = compiler.stop('narrowing', expr.span)
  const large = compiler.stop('number-too-large', expr.span)
  return (row) => {
    const value = code(row) as Num
    if (target !== 'rat' && (value instanceof Rat || (target === 'nat' && less(value, 0)))) throw misfit
    if (typeof value !== 'number' && size(value) > VARIABLE_BITS_MAX) throw large
    return value
  }
}

class StatementCompiler {
  constructor(
    private readonly compiler: Compiler,
    private readonly helpers: CompiledHelpers,
    private readonly info: FunctionInfo,
    private readonly slots: ReadonlyMap<string, number>,
  ) {}

  block(block: Block): CompiledStatement {
    const actions = block.statements.map((statement) => this.statement(statement))
    return (frame) => {
      for (const action of actions) {
        const exit = action(frame)
        if (exit) return exit
      }
      return undefined
    }
  }

  require(condition: Expr, cause: Cause): CompiledStatement {
    const code = this.compiler.code(condition)
    const stop = this.compiler.stop(cause, condition.span)
    return (frame) => {
      if (!code(frame)) throw stop
      return undefined
    }
  }

  private store(name: string, value: Expr, exit?: Exit): CompiledStatement {
    const slot = this.slots.get(name) as number
    const code = stored(this.compiler, value, this.info.variables.get(name) as Type)
    return (frame) => {
      frame[slot] = code(frame)
      return exit
    }
  }

  private statement(statement: Stmt): CompiledStatement {
    switch (statement.kind) {
      case 'var':
        return this.declaration(
          statement.names.map((variable) => variable.name),
          statement.type,
          statement.value,
          statement.length,
        )
      case 'assign':
        return this.store(statement.target.name, statement.value)
      case 'set':
        return this.setCell(statement)
      case 'swap':
        return this.swap(statement)
      case 'return':
        return this.store('result', statement.value, 'return')
      case 'break':
        return () => 'break'
      case 'if': {
        const branches = statement.branches.map((branch) => ({
          test: this.compiler.code(branch.test),
          body: this.block(branch.body),
        }))
        const otherwise = this.block(statement.otherwise)
        return (frame) => (branches.find((branch) => branch.test(frame))?.body ?? otherwise)(frame)
      }
      case 'while':
        return this.loop(statement)
      case 'print': {
        const values = statement.values.map((value) => this.compiler.code(value))
        const stop = this.compiler.stop('prints', statement.span)
        return (frame) => {
          this.helpers.print(
            values.map((value) => value(frame)),
            stop,
          )
          return undefined
        }
      }
      case 'assume':
      case 'assert':
        return this.require(statement.condition, statement.kind)
      case 'claim':
        return () => undefined
      case 'cassign':
        throw new Error('the checker lets no expression call a helper that makes choices')
    }
  }

  private declaration(
    names: readonly string[],
    type: Type,
    value: Expr | null,
    length: Expr | null,
  ): CompiledStatement {
    const slots = names.map((name) => this.slots.get(name) as number)
    const code = value
      ? stored(this.compiler, value, type)
      : length
        ? this.zeros(length, elementOf(type) as Type)
        : () => zero(type)
    return (frame) => {
      const given = code(frame)
      for (const slot of slots) frame[slot] = given
      return undefined
    }
  }

  /** An array of zeros. */
  private zeros(length: Expr, element: Type): CompiledExpression {
    const code = stored(this.compiler, length, 'nat')
    const long = this.compiler.stop('array-too-long', length.span)
    return (frame) => {
      const count = code(frame) as Num
      if (less(ARRAY_CELLS_MAX, count)) throw long
      return new Array<Scalar>(count as number).fill(zero(element) as Scalar)
    }
  }

  /** Arrays never change, because other variables hold them, too. */
  private setCell({ array, index, value, span }: SetStmt): CompiledStatement {
    const slot = this.slots.get(array.name) as number
    const element = elementOf(this.info.variables.get(array.name) as Type) as Type
    const place = this.compiler.code(index)
    const code = stored(this.compiler, value, element)
    const outside = this.compiler.stop('index', span)
    return (frame) => {
      const at = Number(place(frame))
      const held = code(frame) as Scalar
      const cells = frame[slot] as Cells
      if (cells[at] === undefined) throw outside
      frame[slot] = cells.map((cell, index) => (index === at ? held : cell))
      return undefined
    }
  }

  private swap({ array, left, right, span }: SwapStmt): CompiledStatement {
    const slot = this.slots.get(array.name) as number
    const [first, second] = [this.compiler.code(left), this.compiler.code(right)]
    const outside = this.compiler.stop('index', span)
    return (frame) => {
      const [i, j] = [Number(first(frame)), Number(second(frame))]
      const cells = frame[slot] as Cells
      const [a, b] = [cells[i], cells[j]]
      if (a === undefined || b === undefined) throw outside
      frame[slot] = cells.map((cell, index) => (index === i ? b : index === j ? a : cell))
      return undefined
    }
  }

  private loop(loop: WhileStmt): CompiledStatement {
    const { compiler } = this
    const stop = compiler.stop('steps', loop.test.span)
    const invariant = loop.invariant ? this.require(loop.invariant, 'invariant') : () => undefined
    const test = compiler.code(loop.test)
    const body = this.block(loop.body)
    return (frame) => {
      for (;;) {
        useStep(stop)
        invariant(frame)
        if (!test(frame)) return undefined
        const exit = body(frame)
        if (exit) return exit === 'return' ? exit : undefined
      }
    }
  }
}
