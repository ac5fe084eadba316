// The patterns' names, the plain forms that stand for them, and the worlds that introduce them. The map needs no more.

import type { IdeaIcon } from './idea-icons'

/** All patterns, in the order in which the way introduces them: its form, its sign, and the number of its world. */
export const PATTERNS = {
  product: { form: '□ = □ · □', icon: 'product', world: 1 },
  'kept-sum': { form: '□ + □ = □', icon: 'kept-sum', world: 1 },
  limit: { form: '□ ≤ □', icon: 'limit', world: 1 },
  'head-start': { form: '□ = □ + □ · □', icon: 'start', world: 1 },
  ratio: { form: '2 · □ = 3 · □', icon: 'ratio', world: 2 },
  share: { form: '□ = □ · □ + □', icon: 'share', world: 2 },
  remainder: { form: '□ % □ = □', icon: 'remainder', world: 2 },
  'at-least': { form: '□ · □ ≤ □', icon: 'at-least', world: 3 },
  'helper-column': { form: '□ = 2 · □ + 1', icon: 'column', world: 3 },
  square: { form: '□ = □²', icon: 'square', world: 4 },
  'half-product': { form: '2 · □ = □ · (□ + 1)', icon: 'sum', world: 4 },
  distance: { form: 'abs(□) ≤ □', icon: 'distance', world: 5 },
  sandwich: { form: '□ ≤ □ ≤ □', icon: 'between', world: 5 },
  flag: { form: '□ = (□)', icon: 'flag', world: 5 },
  case: { form: '□ → □', icon: 'case', world: 5 },
  power: { form: '□ = 2^□', icon: 'power', world: 7 },
  'kept-value': { form: 'f(□, □) = f(□, □)', icon: 'kept-value', world: 8 },
  'every-cell': { form: 'forall k in 0..□: □', icon: 'row', world: 10 },
  'running-total': { form: '□ = sum k in 0..□: □', icon: 'sum', world: 10 },
} as const satisfies Readonly<Record<string, { form: string; icon: IdeaIcon; world: number }>>
export type Pattern = keyof typeof PATTERNS
export const PATTERN_NAMES = Object.keys(PATTERNS) as readonly Pattern[]
export const isPattern = (name: string): name is Pattern => Object.hasOwn(PATTERNS, name)
