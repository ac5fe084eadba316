// The patterns of facts that players collect: which of nineteen forms a fact has, read from its text alone. The server
// has the same in src/idg/levels/patterns.py; spec/patterns.json holds the two together. A pattern is no verdict.

import { type Expr, parseExpression, printExpression, SipError } from '../core'
import { Rat } from '../core/running/numbers'
import { expressions } from '../core/syntax'
import type { Pattern } from './pattern-names'

/** A fact, and the number of its loop. */
export type PlacedFact = { readonly loop: number; readonly text: string }

/** The largest exponent that is multiplied out. */
const EXPONENT_MAX = 6
/** Terms of a polynomial up to which a fact is looked at. A longer one has no pattern. */
const TERMS_MAX = 40
/** Nodes of a fact up to which it is looked at. */
const NODES_MAX = 400
/** A difference of factors below this counts as none, because fractions are rounded here. */
const NEARLY = 1e-9

/** The names of a product, sorted and joined by `*` → its factor. The constant's key is empty. */
type Polynomial = ReadonlyMap<string, number>
type Bound = readonly [smaller: string, larger: string]
type Term = { readonly names: readonly string[]; readonly factor: number }

/** The patterns of facts that speak of many cells at once, by their words: what reads them need not be loaded. */
const OF_ARRAYS: readonly (readonly [Pattern, RegExp])[] = [
  ['every-cell', /\bforall \w+ in\b|\bsorted\(/],
  ['running-total', /\b(?:sum|count) \w+ in\b/],
]
const BOUNDS: ReadonlySet<string> = new Set(['<=', '<', '>=', '>'])
const isUpward = (op: string): boolean => op === '<=' || op === '<'

/**
 * The patterns of these facts. `fixed` are the names whose values never change. A text that cannot be read has none.
 */
export function patternsOf(facts: readonly PlacedFact[], fixed: ReadonlySet<string>): ReadonlySet<Pattern> {
  const found = new Set<Pattern>()
  const bounds = new Map<number, Bound[]>()
  for (const { loop, text } of facts) {
    const aboutArrays = OF_ARRAYS.filter(([, words]) => words.test(text))
    for (const [pattern] of aboutArrays) found.add(pattern)
    if (aboutArrays.length) continue
    for (const claim of conjuncts(read(text))) {
      const pattern = patternOf(claim, fixed)
      if (pattern) found.add(pattern)
      bounds.set(loop, [...(bounds.get(loop) ?? []), ...boundsOf(claim)])
    }
  }
  for (const pairs of bounds.values()) {
    const uppers = new Set(pairs.map(([, larger]) => larger))
    if (pairs.some(([smaller]) => uppers.has(smaller))) found.add('sandwich')
  }
  return found
}

function read(text: string): Expr | null {
  try {
    const expr = parseExpression(text)
    return expressions(expr).length > NODES_MAX ? null : expr
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return null
  }
}

function conjuncts(expr: Expr | null): readonly Expr[] {
  if (!expr) return []
  return expr.kind === 'binary' && expr.op === '&' ? [...conjuncts(expr.left), ...conjuncts(expr.right)] : [expr]
}

function patternOf(claim: Expr, fixed: ReadonlySet<string>): Pattern | null {
  if (claim.kind === 'binary' && claim.op === '->') return 'case'
  if (claim.kind === 'call' && claim.name === 'ispow') return 'power'
  if (claim.kind !== 'compare' || claim.ops.length !== 1) return null
  const [op = ''] = claim.ops
  const [left, right] = claim.operands
  if (!left || !right) return null
  if (op === '=') return ofEquation(left, right, fixed)
  if (!BOUNDS.has(op)) return null
  if (hasDistance(claim)) return 'distance'
  const [small, large] = isUpward(op) ? [left, right] : [right, left]
  return isProduct(small) && !isProduct(large) ? 'at-least' : 'limit'
}

/** The bounds that a sandwich can be made of: those of a chain, and single ones between two sides that vary. */
function boundsOf(claim: Expr): readonly Bound[] {
  if (claim.kind !== 'compare') return []
  return claim.ops.flatMap((op, index): Bound[] => {
    const [left, right] = claim.operands.slice(index)
    if (!left || !right || !BOUNDS.has(op) || hasDistance(left) || hasDistance(right)) return []
    if (claim.ops.length === 1 && !(varies(left) && varies(right))) return []
    const sides = [printExpression(left), printExpression(right)] as const
    return [isUpward(op) ? sides : [sides[1], sides[0]]]
  })
}

const varies = (expr: Expr): boolean => expressions(expr).some(({ kind }) => kind === 'name' || kind === 'old')
const hasDistance = (expr: Expr): boolean =>
  expressions(expr).some((node) => node.kind === 'call' && node.name === 'abs')

/** Whether two things that vary are multiplied in it. */
function isProduct(expr: Expr): boolean {
  const polynomial = polynomialOf(expr)
  return polynomial !== null && terms(polynomial).some(({ names }) => names.length > 1)
}

/** Whether it can only be true or false, such as a comparison. */
const isTruth = (expr: Expr): boolean =>
  expr.kind === 'compare' ||
  (expr.kind === 'unary' && expr.op === '!') ||
  (expr.kind === 'binary' && ['&', '|', '->'].includes(expr.op)) ||
  (expr.kind === 'call' && expr.name === 'ispow')

function ofEquation(left: Expr, right: Expr, fixed: ReadonlySet<string>): Pattern | null {
  if (isTruth(left) || isTruth(right)) return 'flag'
  const binaries = [...expressions(left), ...expressions(right)].filter((node) => node.kind === 'binary')
  if (binaries.some((node) => node.op === '%')) return 'remainder'
  if (binaries.some((node) => node.op === '^' && node.right.kind !== 'number')) return 'power'
  if (left.kind === 'call' && right.kind === 'call') return left.name === right.name ? 'kept-value' : null
  if ((left.kind === 'name' && isPower(right)) || (right.kind === 'name' && isPower(left))) return 'square'
  const [first, second] = [polynomialOf(left), polynomialOf(right)]
  const difference = first && second ? sum(first, second, -1) : null
  return difference && ofPolynomial(difference, fixed)
}

function isPower(expr: Expr): boolean {
  if (expr.kind !== 'binary') return false
  if (expr.op === '^') return expr.right.kind === 'number' && asNumber(expr.right.value) >= 2
  return expr.op === '*' && expr.left.kind !== 'number' && printExpression(expr.left) === printExpression(expr.right)
}

/** The pattern of the equation that says that this is zero. */
function ofPolynomial(polynomial: Polynomial, fixed: ReadonlySet<string>): Pattern | null {
  const all = terms(polynomial)
  const constant = polynomial.has('')
  if (all.every(({ names }) => names.length === 1)) return ofLinear(all, constant, fixed)
  const lones = all.filter(({ names }) => names.length === 1)
  const [product] = all.filter(({ names }) => names.length > 1)
  const [lone] = lones
  if (all.length === 2 && !constant && lone && product && !product.names.includes(lone.names[0] ?? ''))
    return new Set(product.names).size === 1 ? 'square' : 'product'
  for (const one of lones) {
    const others = new Set(all.filter((term) => term !== one).flatMap(({ names }) => names))
    if (others.size === 1 && !others.has(one.names[0] ?? '')) return 'half-product'
  }
  return ofWhole(all, fixed)
}

function ofLinear(all: readonly Term[], constant: boolean, fixed: ReadonlySet<string>): Pattern | null {
  const sides = [all.filter(({ factor }) => factor > 0), all.filter(({ factor }) => factor < 0)] as const
  const isPlain = areEqual(all)
  if (all.length < 2) return null
  if (all.length === 2) {
    if (!sides[0].length || !sides[1].length) return isPlain ? 'kept-sum' : 'helper-column'
    return constant ? 'helper-column' : isPlain ? null : 'ratio'
  }
  const isSum = (one: readonly Term[], many: readonly Term[]): boolean => one.length === 1 && areEqual(many)
  if (isPlain || isSum(sides[0], sides[1]) || isSum(sides[1], sides[0])) return 'kept-sum'
  return ofWhole(all, fixed)
}

const areEqual = (all: readonly Term[]): boolean =>
  all.length > 0 && all.every(({ factor }) => Math.abs(Math.abs(factor) - Math.abs(all[0]?.factor ?? 0)) < NEARLY)

/** A whole and its parts: a share where the whole never changes, a head start where it is what is built up. */
function ofWhole(all: readonly Term[], fixed: ReadonlySet<string>): Pattern | null {
  const plus = all.filter(({ factor }) => factor > 0)
  const minus = all.filter(({ factor }) => factor < 0)
  for (const [[whole, ...rest], partsOfIt] of [[plus, minus] as const, [minus, plus] as const]) {
    if (!whole || rest.length || !partsOfIt.length) continue
    if (whole.names.every((name) => fixed.has(name))) return 'share'
    const [name = ''] = whole.names
    if (whole.names.length === 1 && !partsOfIt.some(({ names }) => names.includes(name))) return 'head-start'
  }
  return null
}

const asNumber = (value: unknown): number => (value instanceof Rat ? Number(value.n) / Number(value.d) : Number(value))
const namesOf = (key: string): string[] => (key ? key.split('*') : [])
const terms = (polynomial: Polynomial): Term[] =>
  [...polynomial].filter(([key]) => key).map(([key, factor]) => ({ names: namesOf(key), factor }))

/** The expression multiplied out; null where it is no polynomial, or a long one. */
function polynomialOf(expr: Expr): Polynomial | null {
  switch (expr.kind) {
    case 'number':
      return tidy(new Map([['', asNumber(expr.value)]]))
    case 'name':
      return new Map([[expr.name, 1]])
    case 'old':
      return new Map([[`old(${expr.name})`, 1]])
    case 'unary': {
      const inner = expr.op === '-' ? polynomialOf(expr.operand) : null
      return inner && sum(new Map(), inner, -1)
    }
    case 'binary':
      return ofBinary(expr.op, expr.left, expr.right)
    default:
      return null
  }
}

function ofBinary(op: string, left: Expr, right: Expr): Polynomial | null {
  const first = polynomialOf(left)
  const literal = right.kind === 'number' ? asNumber(right.value) : null
  if (!first) return null
  if (op === '^') {
    if (literal === null || !Number.isInteger(literal) || literal < 0 || literal > EXPONENT_MAX) return null
    let result: Polynomial | null = new Map([['', 1]])
    for (let times = 0; times < literal && result; times++) result = multiply(result, first)
    return result
  }
  if (op === '/') return literal ? multiply(first, new Map([['', 1 / literal]])) : null
  const second = ['+', '-', '*'].includes(op) ? polynomialOf(right) : null
  if (!second) return null
  return op === '*' ? multiply(first, second) : sum(first, second, op === '+' ? 1 : -1)
}

function sum(first: Polynomial, second: Polynomial, sign: number): Polynomial | null {
  const result = new Map(first)
  for (const [key, factor] of second) result.set(key, (result.get(key) ?? 0) + sign * factor)
  return tidy(result)
}

function multiply(first: Polynomial, second: Polynomial): Polynomial | null {
  const result = new Map<string, number>()
  for (const [key, factor] of first)
    for (const [more, other] of second) {
      const names = [...namesOf(key), ...namesOf(more)].sort().join('*')
      result.set(names, (result.get(names) ?? 0) + factor * other)
    }
  return tidy(result)
}

function tidy(polynomial: ReadonlyMap<string, number>): Polynomial | null {
  const result = new Map([...polynomial].filter(([, factor]) => Math.abs(factor) >= NEARLY))
  return result.size <= TERMS_MAX ? result : null
}
