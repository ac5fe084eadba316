// Whether a draft says no more than a known fact: what is said is true, and simple cases are seen.

import { expect, it } from 'vitest'
import { parseExpression, Trace } from '../../src/core'
import type { Basic } from '../../src/core/syntax'
import { impliedBy } from '../../src/game/known/known'

const TYPES: Readonly<Record<string, Basic>> = { x: 'int', y: 'int', n: 'nat', q: 'rat', p: 'bool', r: 'bool' }
/** Every value of whole numbers from -3 to 4, of some fractions and of both truths. */
const VALUES: Readonly<Record<Basic, readonly string[]>> = {
  int: ['-3', '-2', '-1', '0', '1', '2', '4'],
  nat: ['0', '1', '2', '3'],
  rat: ['-1', '0', '1/2', '1'],
  bool: ['true', 'false'],
}
const columns = Object.keys(TYPES)
const rows = Object.values(TYPES).reduce<readonly (readonly string[])[]>(
  (all, type) => all.flatMap((row) => VALUES[type].map((value) => [...row, value])),
  [[]],
)
const states = new Trace({ columns, types: TYPES, rows, params: { x: 'int', n: 'nat' }, old: { x: '1', n: '2' } })
const implies = (fact: string, draft: string): boolean =>
  impliedBy(parseExpression(draft), [{ loop: 1, expression: fact }], states.scope) !== null

it.each([
  ['x <= n', 'n >= x'],
  ['x <= n', 'x < n + 1'],
  ['x <= n', 'x <= n + 5'],
  ['x >= 3', 'x >= 0'],
  ['x > 3', 'x >= 3'],
  ['x > 3', 'x != 3'],
  ['x = n', 'x <= n'],
  ['x = n', '2 * x = 2 * n'],
  ['x = n', 'x >= 0'],
  ['2 * x >= 3', 'x >= 2'],
  ['3 * x = 3 * y', 'x = y'],
  ['0 <= x <= n', 'x >= 0'],
  ['0 <= x <= n & y = 2 * x', 'y <= 2 * n'],
  ['x = n * y & y >= 0', 'x = n * y'],
  ['x = y^2', 'x >= 0'],
  ['x = 2 * y + 1', '2 * y = x - 1'],
  ['x = 2 * y + 1', 'x > 2 * y'],
  ['x = (y + 1)^2', 'x = y^2 + 2 * y + 1'],
  ['x >= 0 & y >= x', 'y - x > -1'],
  ['x % 2 = 1', 'x % 2 >= 0'],
  ['abs(x) <= y', 'y >= 0'],
  ['gcd(x, y) = n', 'gcd(x, y) + 1 > n'],
  ['x + y = old(x)', 'old(x) >= x + y'],
  ['x >= 3', 'x >= 0 | y = 1'],
  ['x >= 3', 'p -> x >= 1'],
  ['p -> x >= 3', 'p -> x >= 1'],
  ['p -> x >= 3', 'p & r -> x >= 1'],
  ['p & x >= 0', 'p'],
  ['p = (x = 1)', 'x = 1 -> p'],
  ['p = (x = 1)', '!p -> x != 1'],
  ['x >= 1 & y / x = 2', 'x >= 0'],
  ['q < 1', 'q <= 1'],
  ['q <= 1 & y <= q', 'y <= 1'],
])('%s says %s', (fact, draft) => expect(implies(fact, draft)).toBe(true))

it.each([
  ['x <= n', 'x < n'],
  ['x <= n', 'x = n'],
  ['x <= n + 1', 'x <= n'],
  ['x >= 0', 'x >= 3'],
  ['2 * x >= 3', 'x >= 3'],
  ['q < 1', 'q <= 0'],
  ['2 * q >= 1', 'q >= 1'],
  ['x / y >= 1', 'x >= y'],
  ['x >= 0 | y >= 0', 'x >= 0'],
  ['p -> x >= 3', 'x >= 3'],
  ['x = y * n', 'x >= 0'],
  ['x % 2 = 0', 'x % 4 = 0'],
  ['x <= 0', 'x / y <= 1 | x <= 1'],
])('%s is not seen to say %s', (fact, draft) => expect(implies(fact, draft)).toBe(false))

it('lights no tile for what is always true', () => {
  for (const draft of ['n >= 0', 'x = x', 'x^2 >= 0', 'x <= y | x > y']) expect(implies('x <= n', draft)).toBe(false)
})

/** Numbers from a seed: the same ones in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

it('says nothing that a state contradicts', () => {
  const random = numbers(7)
  const one = <T>(options: readonly T[]): T => options[Math.floor(random.next().value * options.length)] as T
  const number = (): string =>
    one([
      'x',
      'y',
      'n',
      'q',
      '0',
      '1',
      '2',
      '-1',
      'x + y',
      'x - 1',
      '2 * x',
      'n * y',
      'y^2',
      'x % 2',
      'abs(y)',
      'old(x)',
    ])
  const comparison = (): string => `${number()} ${one(['=', '!=', '<', '<=', '>', '>='])} ${number()}`
  const sentence = (): string =>
    one([
      comparison,
      comparison,
      () => one(['p', '!p', 'r']),
      () => `${comparison()} & ${comparison()}`,
      () => `(${comparison()}) | (${comparison()})`,
      () => `${one(['p', 'r', '!p'])} -> ${comparison()}`,
      () => `p = (${comparison()})`,
      () => `!(${comparison()})`,
    ])()
  const holds = (text: string) => states.values(parseExpression(text))
  const facts = Array.from({ length: 40 }, () => sentence()).map((text) => ({ text, holds: holds(text) }))
  let seen = 0
  for (const draft of Array.from({ length: 40 }, () => sentence())) {
    const there = holds(draft)
    for (const fact of facts) {
      if (!implies(fact.text, draft)) continue
      seen++
      const against = fact.holds.findIndex((value, index) => value === true && there[index] !== true)
      expect([fact.text, draft, rows[against]]).toEqual([fact.text, draft, undefined])
    }
  }
  expect(seen).toBeGreaterThan(20)
})
