// Problems as data, and the only place where they become sentences. A language is a table of sentences, and only the
// player's language is loaded. The sentences of en.ts are those of src/idg/sip/messages.py, word by word.

import type { EN } from './en'
import { PROBLEMS_MAX } from './limits'
import type { PROGRAM_EN } from './program/en'
import type { Span } from './syntax'

type CoreCode = keyof typeof EN.messages
type CorePhrase = keyof typeof EN.phrases
export type ProblemCode = CoreCode | keyof typeof PROGRAM_EN.messages
export type Phrase = CorePhrase | keyof typeof PROGRAM_EN.phrases
/** Sentences have places such as {name} or, in phrases, {0}. {limit:,} groups the digits of a number. */
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
/** A phrase, and what stands in its places. */
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
/**
 * A problem whose hint may be a function, because some hints take long to compute and only a few problems are shown.
 */
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
  /** How many further problems there are. */
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

/**
 * The entry of a table, or undefined. Names such as "constructor", which every JavaScript object has, are not found.
 */
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

/** The first `most` code points of a text. */
export function short(text: string, most: number): string {
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

/** Converts a UTF-16 offset to code points, in which the server counts. */
export function toCodePoints(text: string, offset: number): number {
  return [...text.slice(0, offset)].length
}

/** Converts an offset in code points, from the server, to UTF-16, in which text fields count. */
export function fromCodePoints(text: string, offset: number): number {
  return [...text].slice(0, offset).join('').length
}

/** The line and the column of an offset. Both count from 1; columns count code points. */
export function lineAndColumn(text: string, offset: number): [line: number, column: number] {
  const lines = text.slice(0, offset).split('\n')
  return [lines.length, [...(lines.at(-1) ?? '')].length + 1]
}
