// The table of operators, from spec/operators.json. The parser, the printer and completion follow it; reference.ts
// explains the operators.

import table from '../../../spec/operators.json?parser'

export type Operator = (typeof table.operators)[number]
export type Builtin = (typeof table.functions)[number]

export const OPERATORS: readonly Operator[] = table.operators

const of = (fixity: string): Map<string, Operator> =>
  new Map(
    table.operators.filter((operator) => operator.fixity === fixity).map((operator) => [operator.token, operator]),
  )

export const INFIX = of('infix')
export const PREFIX = of('prefix')
export const COMPARISONS = of('chain')
export const COMPARISON_PRECEDENCE = table.operators.find((operator) => operator.fixity === 'chain')?.precedence ?? 0
export const FUNCTIONS = new Map<string, Builtin>(table.functions.map((builtin) => [builtin.name, builtin]))
/** An alternative spelling → the canonical token. */
export const CANONICAL = new Map(
  table.operators.flatMap((operator) => operator.alternatives.map((other) => [other, operator.token] as const)),
)
/** A word of the language → the kind of its token. The names of built-in functions are ordinary names. */
export const KEYWORDS = new Map(
  [...table.words.map((word) => word.token), ...CANONICAL.keys()]
    .filter((word) => /^[a-z]+$/.test(word))
    .map((word) => [word, CANONICAL.get(word) ?? word] as const),
)
