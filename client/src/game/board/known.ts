// Whether a draft says no more than a fact that is known already. This is a preview, so it may miss much, but what it
// says is true: it compares polynomials in the variables, and knows that one bound is weaker than another.

import { type Expr, parseExpression, SipError, type Type } from '../../core'
import type { Fact } from '../../wire'

/** A polynomial with whole coefficients: the product of names, in order, → its coefficient. `` is the constant. */
type Polynomial = ReadonlyMap<string, bigint>
/** `p = 0` or `p >= 0`. */
type Normal = { readonly relation: '=' | '>='; readonly p: Polynomial }

/** How many terms a polynomial may have. Longer ones are not compared. */
const TERMS_MAX = 60
/** The highest power that is multiplied out. */
const POWER_MAX = 6

/** The first of the facts that implies the draft by itself; null where none is seen to. */
export function impliedBy<F extends Fact>(
  draft: Expr,
  facts: readonly F[],
  types: ReadonlyMap<string, Type>,
): F | null {
  const wanted = conjuncts(draft).map((part) => normal(part, types))
  return facts.find((fact) => isImplied(wanted, parsed(fact.expression), types)) ?? null
}

function isImplied(wanted: readonly (Normal[] | null)[], fact: Expr | null, types: ReadonlyMap<string, Type>): boolean {
  if (!fact) return false
  const known = conjuncts(fact).flatMap((part) => normal(part, types) ?? [])
  return (
    wanted.length > 0 &&
    wanted.every((parts) => parts?.every((part) => known.some((one) => implies(one, part))) ?? false)
  )
}

function parsed(text: string): Expr | null {
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return null
  }
}

const conjuncts = (expr: Expr): Expr[] =>
  expr.kind === 'binary' && expr.op === '&' ? [...conjuncts(expr.left), ...conjuncts(expr.right)] : [expr]

/** A comparison of whole numbers in normal form, a chain as several; null for everything else. */
function normal(expr: Expr, types: ReadonlyMap<string, Type>): Normal[] | null {
  if (expr.kind !== 'compare') return null
  const sides = expr.operands.map((side) => polynomial(side, types))
  const parts = expr.ops.map((op, index) => compared(op, sides[index] ?? null, sides[index + 1] ?? null))
  return parts.every((part) => part !== null) ? parts : null
}

/** `a op b` for whole numbers: `a < b` is `b - a - 1 >= 0`. */
function compared(op: string, a: Polynomial | null, b: Polynomial | null): Normal | null {
  if (!a || !b) return null
  switch (op) {
    case '=':
      return { relation: '=', p: plus(a, b, -1n) }
    case '<=':
      return { relation: '>=', p: plus(b, a, -1n) }
    case '>=':
      return { relation: '>=', p: plus(a, b, -1n) }
    case '<':
      return { relation: '>=', p: plus(plus(b, a, -1n), constant(1n), -1n) }
    case '>':
      return { relation: '>=', p: plus(plus(a, b, -1n), constant(1n), -1n) }
    default:
      return null
  }
}

/** Whether one relation implies another, because both are about the same polynomial up to its constant. */
function implies(known: Normal, wanted: Normal): boolean {
  if (wanted.relation === '=')
    return known.relation === '=' && (equal(known.p, wanted.p) || equal(known.p, negated(wanted.p)))
  const candidates = known.relation === '=' ? [known.p, negated(known.p)] : [known.p]
  // From p >= 0 follows p + d >= 0 for every d that is not negative.
  return candidates.some((p) => {
    const rest = plus(wanted.p, p, -1n)
    return rest.size === 0 || (rest.size === 1 && (rest.get('') ?? -1n) >= 0n)
  })
}

const constant = (value: bigint): Polynomial => new Map(value ? [['', value]] : [])
const negated = (p: Polynomial): Polynomial => plus(new Map(), p, -1n)
const equal = (a: Polynomial, b: Polynomial): boolean => plus(a, b, -1n).size === 0

function plus(a: Polynomial, b: Polynomial, factor: bigint): Polynomial {
  const sum = new Map(a)
  for (const [term, coefficient] of b) {
    const next = (sum.get(term) ?? 0n) + factor * coefficient
    if (next) sum.set(term, next)
    else sum.delete(term)
  }
  return sum
}

function times(a: Polynomial, b: Polynomial): Polynomial | null {
  if (a.size * b.size > TERMS_MAX * TERMS_MAX) return null
  let product: Polynomial = new Map()
  for (const [left, x] of a)
    for (const [right, y] of b) {
      const term = [...left.split('*'), ...right.split('*')].filter(Boolean).sort().join('*')
      product = plus(product, new Map([[term, x * y]]), 1n)
    }
  return product.size > TERMS_MAX ? null : product
}

/** An expression as a polynomial; null where it is none, or may have no value, or is not about whole numbers. */
function polynomial(expr: Expr, types: ReadonlyMap<string, Type>): Polynomial | null {
  switch (expr.kind) {
    case 'number':
      return typeof expr.value === 'object' ? null : constant(BigInt(expr.value))
    case 'name': {
      const type = types.get(expr.name)
      return type === 'int' || type === 'nat' ? new Map([[expr.name, 1n]]) : null
    }
    case 'unary': {
      const inner = expr.op === '-' ? polynomial(expr.operand, types) : null
      return inner && negated(inner)
    }
    case 'binary':
      return combined(expr.op, polynomial(expr.left, types), polynomial(expr.right, types))
    default:
      return null
  }
}

function combined(op: string, a: Polynomial | null, b: Polynomial | null): Polynomial | null {
  if (!a || !b) return null
  if (op === '+') return plus(a, b, 1n)
  if (op === '-') return plus(a, b, -1n)
  if (op === '*') return times(a, b)
  if (op !== '^' || [...b.keys()].some(Boolean)) return null
  const power = Number(b.get('') ?? 0n)
  if (power < 1 || power > POWER_MAX) return null
  let result: Polynomial | null = a
  for (let count = 1; count < power && result; count++) result = times(result, a)
  return result
}
