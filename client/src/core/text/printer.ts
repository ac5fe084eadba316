// The canonical text of expressions. Parsing it gives the same tree again, and two texts of the same tree are printed
// the same.

import { arrayPart } from '../extension'
import { divmod, type Int, mulInt, type Num, Rat } from '../running/numbers'
import { COMPARISON_PRECEDENCE, INFIX, PREFIX } from '../operators'
import type { Expr } from '../syntax'

/** The precedence of what never needs brackets: higher than that of any operator. */
export const ATOM = 100
/**
 * How many digits after the point a fraction may need to be printed as a decimal; a literal cannot have more digits.
 */
const DECIMALS_MAX = 1000

export function printExpression(expr: Expr): string {
  return print(expr)[0]
}

/** The text and the precedence of its outermost operator. */
function print(expr: Expr): [text: string, precedence: number] {
  switch (expr.kind) {
    case 'number':
      return [printNumber(expr.value), ATOM]
    case 'boolean':
      return [`${expr.value}`, ATOM]
    case 'name':
      return [expr.name, ATOM]
    case 'old':
      return [`old(${expr.name})`, ATOM]
    case 'call':
      return [`${expr.name}(${arrayPart()?.args(expr) ?? expr.args.map(printExpression).join(', ')})`, ATOM]
    case 'unary': {
      const precedence = PREFIX.get(expr.op)?.precedence ?? 0
      // `!(x = y)` rather than the equivalent `!x = y`, which most people misread.
      const least = expr.op === '!' && expr.operand.kind === 'compare' ? COMPARISON_PRECEDENCE + 1 : precedence
      return [expr.op + within(expr.operand, least), precedence]
    }
    case 'binary': {
      const operator = INFIX.get(expr.op)
      const low = operator?.precedence ?? 0
      const toLeft = operator?.associativity === 'left' ? 1 : 0
      const sign = expr.op === '^' ? '^' : ` ${expr.op} `
      return [within(expr.left, low + 1 - toLeft) + sign + within(expr.right, low + toLeft), low]
    }
    case 'compare': {
      const last = expr.operands.length - 1
      // Nothing that may follow a comparison belongs to the body of a sum or a count.
      const [first = '', ...others] = expr.operands.map((operand, index) =>
        index === last && operand.kind === 'quantified' && /^(sum|count)$/.test(operand.word)
          ? printExpression(operand)
          : within(operand, COMPARISON_PRECEDENCE + 1),
      )
      return [first + others.map((operand, index) => ` ${expr.ops[index]} ${operand}`).join(''), COMPARISON_PRECEDENCE]
    }
    default:
      return arrayPart()?.print(expr) ?? ['', ATOM]
  }
}

export function within(expr: Expr, least: number): string {
  const [text, precedence] = print(expr)
  return precedence < least ? `(${text})` : text
}

/** A literal. A fraction that is a finite decimal is printed as one, any other as a quotient. */
function printNumber(value: Num): string {
  if (!(value instanceof Rat)) return `${value}`
  let scale: Int = 1
  for (let digits = 0; digits <= DECIMALS_MAX; digits++, scale = mulInt(scale, 10)) {
    const [factor, rest] = divmod(scale, value.d)
    if (rest) continue
    const whole = `${mulInt(value.n, factor)}`.padStart(digits + 1, '0')
    return `${whole.slice(0, -digits)}.${whole.slice(-digits)}`
  }
  return `(${value.n} / ${value.d})`
}
