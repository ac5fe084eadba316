// Whether a draft says no more than a known fact: what is said is true, and simple cases are seen.

import { expect, it } from 'vitest'
import { parseExpression, type Type } from '../../src/core'
import { impliedBy } from '../../src/game/board/known'

const types = new Map<string, Type>([
  ['x', 'int'],
  ['y', 'int'],
  ['n', 'nat'],
  ['q', 'rat'],
])
const implies = (fact: string, draft: string): boolean =>
  impliedBy(parseExpression(draft), [{ loop: 1, expression: fact }], types) !== null

it.each([
  ['x <= n', 'n >= x'],
  ['x <= n', 'x < n + 1'],
  ['x <= n', 'x <= n + 5'],
  ['x = 2 * y + 1', '2 * y = x - 1'],
  ['x = 2 * y + 1', 'x > 2 * y'],
  ['x = (y + 1)^2', 'x = y^2 + 2 * y + 1'],
  ['x >= 0 & y >= x', 'y - x > -1'],
])('%s says %s', (fact, draft) => expect(implies(fact, draft)).toBe(true))

it.each([
  ['x <= n', 'x < n'],
  ['x <= n', 'x = n'],
  ['x <= n + 1', 'x <= n'],
  ['q < 1', 'q <= 0'],
  ['x / y >= 1', 'x >= y'],
  ['x >= 0 | y >= 0', 'x >= 0'],
])('%s is not seen to say %s', (fact, draft) => expect(implies(fact, draft)).toBe(false))
