// Linear arithmetic over the products of variables that occur: whether some inequalities contradict each other. It is a
// sound and small part of what a prover does: where it sees a contradiction there is one, and it may miss much.

import { elementOf, type Expr, type Scope, type Type } from '../../core'

/** A polynomial with whole coefficients: the product of factors, in order, → its coefficient. `` is the constant. */
export type Polynomial = ReadonlyMap<string, bigint>
/** `p >= 0`, or `p > 0` where it is strict. */
export type Inequality = { readonly p: Polynomial; readonly strict: boolean }

/** How many terms a polynomial may have. Longer ones are not looked at. */
const TERMS_MAX = 60
/** The highest power that is multiplied out. */
const POWER_MAX = 6
/** How many inequalities there may be at a time. Where eliminating a term makes more, nothing is said. */
const INEQUALITIES_MAX = 40
/** The functions of whole numbers whose value is always there and whole. */
const WHOLE_FUNCTIONS: ReadonlySet<string> = new Set(['abs', 'min', 'max', 'gcd'])

export const constant = (value: bigint): Polynomial => new Map(value ? [['', value]] : [])
export const negated = (p: Polynomial): Polynomial => plus(new Map(), p, -1n)

export function plus(a: Polynomial, b: Polynomial, factor: bigint): Polynomial {
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
      const term = [...factors(left), ...factors(right)].sort().join('*')
      product = plus(product, new Map([[term, x * y]]), 1n)
    }
  return product.size > TERMS_MAX ? null : product
}

const factors = (term: string): string[] => term.split('*').filter(Boolean)
const scaled = (p: Polynomial, by: bigint): Polynomial => plus(new Map(), p, by)

/** The types of the variables, and of the parameters for `old`. */
export type Types = Pick<Scope, 'variables' | 'params'>

/** The factors of which polynomials are made: variables, their old values, and calls and remainders as they are. */
export class Factors {
  private readonly types = new Map<string, Type>()
  private readonly others = new Map<string, string>()

  constructor(private readonly known: Types) {}

  /** An expression as a polynomial; null where it is none, or may have no value. */
  polynomial(expr: Expr): Polynomial | null {
    switch (expr.kind) {
      case 'number':
        return typeof expr.value === 'object' ? null : constant(BigInt(expr.value))
      case 'name':
        return this.variable(expr.name, this.known.variables.get(expr.name))
      case 'old':
        return this.variable(`old ${expr.name}`, this.known.params.get(expr.name))
      case 'unary': {
        const inner = expr.op === '-' ? this.polynomial(expr.operand) : null
        return inner && negated(inner)
      }
      case 'binary':
        return this.combined(expr.op, this.polynomial(expr.left), this.polynomial(expr.right))
      case 'call':
        return WHOLE_FUNCTIONS.has(expr.name)
          ? this.other(
              expr.name,
              expr.args.map((argument) => this.polynomial(argument)),
            )
          : null
      default:
        return null
    }
  }

  /** Whether all factors of all terms are whole numbers. */
  isWhole = (p: Polynomial): boolean =>
    [...p.keys()].every((term) => factors(term).every((factor) => this.types.get(factor) !== 'rat'))

  /** Whether a product cannot be negative: every factor that is not squared is a nat. */
  isNatural(term: string): boolean {
    const all = factors(term)
    return all.every(
      (factor) => this.types.get(factor) === 'nat' || all.filter((one) => one === factor).length % 2 === 0,
    )
  }

  private variable(factor: string, type: Type | undefined): Polynomial | null {
    if (!type || type === 'bool' || elementOf(type)) return null
    this.types.set(factor, type)
    return new Map([[factor, 1n]])
  }

  /** A value of which only this is known: it is whole, and the same for the same operands. */
  private other(name: string, operands: readonly (Polynomial | null)[]): Polynomial | null {
    if (!operands.every((operand) => operand !== null && this.isWhole(operand))) return null
    const key = [name, ...operands.map((operand) => [...(operand ?? [])].map(String).sort().join(';'))].join('|')
    const factor = this.others.get(key) ?? `#${this.others.size}`
    this.others.set(key, factor)
    this.types.set(factor, name === 'abs' || name === 'gcd' ? 'nat' : 'int')
    return new Map([[factor, 1n]])
  }

  private combined(op: string, a: Polynomial | null, b: Polynomial | null): Polynomial | null {
    if (!a || !b) return null
    if (op === '+') return plus(a, b, 1n)
    if (op === '-') return plus(a, b, -1n)
    if (op === '*') return times(a, b)
    // What follows needs a number at its right.
    if ([...b.keys()].some(Boolean)) return null
    const right = b.get('') ?? 0n
    if (op === '%' || op === '//') return right ? this.other(op, [a, b]) : null
    if (op !== '^' || right < 1n || right > BigInt(POWER_MAX)) return null
    let result: Polynomial | null = a
    for (let count = 1n; count < right && result; count++) result = times(result, a)
    return result
  }
}

/** Whether no values satisfy all of these, as far as eliminating one term after the other shows it. */
export function contradict(inequalities: readonly Inequality[], made: Factors): boolean {
  const terms = new Set(inequalities.flatMap(({ p }) => [...p.keys()].filter(Boolean)))
  const natural = [...terms].filter((term) => made.isNatural(term))
  const all = [...inequalities, ...natural.map((term) => ({ p: new Map([[term, 1n]]), strict: false }))]
  let left: Inequality[] = []
  for (const inequality of all) {
    const simple = simplified(inequality, made)
    if (simple === 'false') return true
    if (simple !== 'true') left.push(simple)
  }
  for (const term of terms) {
    const next = eliminated(left, term, made)
    if (typeof next === 'string') return next === 'false'
    left = next
  }
  return false
}

/** The inequalities without a term; `false` where they contradict each other, `unknown` where they get too many. */
function eliminated(all: readonly Inequality[], term: string, made: Factors): Inequality[] | 'false' | 'unknown' {
  const coefficient = ({ p }: Inequality): bigint => p.get(term) ?? 0n
  const left = all.filter((one) => !coefficient(one))
  const below = all.filter((one) => coefficient(one) > 0n)
  const above = all.filter((one) => coefficient(one) < 0n)
  if (left.length + below.length * above.length > INEQUALITIES_MAX) return 'unknown'
  for (const low of below)
    for (const high of above) {
      const p = plus(scaled(low.p, -coefficient(high)), high.p, coefficient(low))
      const simple = simplified({ p, strict: low.strict || high.strict }, made)
      if (simple === 'false') return 'false'
      if (simple !== 'true') left.push(simple)
    }
  return left
}

/** An inequality in smallest numbers. Whole numbers above 0 are at least 1, and bounds of them are whole. */
function simplified({ p, strict }: Inequality, made: Factors): Inequality | 'true' | 'false' {
  const rest = p.get('') ?? 0n
  if (p.size === (rest ? 1 : 0)) return rest > 0n || (rest === 0n && !strict) ? 'true' : 'false'
  const divisor = [...p].filter(([term]) => term).reduce((common, [, value]) => greatest(common, value), 0n)
  if (made.isWhole(p)) {
    const bound = floorDivided(strict ? rest - 1n : rest, divisor)
    const terms = [...p].filter(([term]) => term).map(([term, value]) => [term, value / divisor] as const)
    return { p: plus(new Map(terms), constant(bound), 1n), strict: false }
  }
  const common = greatest(divisor, rest)
  return { p: new Map([...p].map(([term, value]) => [term, value / common])), strict }
}

function greatest(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y) [x, y] = [y, x % y]
  return x
}

const floorDivided = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b
