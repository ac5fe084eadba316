// What a guarantee says, in words: relations and connectives become words, terms stay as they are written. It says
// neither more nor less than the expression, because each operator has one wording.

import { type Expr, parseExpression, printExpression, SipError } from '../core'
import type { SayMore } from '../game/board/more'

/** Relation → the key of its words. */
const RELATIONS = {
  '=': 'plain.equal',
  '!=': 'plain.different',
  '<=': 'plain.most',
  '<': 'plain.less',
  '>=': 'plain.least',
  '>': 'plain.greater',
} as const

/** The guarantee in words; the text itself, as code, where it cannot be read. */
export function inWords(text: string, more: SayMore): string {
  try {
    return said(parseExpression(text), more, false)
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return code(text)
  }
}

const code = (text: string): string => `\`${text}\``
const term = (expr: Expr): string => code(printExpression(expr))

/** `inside`: whether it is a part of another sentence, so that its own parts need brackets. */
function said(expr: Expr, more: SayMore, inside: boolean): string {
  const bracketed = (words: string): string => (inside ? `(${words})` : words)
  switch (expr.kind) {
    case 'compare': {
      const links = expr.ops.map((op, index) => link(op, expr.operands[index], expr.operands[index + 1], more))
      return links.length > 1 ? bracketed(links.join(more('plain.and'))) : (links[0] ?? '')
    }
    case 'binary':
      if (expr.op === '&')
        return bracketed([expr.left, expr.right].map((part) => said(part, more, isLoose(part))).join(more('plain.and')))
      if (expr.op === '|')
        return bracketed(`${said(expr.left, more, true)}${more('plain.or')}${said(expr.right, more, true)}`)
      if (expr.op === '->')
        return bracketed(more('plain.if', said(expr.left, more, true), said(expr.right, more, true)))
      return more('plain.true', term(expr))
    case 'unary':
      return expr.op === '!' ? more('plain.not', said(expr.operand, more, true)) : more('plain.true', term(expr))
    case 'call': {
      const [value, base] = expr.args
      if (expr.name === 'ispow' && value && base) return more('plain.power', term(value), term(base))
      return more('plain.true', term(expr))
    }
    default:
      return more('plain.true', term(expr))
  }
}

/** Whether a part of a conjunction needs brackets. Conjunctions inside of it do not. */
const isLoose = (expr: Expr): boolean => expr.kind === 'binary' && (expr.op === '|' || expr.op === '->')

function link(op: string, left: Expr | undefined, right: Expr | undefined, more: SayMore): string {
  if (!left || !right) return ''
  if (op === '=' && left.kind === 'binary' && left.op === '%') {
    const isZero = right.kind === 'number' && printExpression(right) === '0'
    return isZero
      ? more('plain.multiple', term(left.left), term(left.right))
      : more('plain.remainder', term(left.left), term(left.right), term(right))
  }
  const words = RELATIONS[op as keyof typeof RELATIONS]
  return more(words, term(left), term(right))
}
