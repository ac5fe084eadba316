// Problems as data, and the one place where they become sentences. A language is a table, and only the player's is loaded; the
// sentences of en.ts are those of src/idg/sip/messages.py, word by word.

import type { EN } from './en'
import { PROBLEMS_MAX } from './limits'
import type { PROGRAM_EN } from './program/en'
import type { Span } from './syntax'

type CoreCode = keyof typeof EN.messages
type CorePhrase = keyof typeof EN.phrases
export type ProblemCode = CoreCode | keyof typeof PROGRAM_EN.messages
export type Phrase = CorePhrase | keyof typeof PROGRAM_EN.phrases
/** Sentences with places such as {name} or, in phrases, {0}; {limit:,} groups the digits of a number. */
export type Language = {
  readonly group: string
  readonly messages: Readonly<Record<CoreCode, string> & Partial<Record<ProblemCode, string>>>
  readonly phrases: Readonly<Record<CorePhrase, string> & Partial<Record<Phrase, string>>>
}
/** A language that can also say what is wrong with programs. */
export type ProgramLanguage = Language & {
  readonly messages: Readonly<Record<ProblemCode, string>>
  readonly phrases: Readonly<Record<Phrase, string>>
}
/** A phrase and what stands in its places. */
export type Text = readonly [phrase: Phrase, ...args: Arg[]]
export type Arg = string | number | Text
export type Details = Readonly<Record<string, Arg>>

/** One thing wrong with a text. */
export type Problem = {
  readonly code: ProblemCode
  readonly span: Span
  readonly details: Details
  readonly hint: Text | null
}
/** A problem whose hint may take a while to find: only those that are shown are asked for it. */
export type Finding = Omit<Problem, 'hint'> & { readonly hint: Text | null | (() => Text | null) }

export const problem = (
  code: ProblemCode,
  span: Span,
  hint: Finding['hint'] = null,
  details: Details = {},
): Finding => ({
  code,
  span,
  details,
  hint,
})

/** A text that is not a SIP program or expression. */
export class SipError extends Error {
  readonly problems: readonly Problem[]
  /** Problems found beyond the first ones. */
  readonly more: number

  constructor(findings: readonly Finding[]) {
    super(findings[0]?.code)
    const distinct = new Map(
      findings.map((finding) => [JSON.stringify([finding.code, finding.span, finding.details]), finding]),
    )
    const distinctFindings = [...distinct.values()]
    this.problems = distinctFindings
      .slice(0, PROBLEMS_MAX)
      .map((finding) => ({ ...finding, hint: typeof finding.hint === 'function' ? finding.hint() : finding.hint }))
    this.more = distinctFindings.length - this.problems.length
  }
}

/** A language's own table where it has the key; names such as "constructor" are not in it. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

export function say(text: Text, language: Language): string {
  const [phrase, ...args] = text
  return fill(language.phrases[phrase] ?? phrase, args, language)
}

function fill(sentence: string, args: Details | readonly Arg[], language: Language): string {
  return sentence.replace(/\{(\w+)(:,)?\}/g, (_, key: string, grouped: string | undefined) => {
    const arg = (args as Details)[key] ?? ''
    if (typeof arg === 'object') return say(arg, language)
    return grouped ? `${arg}`.replace(/\B(?=(\d{3})+$)/g, language.group) : `${arg}`
  })
}

export const message = (problem: Problem, language: Language): string =>
  fill(language.messages[problem.code] ?? problem.code, problem.details, language)
export const hint = (problem: Problem, language: Language): string => (problem.hint ? say(problem.hint, language) : '')

/** The first characters of a text, in code points. */
export function short(text: string, most: number): string {
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

/** A UTF-16 offset as the server counts: in code points. */
export function toCodePoints(text: string, offset: number): number {
  return [...text.slice(0, offset)].length
}

/** An offset in code points, from the server, as text fields count. */
export function fromCodePoints(text: string, offset: number): number {
  return [...text].slice(0, offset).join('').length
}

/** Both from 1; columns in code points. */
export function lineAndColumn(text: string, offset: number): [line: number, column: number] {
  const lines = text.slice(0, offset).split('\n')
  return [lines.length, [...(lines.at(-1) ?? '')].length + 1]
}
