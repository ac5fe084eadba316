// What people write out of habit from other languages or from the blackboard, and what to write instead. The rows are
// the same as in src/idg/sip/text/habits.py.

import type { Text } from '../problems'

type Table = Readonly<Record<string, Text>>

const write = (what: string): Text => ['write', what]
const without = (what: Text | string): Text => ['alone-without', what]

/** A table with the same hint for several keys, which are separated by spaces. */
function forAll(keys: string, hint: Text): Table {
  return Object.fromEntries(keys.split(' ').map((key) => [key, hint]))
}

/** Characters that are not part of the language. */
export const CHARACTERS: Table = {
  ...forAll('" \' “ ”', ['no-strings']),
  '?': ['no-conditional'],
  '²': write('^2'),
  '³': write('^3'),
  '√': ['no-roots'],
  '½': write('1 / 2'),
  '~': ['write-not'],
  ...forAll('@ $', ['letters']),
  '.': ['point'],
  '`': ['no-quotes'],
  '∣': ['write-divides'],
  '∀': write('forall k in 0..n: …'),
  '∃': write('exists k in 0..n: …'),
  '\\': ['plain-signs'],
  '–': ['minus-sign'],
  ...forAll('⇒ ⟹', write('->')),
  ...forAll('⇔ ⟺ ↔', ['equivalence']),
  '∈': ['comparisons'],
  '∑': ['no-sums'],
  '⌊': ['floor'],
  '∞': ['no-infinity'],
}

/** An operator whose signs are written with a gap → the operator. */
export const SPLIT_OPERATORS: Readonly<Record<string, string>> = {
  '< =': '<=',
  '> =': '>=',
  '! =': '!=',
  ': =': ':=',
  '- >': '->',
}

/** Signs that are written together and are no operator. */
export const OPERATORS: Table = {
  '=<': write('<='),
  '<>': ['different'],
  '===': write('='),
  '!==': write('!='),
  '++': write('x := x + 1;'),
  '<<': ['shift-left'],
  '>>': ['shift-right'],
  ...forAll('<-> <=> <==>', ['equivalence']),
  '==>': write('->'),
  '&&&': write('&'),
  '/*': ['no-comment'],
  '|=': ['write-divides'],
}

/** Words that are no part of expressions. */
export const WORDS: Table = {
  ...forAll('True TRUE', write('true')),
  ...forAll('False FALSE', write('false')),
  AND: write('&'),
  OR: write('|'),
  NOT: write('!'),
  mod: ['remainder'],
  div: ['rounded-down'],
  xor: ['unequal'],
  implies: write('->'),
  iff: ['equivalence'],
  sqrt: ['no-roots'],
}

/** Functions that do not exist but are called. */
export const FUNCTIONS: Table = {
  sqrt: ['no-roots'],
  pow: write('x^k'),
  mod: write('x % y'),
  div: write('x // y'),
  floor: ['floor'],
  even: write('x % 2 = 0'),
  odd: write('x % 2 = 1'),
}

/** Kinds of tokens that cannot follow a complete value in an expression. */
export const AFTER_A_VALUE: Table = {
  '(': ['write-times'],
  '[': ['only-cells'],
  '!': ['no-factorial'],
  ':': ['alone'],
  ';': ['no-semicolon'],
  name: ['operator-missing'],
  number: ['operator-missing'],
}

/** Kinds of tokens with which no value starts. */
export const INSTEAD_OF_A_VALUE: Table = {
  '|': ['write-abs'],
  assert: without('assert'),
  assume: without('assume'),
  claim: without('claim'),
  while: ['alone'],
  if: ['if-then'],
  '[': ['round-brackets'],
  return: ['alone'],
  '{': without(['braces']),
}
