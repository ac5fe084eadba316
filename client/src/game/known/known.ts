// Whether a draft says no more than a fact that is known already. This is a preview, so it may miss much, but what it
// says is true: the fact and the opposite of the draft contradict each other in every case that they allow.

import { type Expr, parseExpression, SipError } from '../../core'
import type { Fact } from '../../wire'
import { contradict, Factors, type Inequality, negated, plus, type Polynomial, type Types } from './linear'

/** One case that an expression allows: what is true in it. */
type Case = { readonly inequalities: readonly Inequality[]; readonly flags: ReadonlyMap<string, boolean> }

/** How many cases an expression may have. Longer ones are not compared. */
const CASES_MAX = 16
const ANYTHING: Case = { inequalities: [], flags: new Map() }

/** The first of the facts that implies the draft by itself; null where none is seen to. */
export function impliedBy<F extends Fact>(draft: Expr, facts: readonly F[], types: Types): F | null {
  const factors = new Factors(types)
  const reader = new Reader(types, factors)
  const against = reader.cases(draft, false)
  if (reader.missed || against.length > CASES_MAX) return null
  // What is always true follows from every fact, and says nothing about any.
  if (against.every((one) => isImpossible(one, factors))) return null
  return facts.find((fact) => follows(parsed(fact.expression), against, types, factors)) ?? null
}

function follows(fact: Expr | null, against: readonly Case[], types: Types, factors: Factors) {
  if (!fact) return false
  // What is not understood of a fact is left out: then it says less, and what follows from less follows from it.
  const known = new Reader(types, factors).cases(fact, true)
  return both(known, against)?.every((one) => isImpossible(one, factors)) ?? false
}

function parsed(text: string): Expr | null {
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return null
  }
}

/** Reads expressions as the cases that they allow. */
class Reader {
  /** Whether something was not understood. It was taken to allow everything. */
  missed = false

  constructor(
    private readonly types: Types,
    private readonly factors: Factors,
  ) {}

  /** The cases in which the expression is true, or false where that is wanted. */
  cases(expr: Expr, wanted: boolean): readonly Case[] {
    switch (expr.kind) {
      case 'boolean':
        return expr.value === wanted ? [ANYTHING] : []
      case 'name':
      case 'old':
        return this.isTruth(expr)
          ? [{ inequalities: [], flags: new Map([[`${expr.kind} ${expr.name}`, wanted]]) }]
          : this.anything()
      case 'unary':
        return expr.op === '!' ? this.cases(expr.operand, !wanted) : this.anything()
      case 'binary':
        return this.joined(expr.op, expr.left, expr.right, wanted)
      case 'compare': {
        const pairs = expr.ops.map((op, index) =>
          this.compared(op, expr.operands[index] ?? expr, expr.operands[index + 1] ?? expr, wanted),
        )
        return wanted ? this.all(pairs) : pairs.flat()
      }
      default:
        return this.anything()
    }
  }

  private joined(op: string, left: Expr, right: Expr, wanted: boolean): readonly Case[] {
    if (op !== '&' && op !== '|' && op !== '->') return this.anything()
    const sides = [this.cases(left, wanted !== (op === '->')), this.cases(right, wanted)]
    return wanted === (op === '&') ? this.all(sides) : sides.flat()
  }

  /** `a op b` for two numbers or two truths. */
  private compared(op: string, a: Expr, b: Expr, wanted: boolean): readonly Case[] {
    if (this.isTruth(a) && this.isTruth(b)) {
      const same = (op === '=') === wanted
      return [true, false].flatMap((left) => this.all([this.cases(a, left), this.cases(b, left === same)]))
    }
    const [x, y] = [this.factors.polynomial(a), this.factors.polynomial(b)]
    if (!x || !y) return this.anything()
    const p = plus(y, x, -1n)
    switch (op) {
      case '=':
      case '!=':
        return (op === '=') === wanted ? [holds(p, false, negated(p))] : [holds(p, true), holds(negated(p), true)]
      case '<=':
      case '<':
        return wanted ? [holds(p, op === '<')] : [holds(negated(p), op === '<=')]
      case '>=':
      case '>':
        return wanted ? [holds(negated(p), op === '>')] : [holds(p, op === '>=')]
      default:
        return this.anything()
    }
  }

  private isTruth(expr: Expr): boolean {
    if (expr.kind === 'name') return this.types.variables.get(expr.name) === 'bool'
    if (expr.kind === 'old') return this.types.params.get(expr.name) === 'bool'
    if (expr.kind === 'binary') return ['&', '|', '->'].includes(expr.op)
    return expr.kind === 'boolean' || expr.kind === 'compare' || (expr.kind === 'unary' && expr.op === '!')
  }

  private all(sides: readonly (readonly Case[])[]): readonly Case[] {
    return sides.reduce((left, right) => both(left, right) ?? this.anything(), [ANYTHING])
  }

  private anything(): readonly Case[] {
    this.missed = true
    return [ANYTHING]
  }
}

/** `p >= 0`, or `p > 0` where that is strict, and the same of another polynomial. */
const holds = (p: Polynomial, strict: boolean, ...others: readonly Polynomial[]): Case => ({
  inequalities: [p, ...others].map((one) => ({ p: one, strict })),
  flags: new Map(),
})

/** The cases that both allow; null where they are too many. Cases with a flag that is true and false are none. */
function both(left: readonly Case[], right: readonly Case[]): readonly Case[] | null {
  if (left.length * right.length > CASES_MAX) return null
  return left.flatMap((a) =>
    right.flatMap((b) =>
      [...a.flags].some(([name, value]) => b.flags.has(name) && b.flags.get(name) !== value)
        ? []
        : [{ inequalities: [...a.inequalities, ...b.inequalities], flags: new Map([...a.flags, ...b.flags]) }],
    ),
  )
}

const isImpossible = ({ inequalities }: Case, factors: Factors): boolean => contradict(inequalities, factors)
