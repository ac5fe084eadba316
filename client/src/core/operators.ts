// The table of operators, from spec/operators.json: the parser, the printer and completion follow it. reference.ts explains it.

import table from '../../../spec/operators.json?parser'

export type Operator = (typeof table.operators)[number]
export type Builtin = (typeof table.functions)[number]

export const OPERATORS: readonly Operator[] = table.operators

const of = (fixity: string): Map<string, Operator> =>
  new Map(table.operators.filter((each) => each.fixity === fixity).map((each) => [each.token, each]))

export const INFIX = of('infix')
export const PREFIX = of('prefix')
export const COMPARISONS = of('chain')
export const COMPARISON_PRECEDENCE = table.operators.find((each) => each.fixity === 'chain')?.precedence ?? 0
export const FUNCTIONS = new Map<string, Builtin>(table.functions.map((each) => [each.name, each]))
/** Alternative spelling → canonical token. */
export const CANONICAL = new Map(
  table.operators.flatMap((each) => each.alternatives.map((other) => [other, each.token] as const)),
)
/** Word of the language → kind of its token. Names of built-in functions are names. */
export const KEYWORDS = new Map(
  [...table.words.map((each) => each.token), ...CANONICAL.keys()]
    .filter((word) => /^[a-z]+$/.test(word))
    .map((word) => [word, CANONICAL.get(word) ?? word] as const),
)
