// Power-ups of the trace-only game: signs that the accepted expressions have neglected so far. Only shown; the server scores.

import { expressions } from '../core/syntax'
import { type Expr, parseExpression, SipError } from '../core'

/** What a power-up can be for, the plainer ones first. */
export const POWERS = ['=', '<=', '+', '*', '^', '%', '//', 'gcd', 'min', 'max', '->', '|', '!='] as const
export type Power = (typeof POWERS)[number]
const SHOWN_MAX = 3
/** Signs that count for another one. */
const SAME: Readonly<Record<string, Power>> = { '<': '<=', '>': '<=', '>=': '<=', '-': '+', '/': '*', abs: 'max' }

/** The signs that an expression uses; none where the text cannot be read. */
export function powersOf(text: string): ReadonlySet<Power> {
  try {
    return new Set(expressions(parseExpression(text)).flatMap(signs).flatMap(asPower))
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return new Set()
  }
}

function signs(expr: Expr): readonly string[] {
  switch (expr.kind) {
    case 'compare':
      return expr.ops
    case 'binary':
    case 'unary':
      return [expr.op]
    case 'call':
      return [expr.name]
    default:
      return []
  }
}

const asPower = (sign: string): Power[] => {
  const powerUp = SAME[sign] ?? POWERS.find((candidate) => candidate === sign)
  return powerUp ? [powerUp] : []
}

/** The signs worth trying now: those used least by what was accepted, and less than the most used one. */
export function neglected(accepted: readonly string[]): readonly Power[] {
  const counts = new Map<Power, number>(POWERS.map((powerUp) => [powerUp, 0]))
  for (const text of accepted) for (const powerUp of powersOf(text)) counts.set(powerUp, (counts.get(powerUp) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return POWERS.filter((powerUp) => (counts.get(powerUp) ?? 0) < most)
    .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    .slice(0, SHOWN_MAX)
}

/** The neglected signs that this text uses. */
export const poweredBy = (text: string, accepted: readonly string[]): readonly Power[] => {
  const used = powersOf(text)
  return neglected(accepted).filter((powerUp) => used.has(powerUp))
}
