// What people write in programs out of habit from other languages. The rows are the same as in
// src/idg/sip/text/habits.py.

import type { Text } from '../problems'

type Table = Readonly<Record<string, Text>>

function forAll(keys: string, hint: Text): Table {
  return Object.fromEntries(keys.split(' ').map((key) => [key, hint]))
}

/** Words at the start of a statement or a function. */
export const STATEMENTS: Table = {
  for: ['no-for'],
  ...forAll('do repeat loop', ['use-while']),
  until: ['no-until'],
  ...forAll('let const', ['declare-var']),
  ...forAll('elif elsif elseif', ['write', 'else if (…) { … }']),
  then: ['then-block'],
  ...forAll('begin end endif', ['blocks-in-braces']),
  switch: ['no-switch'],
  continue: ['no-continue'],
  ...forAll('skip pass', ['empty-block']),
  ...forAll('function def void method public static', ['write', 'fn name(x: nat): int { … }']),
  invariant: ['write-invariant'],
  variant: ['write-measure'],
  requires: ['write', 'pre(…);'],
  ensures: ['write', 'post(…);'],
  printf: ['write', 'print(x, y);'],
  havoc: ['write', 'cassign([x], true);'],
}

/** The names of types in other languages → ours. */
export const TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  integer: 'int',
  natural: 'nat',
  real: 'rat',
  float: 'rat',
  double: 'rat',
  rational: 'rat',
  number: 'int',
  unsigned: 'nat',
  long: 'int',
}
