// Text → tokens. The kind of a token is its canonical spelling; names and numbers have the kinds "name" and "number".

import * as foreign from './foreign'
import { LITERAL_DIGITS_MAX, NAME_CHARS_MAX, PROGRAM_CHARS_MAX } from '../limits'
import { CANONICAL, FUNCTIONS, KEYWORDS } from '../operators'
import type { Span } from '../syntax'
import {
  type Arg,
  type ProblemCode,
  type Details,
  type Finding,
  lookUp,
  problem,
  short,
  SipError,
  type Text,
} from '../problems'

export type Token = { readonly kind: string; readonly text: string; readonly start: number; readonly end: number }

/**
 * After a token of one of these kinds, or after a bracketed expression, `//` divides. Elsewhere it starts a comment.
 */
const VALUE_KINDS = new Set(['name', 'number', 'true', 'false', 'result'])
/** A '(' after a token of one of these kinds belongs to a statement, not to an expression. */
const HEAD_OPENERS = new Set(['if', 'while', ']', 'pre', 'post', 'print', 'assume', 'assert', 'claim', 'cassign'])

const SPACE_OR_COMMENT = /(\s+)|(#[^\n]*)|(\/\/)/
const NUMBER_OR_WORD = /([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z0-9_]*)/
const SIGN = /(\.\.|:=|->|=>|\|\||&&|==|!=|<=|>=|\*\*|[-+*/%^<>=!&|(){}[\],;:→∨∧¬≠≤≥−·×÷])/
const PATTERN = new RegExp([SPACE_OR_COMMENT, NUMBER_OR_WORD, SIGN].map((part) => part.source).join('|'), 'y')
const STRING = /"[^"\n]*"|'[^'\n]*'|“[^”\n]*”/y
/** What may not follow a number. Two points may: in `0..n` they stand between the bounds of a range. */
const NUMBER_TAIL = /(?:(?!\.\.)[A-Za-z0-9_.])*/y
/** The characters that Python's str.isprintable refuses. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

/** Reads a whole text: its tokens, which end with one of the kind "end", its comments and its problems. */
export class Scanner {
  readonly tokens: Token[] = []
  readonly comments: Span[] = []
  readonly problems: Finding[] = []
  /** For each open '(': whether it opens the head of a statement or of a function. */
  private heads: boolean[] = []
  /** For each open '[': whether it follows a value, so that a cell of an array is read there. */
  private indexing: boolean[] = []
  private blocks = 0
  private afterValue = false

  /** `program` says whether brackets outside all blocks belong to the heads of functions. */
  constructor(
    private readonly text: string,
    private readonly program: boolean,
  ) {
    for (let offset = 0; offset < text.length;) offset = this.next(offset)
    this.add('end', text.length, text.length)
  }

  private add(kind: string, start: number, end: number): void {
    this.tokens.push({ kind, text: this.text.slice(start, end), start, end })
  }

  private report(code: ProblemCode, start: number, end: number, details: Details, hint: Text | null = null): void {
    this.problems.push(problem(code, [start, end], hint, details))
  }

  /** Reads what stands at an offset and returns the offset after it. */
  private next(start: number): number {
    const matched = match(PATTERN, this.text, start)
    if (!matched) return this.badCharacter(start)
    const [whole, space, , slashes, number, word, sign] = matched
    const end = start + whole.length
    if (space) return end
    if (word) this.word(word, start, end)
    else if (sign) this.sign(sign, start, end)
    else if (number) return this.number(start, end)
    else if (slashes && this.afterValue) {
      this.add('//', start, end)
      this.afterValue = false
    } else {
      const newline = this.text.indexOf('\n', start)
      this.comments.push([start, newline < 0 ? this.text.length : newline])
      return newline < 0 ? this.text.length : newline
    }
    return end
  }

  private word(word: string, start: number, end: number): void {
    const kind = KEYWORDS.get(word) ?? 'name'
    if (word.length > NAME_CHARS_MAX)
      this.report('name-too-long', start, end, { found: word.length, limit: NAME_CHARS_MAX })
    this.add(kind, start, end)
    this.afterValue = VALUE_KINDS.has(kind)
  }

  private sign(sign: string, start: number, end: number): void {
    const kind = CANONICAL.get(sign) ?? sign
    const { afterValue } = this
    this.afterValue = false
    if (kind === '(') {
      const inHead = this.program && this.blocks === 0
      this.heads.push(inHead || HEAD_OPENERS.has(this.tokens.at(-1)?.kind ?? ''))
    } else if (kind === ')') {
      this.afterValue = !this.heads.pop()
    } else if (kind === '[') {
      this.indexing.push(afterValue)
    } else if (kind === ']') {
      this.afterValue = Boolean(this.indexing.pop())
    } else if (kind === '{' || kind === '}') {
      this.blocks += kind === '{' ? 1 : -1
      this.heads = []
      this.indexing = []
    }
    this.add(kind, start, end)
  }

  private number(start: number, plainEnd: number): number {
    const tail = match(NUMBER_TAIL, this.text, plainEnd)?.[0] ?? ''
    const end = plainEnd + tail.length
    const written = this.text.slice(start, end)
    const digits = written.replace('.', '').length
    if (tail) this.report('bad-number', start, end, { found: quoted(short(written, 40)) }, numberHint(written))
    else if (digits > LITERAL_DIGITS_MAX)
      this.report('literal-too-long', start, end, { found: digits, limit: LITERAL_DIGITS_MAX })
    this.add('number', start, end)
    this.afterValue = true
    return end
  }

  /** Reports one problem for a whole string, or for neighbouring characters that are wrong for the same reason. */
  private badCharacter(start: number): number {
    const { text } = this
    const string = match(STRING, text, start)?.[0]
    const hintAt = (offset: number): Text | null => lookUp(foreign.CHARACTERS, characterAt(text, offset)) ?? null
    const hint = hintAt(start)
    let end = start + (string ?? characterAt(text, start)).length
    while (!string && end < text.length && !match(PATTERN, text, end) && `${hintAt(end)}` === `${hint}`)
      end += characterAt(text, end).length
    const run = text.slice(start, end)
    const first = (run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    const shown: Arg = string || !UNPRINTABLE.test(run) ? quoted(short(run, 40)) : ['the-character', first]
    this.report('bad-character', start, end, { found: shown }, hint)
    this.afterValue = Boolean(string)
    return end
  }
}

export const quoted = (text: string): string => `'${text}'`

const characterAt = (text: string, offset: number): string => String.fromCodePoint(text.codePointAt(offset) ?? 0)

function numberHint(written: string): Text {
  const digits = written.replaceAll('_', '')
  if (/^\d+$/.test(digits)) return ['write', short(digits, 40)]
  if (/^[0-9.]+[eE][0-9]*$/.test(written)) return ['no-exponents']
  if (/^0[xXbBoO][0-9A-Fa-f_]+$/.test(written)) return ['no-bases']
  if (written.includes('.')) return ['point-digits']
  const rest = written.replace(/^\d+/, '')
  return ['mean-product', short(written.slice(0, -rest.length), 40), short(rest, 40)]
}

/** The tokens of a text. Throws SipError where a character or a number is wrong. */
export function tokenize(text: string, program: boolean): readonly Token[] {
  const limit = PROGRAM_CHARS_MAX
  if (text.length > limit && [...text].length > limit) {
    const cut = [...text].slice(0, limit).join('').length
    throw new SipError([problem('text-too-long', [cut, cut], null, { limit })])
  }
  const scanner = new Scanner(text, program)
  if (scanner.problems.length) throw new SipError(scanner.problems)
  return scanner.tokens
}

export type Colour = 'word' | 'type' | 'name' | 'function' | 'number' | 'operator' | 'bracket' | 'comment' | 'bad'
export type Highlight = { readonly colour: Colour; readonly start: number; readonly end: number }

/** The colours of a text, in the order of the text. This works for any text, right or wrong. */
export function highlight(text: string, program: boolean): Highlight[] {
  const { tokens, comments, problems } = new Scanner(text, program)
  const highlights = tokens.slice(0, -1).map((token, index): Highlight => ({
    colour: colourOf(token, tokens[index + 1]),
    start: token.start,
    end: token.end,
  }))
  const add = (colour: Colour, [start, end]: Span): number => highlights.push({ colour, start, end })
  for (const comment of comments) add('comment', comment)
  for (const finding of problems) if (finding.code === 'bad-character') add('bad', finding.span)
  return highlights.sort((a, b) => a.start - b.start)
}

function colourOf(token: Token, next: Token | undefined): Colour {
  if (token.kind === 'number') return 'number'
  if (token.kind === 'name') return FUNCTIONS.has(token.text) || next?.kind === '(' ? 'function' : 'name'
  if (/^(bool|nat|int|rat)$/.test(token.text)) return 'type'
  if (/^[a-z]/.test(token.text)) return 'word'
  return /^[(){}[\],;]$/.test(token.text) ? 'bracket' : 'operator'
}
