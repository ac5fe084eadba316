// What could stand at the caret: names, built-in functions and words where a value is expected; operators after a
// value.

import type { Scope } from '../checking/checker'
import { arrayPart } from '../extension'
import { FUNCTIONS, OPERATORS } from '../operators'
import type { Signature, Type } from '../syntax'
import { Scanner } from './tokens'

export type Candidate = {
  /** The text that is inserted. */
  readonly text: string
  readonly kind: 'variable' | 'old' | 'function' | 'word' | 'operator'
  /** The type of a variable. */
  readonly type?: Type
  /** The signature of a helper. */
  readonly signature?: string
}
export type Completion = {
  /** The part of the text that a candidate replaces. */
  readonly from: number
  readonly to: number
  readonly candidates: readonly Candidate[]
}

/** Words of the language that are values. */
const VALUE_WORDS = ['true', 'false']

export function complete(text: string, caret: number, scope: Scope): Completion {
  const before = new Scanner(text.slice(0, caret), false)
  const tokens = before.tokens.slice(0, -1)
  const inComment = before.comments.some(([, end]) => end === caret)
  const last = tokens.at(-1)
  if (inComment || (last?.kind === 'number' && last.end === caret)) return { from: caret, to: caret, candidates: [] }
  const word = last?.end === caret && /^[A-Za-z_]/.test(last.text) ? last : null
  const to = word ? caret + (/^\w*/.exec(text.slice(caret))?.[0].length ?? 0) : caret
  const written = word ? text.slice(word.start, to) : ''
  const previous = word ? tokens.at(-2) : last
  const from = word?.start ?? caret
  const afterValue = /^(name|number|true|false|result|[)\]])$/.test(previous?.kind ?? '')
  const own = arrayPart()?.candidates(text.slice(0, from), scope.variables) ?? []
  const all = afterValue ? operators() : insideOld(tokens, word ? 1 : 0) ? names(scope.params) : values(scope, own)
  return { from, to, candidates: matching(all, word ? text.slice(word.start, caret) : '', written) }
}

/**
 * The candidates that start with what is written, whatever the case of the letters. What is complete already is no
 * candidate.
 */
function matching(all: readonly Candidate[], prefix: string, written: string): Candidate[] {
  return all.filter(
    (candidate) => candidate.text !== written && candidate.text.toLowerCase().startsWith(prefix.toLowerCase()),
  )
}

function insideOld(tokens: readonly { kind: string }[], skip: number): boolean {
  return tokens.at(-1 - skip)?.kind === '(' && tokens.at(-2 - skip)?.kind === 'old'
}

const names = (types: ReadonlyMap<string, Type>): Candidate[] =>
  [...types].map(([text, type]) => ({ text, kind: 'variable', type }))

function values(scope: Scope, own: readonly Candidate[]): Candidate[] {
  const helpers = [...scope.functions.values()].filter((helper) => helper.result && !scope.choosing.has(helper.name))
  return [
    ...names(scope.variables),
    ...helpers.map((helper): Candidate => ({
      text: `${helper.name}(`,
      kind: 'function',
      signature: signature(helper),
    })),
    ...[...FUNCTIONS.keys()]
      .filter((name) => !arrayPart()?.functions.has(name))
      .map((name): Candidate => ({ text: `${name}(`, kind: 'function' })),
    ...own,
    ...[...scope.params].map(([name, type]): Candidate => ({ text: `old(${name})`, kind: 'old', type })),
    ...VALUE_WORDS.map((text): Candidate => ({ text, kind: 'word' })),
    ...operators('prefix'),
  ]
}

function signature({ name, params, result }: Signature): string {
  return `${name}(${params.map((param) => `${param.name}: ${param.type}`).join(', ')}): ${result}`
}

function operators(only?: string): Candidate[] {
  return OPERATORS.filter((operator) => (operator.fixity === 'prefix') === (only === 'prefix')).map((operator) => ({
    text: operator.token,
    kind: 'operator',
  }))
}
