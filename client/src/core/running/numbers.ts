// Exact numbers. A whole number is a JavaScript number where that is exact and a BigInt where it is not. So ordinary
// traces are computed at full speed, and nothing is ever rounded. Every value has exactly one representation.

import { cellTexts } from '../cells'
import { NUMBER_BITS_MAX } from '../limits'
import { elementOf, type Type } from '../syntax'

export type Int = number | bigint
export type Num = Int | Rat
/** What an expression of numbers or Booleans evaluates to. */
export type Scalar = boolean | Num
/** The cells of an array. */
export type Cells = readonly Scalar[]
/** What a variable holds. */
export type Value = Scalar | Cells
export const isCells = (value: Value): value is Cells => Array.isArray(value)

/** A number that is not whole, in lowest terms and with a denominator above 1. */
export class Rat {
  constructor(
    readonly n: Int,
    readonly d: Int,
  ) {}
}

/** The largest absolute value that a whole number of the JavaScript type `number` has here. */
const MAX = Number.MAX_SAFE_INTEGER
/** A whole number with this many bits, or fewer, is exact as a JavaScript number. */
const SAFE_BITS = 53
const MAX_BIG = BigInt(MAX)
/** The least absolute value that is too large for an intermediate result. */
const TOO_LARGE = 1n << BigInt(NUMBER_BITS_MAX)

function canonical(x: bigint): Int {
  return x <= MAX_BIG && x >= -MAX_BIG ? Number(x) : x
}

export function addInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum <= MAX && sum >= -MAX) return sum
  }
  return canonical(BigInt(a) + BigInt(b))
}

export function mulInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    // If the product is not exact, it is at least 2^53, also after rounding, so it does not pass this test.
    const product = a * b
    if (product <= MAX && product >= -MAX) return product
  }
  return canonical(BigInt(a) * BigInt(b))
}

export function negInt(a: Int): Int {
  return typeof a === 'number' ? 0 - a : -a
}

const absInt = (a: Int): Int => (a < 0 ? negInt(a) : a)

/** The quotient rounded down and the remainder, which has the divisor's sign. */
export function divmod(a: Int, b: Int): [Int, Int] {
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a % b
    const quotient = (a - rest) / b
    return rest !== 0 && rest < 0 !== b < 0 ? [quotient - 1, rest + b] : [quotient, rest + 0]
  }
  const x = BigInt(a)
  const y = BigInt(b)
  const rest = x % y
  const down = rest !== 0n && rest < 0n !== y < 0n
  return [canonical(down ? x / y - 1n : x / y), canonical(down ? rest + y : rest)]
}

export function gcd(a: Int, b: Int): Int {
  let x = absInt(a)
  let y = absInt(b)
  while (typeof x !== 'number' || typeof y !== 'number') {
    if (!y) return x
    ;[x, y] = [y, divmod(x, y)[1]]
  }
  while (y) [x, y] = [y, x % y]
  return x
}

/** The number n / d. d must not be 0. */
export function ratio(n: Int, d: Int): Num {
  const shared = gcd(n, d)
  const down = d < 0 ? negInt(shared) : shared
  const bottom = divmod(d, down)[0]
  const top = divmod(n, down)[0]
  return bottom === 1 ? top : new Rat(top, bottom)
}

export const top = (x: Num): Int => (x instanceof Rat ? x.n : x)
export const bottom = (x: Num): Int => (x instanceof Rat ? x.d : 1)
const fraction = (a: Num, b: Num): boolean => a instanceof Rat || b instanceof Rat

export function add(a: Num, b: Num): Num {
  if (!fraction(a, b)) return addInt(a as Int, b as Int)
  return ratio(addInt(mulInt(top(a), bottom(b)), mulInt(top(b), bottom(a))), mulInt(bottom(a), bottom(b)))
}

export function neg(a: Num): Num {
  return a instanceof Rat ? new Rat(negInt(a.n), a.d) : negInt(a)
}

export const sub = (a: Num, b: Num): Num => add(a, neg(b))

export function mul(a: Num, b: Num): Num {
  return fraction(a, b) ? ratio(mulInt(top(a), top(b)), mulInt(bottom(a), bottom(b))) : mulInt(a as Int, b as Int)
}

/** The quotient a / b. b must not be 0. */
export function div(a: Num, b: Num): Num {
  if (typeof a === 'number' && typeof b === 'number' && a % b === 0) return a / b + 0
  return ratio(mulInt(top(a), bottom(b)), mulInt(top(b), bottom(a)))
}

export function less(a: Num, b: Num): boolean {
  return fraction(a, b) ? mulInt(top(a), bottom(b)) < mulInt(top(b), bottom(a)) : (a as Int) < (b as Int)
}

export function same(a: Value, b: Value): boolean {
  if (isCells(a)) return isCells(b) && a.length === b.length && a.every((cell, index) => same(cell, b[index] as Scalar))
  return a === b || (a instanceof Rat && b instanceof Rat && a.n === b.n && a.d === b.d)
}

export const abs = (a: Num): Num => (less(a, 0) ? neg(a) : a)

function bits(x: Int): number {
  if (typeof x === 'bigint') {
    const digits = (x < 0n ? -x : x).toString(16)
    return digits.length * 4 - Math.clz32(parseInt(digits[0] as string, 16)) + 28
  }
  const high = Math.floor(Math.abs(x) / 2 ** 32)
  return high ? 64 - Math.clz32(high) : 32 - Math.clz32(Math.abs(x))
}

/** The bits of a number, as the bounds count them. */
export const size = (x: Num): number => (x instanceof Rat ? bits(x.n) + bits(x.d) : bits(x))

/** Whether a number is too large for an intermediate result. */
export function tooLarge(x: Num): boolean {
  if (typeof x === 'number') return false
  return x instanceof Rat
    ? (typeof x.n === 'bigint' || typeof x.d === 'bigint') && size(x) > NUMBER_BITS_MAX
    : x >= TOO_LARGE || x <= -TOO_LARGE
}

const isUnit = (x: Num): boolean => x === 1 || x === 0 || x === -1

/** Whether x^k is refused before it is computed. */
export function powerTooLarge(x: Num, k: Int): boolean {
  return !isUnit(x) && mulInt(size(x), k) > NUMBER_BITS_MAX
}

/** The number x^k. k must not be negative, and the power must not be too large. */
export function power(x: Num, k: Int): Num {
  if (x instanceof Rat) return ratio(power(x.n, k) as Int, power(x.d, k) as Int)
  if (isUnit(x)) return k === 0 ? 1 : x === -1 && divmod(k, 2)[1] === 0 ? 1 : x
  if (mulInt(bits(x), k) > SAFE_BITS) return canonical(BigInt(x) ** BigInt(k))
  let result = 1
  for (let left = k as number; left > 0; left--) result *= x as number
  return result
}

/** Whether x = base^j for some nat j. */
export function isPower(x: Int, base: Int): boolean {
  if (x === 1) return true
  if (isUnit(base)) return x === base
  if (x === 0) return false
  // First b, b^2, b^4, … up to x, then divisions by them from the largest down. So even a large x needs only a few
  // divisions.
  const powers: Int[] = []
  for (
    let repeatedSquare = base;
    absInt(repeatedSquare) <= absInt(x);
    repeatedSquare = mulInt(repeatedSquare, repeatedSquare)
  )
    powers.push(repeatedSquare)
  let left = x
  for (const factor of powers.reverse()) {
    if (absInt(left) < absInt(factor)) continue
    const [quotient, rest] = divmod(left, factor)
    if (rest) return false
    left = quotient
  }
  return left === 1
}

export function parseInt_(text: string): Int {
  return text.length < 16 ? Number(text) : canonical(BigInt(text))
}

/** The number that a literal denotes. */
export function parseLiteral(text: string): Num {
  const [whole = '', decimals = ''] = text.split('.')
  return ratio(parseInt_(whole + decimals), power(10, decimals.length) as Int)
}

/** Reads a value as the server and the files write it: "true", "-12", "7/3". Arrays are texts here, too. */
export function parseValue(text: string, type: Type): Value {
  const element = elementOf(type)
  if (element) return cellTexts(text).map((cell) => parseValue(cell, element) as Scalar)
  if (type === 'bool') return text === 'true'
  const slash = text.indexOf('/')
  return slash < 0 ? parseInt_(text) : ratio(parseInt_(text.slice(0, slash)), parseInt_(text.slice(slash + 1)))
}

export function formatValue(value: Value): string {
  if (isCells(value)) return `[${value.map(formatValue).join(', ')}]`
  return value instanceof Rat ? `${value.n}/${value.d}` : `${value}`
}

/** How many characters of a number are shown. */
const SHOWN_DIGITS_MAX = 40

/** The value for people. Very long numbers are cut in the middle. */
export function shortValue(value: Value): string {
  const text = formatValue(value)
  return text.length <= SHOWN_DIGITS_MAX
    ? text
    : `${text.slice(0, SHOWN_DIGITS_MAX / 4)}…${text.slice(-SHOWN_DIGITS_MAX / 4)}`
}
