// A Pratt parser of expressions, driven by the table of operators. Where a mistake is plain, such as ':=' for '=', the
// parser reports it, reads on as if the right sign stood there, and so finds further problems.

import { arrayPart, lacksArrays } from '../extension'
import * as foreign from './foreign'
import { EXPRESSION_LEVELS_MAX, EXPRESSION_NODES_MAX, READING_LEVELS_MAX } from '../limits'
import { parseLiteral } from '../running/numbers'
import { COMPARISON_PRECEDENCE, COMPARISONS, FUNCTIONS, INFIX, PREFIX } from '../operators'
import type { CallExpr, CompareExpr, Expr, OldExpr, Span } from '../syntax'
import {
  type Arg,
  type ProblemCode,
  type Details,
  type Finding,
  lookUp,
  problem,
  SipError,
  short,
  type Text,
} from '../problems'
import { quoted, type Token, tokenize } from './tokens'

/**
 * The kind of an operator's token → its precedence and the least precedence of its right operand. ':=' is read as '='
 * and reported.
 */
const PRECEDENCES = new Map(
  [...INFIX.values()].map(({ token, precedence, associativity }) => [
    token,
    [precedence, precedence + (associativity === 'left' ? 1 : 0)] as const,
  ]),
)
for (const token of [...COMPARISONS.keys(), ':='])
  PRECEDENCES.set(token, [COMPARISON_PRECEDENCE, COMPARISON_PRECEDENCE + 1])
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** Kinds of tokens that can end a value. */
const BEFORE_ODD = new Set(['name', 'number', ')', 'result'])
/** Anything but white space, as Python's str.strip sees it: U+FEFF is no white space. */
const NOT_BLANK = /[^\s]|\ufeff/

export const spanOf = (token: Token): Span => [token.start, token.end]

export function describe(token: Token): Arg {
  if (token.kind === 'end') return ['the-end']
  return token.kind === 'number' ? ['the-number', short(token.text, 20)] : quoted(token.text)
}

export class ExpressionParser {
  position = 0
  readonly problems: Finding[] = []
  level = 0
  nodes = 0
  /** The height of the tree of the expression that was read last. */
  height = 0
  /** How many quantifiers are being read, each inside the one before. */
  quantifiers = 0

  constructor(
    readonly text: string,
    readonly tokens: readonly Token[],
  ) {}

  // Reading tokens

  /** The token at an index. An index outside the list means the first or the last token. */
  tokenAt(index: number): Token {
    return this.tokens[Math.max(0, Math.min(index, this.tokens.length - 1))] as Token
  }

  get token(): Token {
    return this.tokenAt(this.position)
  }

  get following(): Token {
    return this.tokenAt(this.position + 1)
  }

  get previousEnd(): number {
    return this.position ? this.tokenAt(this.position - 1).end : 0
  }

  take(kind: string): Token | null {
    const { token } = this
    if (token.kind !== kind) return null
    this.position++
    return token
  }

  need(kind: string, expected: Arg = quoted(kind), hint: Text | null = null): Token {
    return this.take(kind) ?? this.failExpected(expected, hint)
  }

  close(opener: Token): Token {
    const closer = CLOSERS[opener.kind] as string
    const token = this.take(closer)
    if (token) return token
    this.failIfForeign()
    const hint = this.token.kind === ';' ? null : this.oddTokenHint()
    return this.fail('unclosed', spanOf(opener), hint, { opened: opener.text, closer, found: describe(this.token) })
  }

  // Reporting

  report(code: ProblemCode, span: Span, hint: Text | null = null, details: Details = {}): void {
    this.problems.push(problem(code, span, hint, details))
  }

  fail(code: ProblemCode, span: Span, hint: Text | null = null, details: Details = {}): never {
    this.report(code, span, hint, details)
    throw new SipError(this.problems)
  }

  failExpected(expected: Arg, hint: Text | null = null): never {
    this.failIfForeign()
    return this.fail('expected', spanOf(this.token), hint, { expected, found: describe(this.token) })
  }

  /** If the unexpected token and its neighbours are a habit from another language, reports that instead. */
  failIfForeign(): void {
    for (const token of [this.token, this.tokenAt(this.position - 1)]) {
      const hint = token.kind === 'name' && lookUp(foreign.WORDS, token.text)
      if (hint) this.fail('foreign-word', spanOf(token), hint, { found: token.text })
    }
    for (const [first, last] of [
      [-2, 0],
      [-1, 0],
      [0, 1],
    ] as const) {
      const around = this.tokens.slice(Math.max(0, this.position + first), this.position + last + 1)
      const span: Span = [around[0]?.start ?? 0, around.at(-1)?.end ?? 0]
      const written = around.map((neighbour) => neighbour.text).join('')
      const hint = lookUp(foreign.OPERATORS, written)
      if (hint && span[1] - span[0] === written.length) this.fail('foreign-operator', span, hint, { found: written })
    }
    for (const index of [Math.max(0, this.position - 1), this.position]) this.failIfSplit(index)
  }

  private failIfSplit(index: number): void {
    const before = this.tokenAt(index)
    const token = this.tokenAt(index + 1)
    const factorial = before.kind === '!' && index > 0 && this.tokenAt(index - 1).end === before.start
    const meant = lookUp(foreign.SPLIT_OPERATORS, `${before.kind} ${token.kind}`)
    if (!meant || factorial || before.end >= token.start || NOT_BLANK.test(this.text.slice(before.end, token.start)))
      return
    this.fail('foreign-operator', [before.start, token.end], ['no-gap', meant], {
      found: `${before.text} ${token.text}`,
    })
  }

  /** A hint for the case that a complete value is followed by an unexpected token. */
  oddTokenHint(): Text | null {
    const { token, following } = this
    const before = this.tokenAt(this.position - 1)
    if (!this.position || !BEFORE_ODD.has(before.kind)) return null
    const builtin = FUNCTIONS.get(before.text)
    if (builtin && ['name', 'number', 'result'].includes(token.kind)) return ['write', `${before.text}(${token.text})`]
    if (builtin && token.kind === 'old') return ['write', builtin.example]
    if (/^(sum|count)$/.test(before.text) && token.kind === 'name')
      return ['write', `${before.text} ${token.text} in 0..n: …`]
    if (token.kind === ';' && following.kind !== 'end') return ['and-between']
    if (this.text.slice(0, token.start).split('\n').at(-1)?.includes('//')) return ['slashes-divide']
    if (token.kind !== ',') return lookUp(foreign.AFTER_A_VALUE, token.kind) ?? null
    return before.kind === 'number' && following.kind === 'number'
      ? ['decimal-point', before.text, following.text]
      : ['and-between']
  }

  // Expressions

  /** Reads an expression of operators whose precedence is at least `least`. */
  expression(least = 0): Expr {
    if (++this.level > READING_LEVELS_MAX)
      this.fail('too-deep', spanOf(this.token), null, { limit: READING_LEVELS_MAX })
    const { start } = this.token
    let left = this.operand()
    for (;;) {
      const { token } = this
      const precedence = PRECEDENCES.get(token.kind)
      if (!precedence || precedence[0] < least) break
      if (precedence[0] === COMPARISON_PRECEDENCE) {
        left = this.chain(left, start)
        continue
      }
      this.position++
      const { height } = this
      const right = this.expression(precedence[1])
      this.grow(height, spanOf(token))
      left = { kind: 'binary', op: token.kind, left, right, span: [start, this.previousEnd] }
    }
    this.level--
    return left
  }

  private chain(first: Expr, start: number): CompareExpr {
    const operands = [first]
    const ops: string[] = []
    let { height } = this
    for (;;) {
      const { token } = this
      const assigns = token.kind === ':='
      if (assigns) this.report('assignment-in-expression', spanOf(token), ['mean', "'='"])
      else if (!COMPARISONS.has(token.kind)) break
      this.position++
      ops.push(assigns ? '=' : token.kind)
      operands.push(this.expression(COMPARISON_PRECEDENCE + 1))
      height = Math.max(height, this.height)
      this.height = 0
      this.grow(height, spanOf(token))
    }
    return { kind: 'compare', operands, ops, span: [start, this.previousEnd] }
  }

  /** Counts a node whose operands are a part of this height and the part that was read last. */
  grow(height: number, span: Span): void {
    this.nodes++
    this.height = Math.max(height, this.height) + 1
    if (this.height > EXPRESSION_LEVELS_MAX)
      this.fail('too-deep', span, ['split-expression'], { limit: EXPRESSION_LEVELS_MAX })
    if (this.nodes > EXPRESSION_NODES_MAX)
      this.fail('expression-too-large', span, null, { limit: EXPRESSION_NODES_MAX })
  }

  private operand(): Expr {
    const { token } = this
    const { kind } = token
    const prefix = PREFIX.get(kind)
    this.position++
    if (kind === 'name' && this.token.kind === '(') return this.call(token)
    const own = arrayPart()?.operand(this, token)
    if (own) return own
    if (kind === 'old') return this.old(token)
    if (kind === '(') {
      const inner = this.expression()
      this.close(token)
      return inner
    }
    if (prefix) {
      const operand = this.expression(prefix.precedence)
      this.grow(0, spanOf(token))
      return { kind: 'unary', op: kind, operand, span: [token.start, this.previousEnd] }
    }
    const leaf = leafOf(token)
    if (leaf) {
      this.leaf(token)
      return leaf
    }
    this.position--
    return this.failExpected(['value'], lookUp(foreign.INSTEAD_OF_A_VALUE, kind) ?? null)
  }

  leaf(token: Token): void {
    this.height = 0
    this.grow(0, spanOf(token))
  }

  private call(name: Token): CallExpr {
    const opener = this.need('(')
    const args: Expr[] = []
    let height = 0
    if (this.token.kind !== ')') {
      do {
        const arg = this.expression()
        height = Math.max(height, this.height)
        const range = arrayPart()?.range(this, name, arg)
        args.push(arg, ...(range ?? []))
        if (range) {
          height = Math.max(height, this.height)
          break
        }
      } while (this.take(','))
    }
    const { end } = this.close(opener)
    this.height = 0
    this.grow(height, spanOf(name))
    return { kind: 'call', name: name.text, args, span: [name.start, end] }
  }

  old(word: Token): OldExpr {
    const opener = this.need('(', ['old-bracket'])
    const name = this.take('name')
    if (!name || this.token.kind !== ')')
      return this.fail('bad-old', spanOf(this.token), ['one-old', name?.text ?? 'x'])
    const { end } = this.close(opener)
    this.leaf(word)
    return { kind: 'old', name: name.text, span: [word.start, end] }
  }
}

function leafOf(token: Token): Expr | null {
  const span = spanOf(token)
  switch (token.kind) {
    case 'name':
    case 'result':
      return { kind: 'name', name: token.text, span }
    case 'number':
      return { kind: 'number', value: parseLiteral(token.text), span }
    case 'true':
    case 'false':
      return { kind: 'boolean', value: token.kind === 'true', span }
    default:
      return null
  }
}

/** Reads the text as one expression, or throws SipError. */
export function parseExpression(text: string): Expr {
  if (lacksArrays(text)) throw new SipError([])
  const parser = new ExpressionParser(text, tokenize(text, false))
  if (parser.token.kind === 'end') parser.fail('empty', spanOf(parser.token), null, { expected: ['an-expression'] })
  const expression = parser.expression()
  const { token } = parser
  if (/^[)\]}]$/.test(token.kind)) parser.fail('not-closed-here', spanOf(token), null, { closer: token.text })
  if (token.kind !== 'end') {
    parser.failIfForeign()
    parser.fail('extra-text', spanOf(token), parser.oddTokenHint(), { found: describe(token) })
  }
  if (parser.problems.length) throw new SipError(parser.problems)
  return expression
}
