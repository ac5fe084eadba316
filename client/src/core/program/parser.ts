// The parser of programs: functions, blocks and statements. The parser of expressions is in ../text/parser.ts.

import * as foreign from '../text/foreign'
import { BLOCK_LEVELS_MAX, IF_BRANCHES_MAX, LOOP_LEVELS_MAX } from '../limits'
import { nearest } from '../checking/near'
import { KEYWORDS } from '../operators'
import { describe, ExpressionParser, spanOf } from '../text/parser'
import { type Basic, elementOf, type Expr, type NameExpr, type Param, type Span, type Type } from '../syntax'
import { type Arg, lookUp, SipError, type Text } from '../problems'
import { quoted, type Token, tokenize } from '../text/tokens'
import { readSwap, SWAP } from './swap'
import { STATEMENTS, TYPES as FOREIGN_TYPES } from './foreign'
import type {
  AssignStmt,
  Block,
  Branch,
  CassignStmt,
  IfStmt,
  SetStmt,
  SipFunction,
  Stmt,
  SwapStmt,
  VarStmt,
  WhileStmt,
} from './syntax'

const TYPES = new Set<string>(['bool', 'nat', 'int', 'rat'])
/** How many characters of what was written a hint repeats. */
const WRITTEN_CHARS_MAX = 40
/** The word before a measure. It is no word of the language elsewhere, so it may be a name. */
const DECREASES = 'decreases'
/** Kinds of tokens with which a statement or a clause starts. */
const STARTS = new Set('var if while print assume assert claim cassign return break pre post'.split(' '))
/** White space, as Python's str.split sees it. */
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

export class ProgramParser extends ExpressionParser {
  private blocks = 0
  private loops = 0

  functions(): SipFunction[] {
    if (this.token.kind === 'end') this.fail('empty', spanOf(this.token), null, { expected: ['a-program'] })
    const functions: SipFunction[] = []
    while (this.token.kind !== 'end') functions.push(this.function())
    return functions
  }

  private function(): SipFunction {
    const { start } = this.token
    if (!this.take('fn')) this.failUnlessFunction()
    else if (this.token.kind === 'name' && this.following.kind === 'name') this.failExpected(['bracket-after-name'])
    const name = this.newName(['function-name'])
    const opener = this.need('(', ['bracket-params'])
    const params = this.params()
    this.close(opener)
    const result = this.take(':') ? this.type() : null
    if (!result && this.token.kind === '->' && TYPES.has(this.following.kind)) {
      this.fail('expected', spanOf(this.token), ['write', `': ${this.following.text}'`], {
        expected: ['colon-result'],
        found: "'->'",
      })
    }
    const brace = this.need('{', ['brace-body'])
    const { pres, posts, measure } = this.contract()
    const statements = this.statements()
    const { end } = this.close(brace)
    const body: Block = { statements, span: [brace.start, end] }
    return { name: name.name, params, result, pres, posts, measure, body, span: [start, end], nameSpan: name.span }
  }

  private failUnlessFunction(): void {
    const { token, following } = this
    if (/^[})\]]$/.test(token.kind)) this.fail('not-closed-here', spanOf(token), null, { closer: token.text })
    this.failBareExpression()
    if (STARTS.has(token.kind) || following.kind === ':=' || following.kind === '=') {
      this.fail('expected', spanOf(token), ['inside-function'], { expected: ['a-function'], found: describe(token) })
    }
    if (following.kind === 'name' && (token.kind === 'name' || TYPES.has(token.kind))) {
      const hint: Text = ['write', `fn ${following.text}(x: nat): int { … }`]
      if (TYPES.has(token.kind)) this.failExpected(['a-function'], hint)
      this.fail('foreign-word', spanOf(token), hint, { found: token.text })
    }
    if (token.kind !== 'name') this.failExpected(['function-such-as'])
  }

  /** Reports a text that is an expression: somebody wants to check a fact instead of a program. */
  private failBareExpression(): void {
    if (this.position) return
    const reader = new ExpressionParser(this.text, this.tokens)
    try {
      reader.expression()
    } catch (error) {
      if (error instanceof SipError) return
      throw error
    }
    const ended = reader.token.kind === 'end' || (reader.token.kind === ';' && this.following.kind !== '=')
    if (ended && reader.following.kind === 'end' && !reader.problems.length) {
      this.fail('expression-not-program', [0, this.text.length], ['program-of-functions'])
    }
  }

  private params(): Param[] {
    const params: Param[] = []
    if (this.token.kind === ')') return params
    do {
      this.failTypeFirst()
      const names = this.names(['param-name'])
      this.need(':', ['colon-param'])
      const type = this.type()
      params.push(...names.map(({ name, span }) => ({ name, type, span })))
    } while (this.take(','))
    return params
  }

  private contract(): { pres: Expr[]; posts: Expr[]; measure: Expr[] } {
    const pres: Expr[] = []
    const posts: Expr[] = []
    let measure: Expr[] = []
    for (;;) {
      const word = this.token
      const { kind, text } = word
      const isMeasure = text === DECREASES && this.following.kind === '('
      if (kind !== 'pre' && kind !== 'post' && !isMeasure) return { pres, posts, measure }
      this.position++
      if (!isMeasure) (kind === 'pre' ? pres : posts).push(this.bracketed())
      else if (measure.length)
        this.fail('expected', spanOf(word), ['one-measure'], { expected: ['a-statement'], found: describe(word) })
      else {
        const opener = this.need('(')
        measure = this.measure()
        this.close(opener)
      }
      this.semicolon(['this-word', text])
    }
  }

  private measure(): Expr[] {
    const components = [this.wholeExpression()]
    while (this.take(',')) components.push(this.wholeExpression())
    return components
  }

  // Small parts

  private newName(expected: Arg): NameExpr {
    const { token } = this
    if (KEYWORDS.has(token.text)) this.fail('reserved-word', spanOf(token), ['choose-name'], { found: token.text })
    this.need('name', expected)
    return { kind: 'name', name: token.text, span: spanOf(token) }
  }

  private names(expected: Arg): NameExpr[] {
    const names = [this.newName(expected)]
    while (this.take(',')) names.push(this.newName(expected))
    return names
  }

  private target(): NameExpr {
    const token = this.take('result')
    return token ? { kind: 'name', name: 'result', span: spanOf(token) } : this.newName(['a-variable'])
  }

  private type(): Type {
    const { type, opener } = this.startOfType()
    if (opener) this.need(']', ['close-array', type], ['as-long'])
    return type
  }

  /** Reads the type of local variables; for arrays that start without a value their length stands in it: int[n]. */
  private typeAndLength(): { type: Type; length: Expr | null } {
    const { type, opener } = this.startOfType()
    const length = opener && this.token.kind !== ']' ? this.wholeExpression() : null
    if (opener) this.close(opener)
    return { type, length }
  }

  /** Reads a type; for one of arrays up to its '['. */
  private startOfType(): { type: Type; opener: Token | null } {
    const { token } = this
    if (TYPES.has(token.kind)) {
      this.position++
      const basic = token.kind as Basic
      const opener = this.take('[')
      return { type: opener ? `${basic}[]` : basic, opener }
    }
    if (token.kind !== 'name') return this.failExpected(['a-type'])
    const meant = lookUp(FOREIGN_TYPES, token.text.toLowerCase())
    this.report('unknown-type', spanOf(token), meant ? ['mean', meant] : null, { found: token.text })
    this.position++
    return { type: 'int', opener: null }
  }

  /** Reports the habit of C programmers to write the type before the name. */
  private failTypeFirst(): void {
    const { token, following } = this
    if (!TYPES.has(token.kind) || following.kind !== 'name') return
    this.fail('expected', spanOf(token), ['type-after-name', following.text, token.text], {
      expected: ['name-then-type'],
      found: describe(token),
    })
  }

  private bracketed(hint: Text | null = null): Expr {
    const opener = this.need('(', "'('", hint)
    const expression = this.wholeExpression()
    this.close(opener)
    return expression
  }

  wholeExpression(): Expr {
    this.nodes = 0
    this.level = 0
    this.quantifiers = 0
    return this.expression()
  }

  semicolon(what: Text): void {
    if (this.take(';')) return
    const { token, following, previousEnd } = this
    const named = token.kind === 'name' || token.kind === 'result'
    const starts = named
      ? following.kind === ':=' || following.kind === '='
      : STARTS.has(token.kind) || /^(}|end|fn)$/.test(token.kind)
    const newLine = this.text.slice(previousEnd, token.start).includes('\n')
    if (starts || (newLine && token.kind === 'name')) {
      this.report('missing-semicolon', [previousEnd, previousEnd], ['add-semicolon'], { what })
      return
    }
    if (/^[)\]]$/.test(token.kind)) this.fail('not-closed-here', spanOf(token), null, { closer: token.text })
    this.failExpected(['semicolon-after', what], this.oddTokenHint())
  }

  // Statements

  private block(): Block {
    const brace = this.need('{', ['brace-block'], ['block-braces'])
    if (++this.blocks > BLOCK_LEVELS_MAX) this.fail('blocks-too-deep', spanOf(brace), null, { limit: BLOCK_LEVELS_MAX })
    const statements = this.statements()
    const { end } = this.close(brace)
    this.blocks--
    return { statements, span: [brace.start, end] }
  }

  private statements(): Stmt[] {
    const statements: Stmt[] = []
    while (!/^(}|end|fn)$/.test(this.token.kind)) {
      const last = statements.at(-1)
      if (last?.kind === 'return' || last?.kind === 'break')
        this.fail('unreachable', last.span, ['end-of-block'], { found: last.kind })
      statements.push(this.statement())
    }
    return statements
  }

  private statement(): Stmt {
    const { token } = this
    const span = spanOf(token)
    switch (token.kind) {
      case 'name':
      case 'result':
        return this.assignment()
      case 'var':
        return this.declaration()
      case 'if':
        return this.conditional()
      case 'while':
        return this.loop()
      case 'print':
      case 'cassign':
      case 'return':
      case 'break':
      case 'assume':
      case 'assert':
      case 'claim': {
        this.position++
        const statement = this.simpleStatement(token.kind, token.start)
        this.semicolon(['this-word', token.kind])
        return statement
      }
      case 'pre':
      case 'post':
        return this.fail('clause-too-late', span, ['clause-to-top'], { found: token.kind })
      case ';':
        return this.fail('expected', span, ['leave-semicolon'], { expected: ['a-statement'], found: "';'" })
      case 'else':
        return this.fail('expected', span, ['else-after'], { expected: ['a-statement'], found: "'else'" })
      default:
        return this.failStatement(token)
    }
  }

  private failStatement(token: Token): never {
    const { following } = this
    if (TYPES.has(token.kind) && following.kind === 'name') {
      this.fail('declaration-without-var', spanOf(token), ['write', `var ${following.text}: ${token.text};`])
    }
    if ((token.kind === '+' || token.kind === '-') && following.kind === token.kind) {
      this.fail('compound-assignment', [token.start, following.end], ['write', 'x := x + 1;'], {
        found: token.text + token.text,
      })
    }
    return this.failExpected(['a-statement'])
  }

  private simpleStatement(
    kind: 'print' | 'cassign' | 'return' | 'break' | 'assume' | 'assert' | 'claim',
    start: number,
  ): Stmt {
    if (kind === 'cassign') return this.choice(start)
    if (kind === 'break') {
      const span: Span = [start, this.previousEnd]
      if (!this.loops) this.fail('break-outside-loop', span, ['break-leaves'])
      return { kind, span }
    }
    if (kind === 'return') {
      if (this.token.kind === ';') this.failExpected(['value-to-return'])
      const value = this.wholeExpression()
      return { kind, value, span: [start, this.previousEnd] }
    }
    if (kind !== 'print') {
      const condition = this.bracketed(this.bracketHint(kind))
      return { kind, condition, span: [start, this.previousEnd] }
    }
    const opener = this.need('(', "'('", this.bracketHint(kind))
    const values: Expr[] = []
    if (this.token.kind !== ')') {
      do values.push(this.wholeExpression())
      while (this.take(','))
    }
    return { kind, values, span: [start, this.close(opener).end] }
  }

  /** A hint for `assert n > 0;`: the same statement with brackets. */
  private bracketHint(kind: string): Text {
    const { start } = this.token
    const end = this.text.indexOf(';', start)
    const words = this.text.slice(start, end < 0 ? this.text.length : end).split(BLANKS)
    const written = words.filter(Boolean).join(' ')
    const plain = written && [...written].length <= WRITTEN_CHARS_MAX && !/[{}#]/.test(written)
    return ['write', `${kind}(${plain ? written : '…'});`]
  }

  private choice(start: number): CassignStmt {
    const opener = this.need('(', ['cassign-round'])
    const bracket = this.need('[', ['cassign-square'])
    const targets = [this.target()]
    while (this.take(',')) targets.push(this.target())
    this.close(bracket)
    this.need(',', ['cassign-comma'])
    const condition = this.wholeExpression()
    return { kind: 'cassign', targets, condition, span: [start, this.close(opener).end] }
  }

  private declaration(): VarStmt {
    const { start } = this.need('var')
    this.failTypeFirst()
    const names = this.names(['variable-name'])
    if (this.token.kind !== ':') {
      const given = this.token.kind === ':=' || this.token.kind === '='
      let hint: Text = given
        ? ['declaration-write', names[0]?.name ?? '', this.guessedDeclaration()]
        : ['declaration-type']
      if (this.token.kind === '[') hint = ['length-behind', names.at(-1)?.name ?? '']
      this.fail('expected', spanOf(this.token), hint, { expected: ['colon-type'], found: describe(this.token) })
    }
    this.position++
    const { type, length } = this.typeAndLength()
    if (length && /^:?=$/.test(this.token.kind)) this.failExpected("';'", ['length-given', names[0]?.name ?? '', type])
    const equals = this.take('=')
    if (equals) this.report('assignment-with-equals', spanOf(equals), ['mean', "':='"])
    const value = equals || this.take(':=') ? this.initialValue(type) : null
    const end = this.previousEnd
    this.semicolon(['this-declaration'])
    return { kind: 'var', names, type, value, length, span: [start, end] }
  }

  private initialValue(type: Type): Expr {
    if (elementOf(type) && /^[[{]$/.test(this.token.kind)) this.failExpected(['array-name'], ['no-array-values'])
    return this.wholeExpression()
  }

  /** For `var x := 1;`: a guess of what should follow the name and its colon. */
  private guessedDeclaration(): string {
    const value = this.following
    const shown = this.tokenAt(this.position + 2).kind === ';' ? value.text : '…'
    return `${/^(true|false)$/.test(value.kind) ? 'bool' : 'int'} := ${shown}`
  }

  private assignment(): AssignStmt | SetStmt | SwapStmt {
    const { token } = this
    const target: NameExpr = { kind: 'name', name: token.text, span: spanOf(token) }
    this.position++
    if (token.text === SWAP && this.token.kind === '(') return readSwap(this, token)
    const opener = token.kind === 'name' ? this.take('[') : null
    const index = opener && this.wholeExpression()
    if (opener) this.close(opener)
    const shown = this.text.slice(token.start, this.previousEnd).split(BLANKS).filter(Boolean).join(' ')
    const equals = this.take('=')
    if (equals) this.report('assignment-with-equals', spanOf(equals), ['mean', "':='"])
    else if (!this.take(':=')) this.failAssignment(token, shown)
    if (this.token.kind === 'if') this.failExpected(['value'], ['if-statement', shown])
    const value = this.wholeExpression()
    const span: Span = [token.start, this.previousEnd]
    this.semicolon(['this-assignment'])
    return index ? { kind: 'set', array: target, index, value, span } : { kind: 'assign', target, value, span }
  }

  /** Reports a statement that starts with a name and is no assignment. */
  private failAssignment(name: Token, shown: string): never {
    const { token, following } = this
    const sign = token.text + following.text
    const stepped = sign === '++' || sign === '--'
    if (following.start === token.end && (following.kind === '=' || stepped)) {
      const hint = `${shown} := ${shown} ${token.text} ${stepped ? '1' : '…'};`
      this.fail('compound-assignment', [token.start, following.end], ['write', hint], { found: sign })
    }
    this.failForeignStart(name)
    if (token.kind === '(' && name.text === DECREASES)
      this.fail('clause-too-late', spanOf(name), ['clause-to-top'], { found: name.text })
    const near = nearest(name.text, [...STARTS], 0.7)
    if (token.kind === '(')
      this.fail('call-as-statement', spanOf(name), near ? ['mean', quoted(near)] : ['assign-value'])
    if (token.kind === ':' && TYPES.has(following.kind)) {
      this.fail('declaration-without-var', spanOf(name), ['write', `var ${name.text}: ${following.text};`])
    }
    let hint: Text | null = near && token.kind !== 'end' ? ['mean', quoted(near)] : null
    if (token.kind === ',') hint = ['one-at-a-time']
    if (token.kind === '[') hint = ['no-arrays-inside']
    return this.fail('expected', spanOf(token), hint, { expected: ['assign-after', shown], found: describe(token) })
  }

  private failForeignStart(token: Token): void {
    const hint = lookUp(STATEMENTS, token.text) ?? lookUp(foreign.WORDS, token.text)
    if (hint) this.fail('foreign-word', spanOf(token), hint, { found: token.text })
  }

  private conditional(): IfStmt {
    const { start } = this.need('if')
    const branches = [this.branch(start)]
    const none: Span = [this.previousEnd, this.previousEnd]
    let otherwise: Block = { statements: [], span: none }
    for (let word = this.take('else'); word; word = this.take('else')) {
      if (!this.take('if')) {
        otherwise = this.block()
        break
      }
      if (branches.length === IF_BRANCHES_MAX)
        this.fail('too-many-branches', spanOf(word), null, { limit: IF_BRANCHES_MAX })
      branches.push(this.branch(word.start))
    }
    return { kind: 'if', branches, otherwise, span: [start, this.previousEnd] }
  }

  private branch(start: number): Branch {
    const test = this.bracketed(['if-brackets'])
    if (this.token.text === 'then') this.failForeignStart(this.token)
    const body = this.block()
    return { test, body, span: [start, this.previousEnd] }
  }

  private loop(): WhileStmt {
    const word = this.need('while')
    if (++this.loops > LOOP_LEVELS_MAX) this.fail('loops-too-deep', spanOf(word), null, { limit: LOOP_LEVELS_MAX })
    const bracket = this.take('[')
    let invariant: Expr | null = null
    if (bracket) {
      invariant = this.wholeExpression()
      this.close(bracket)
    }
    const test = this.bracketed(['while-brackets'])
    if (/^(do|invariant|variant)$/.test(this.token.text)) this.failForeignStart(this.token)
    let measure: Expr[] = []
    if (this.token.text === DECREASES) {
      this.position++
      measure = this.measure()
    }
    const body = this.block()
    this.loops--
    return { kind: 'while', invariant, test, body, measure, span: [word.start, this.previousEnd] }
  }
}

/** Reads the functions of a program, or throws SipError. */
export function parseProgram(text: string): SipFunction[] {
  const parser = new ProgramParser(text, tokenize(text, true))
  const functions = parser.functions()
  if (parser.problems.length) throw new SipError(parser.problems)
  return functions
}
