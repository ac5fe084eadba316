// Power-ups of the game without code: operators and functions that the accepted expressions have neglected so far. The
// client only shows them; the server scores.

import { expressions } from '../core/syntax'
import { type Expr, parseExpression, SipError } from '../core'

/** The signs that can be a power-up, the plainer ones first. */
export const POWER_UPS = ['=', '<=', '+', '*', '^', '%', '//', 'gcd', 'min', 'max', '->', '|', '!='] as const
export type PowerUp = (typeof POWER_UPS)[number]
/** How many power-ups are shown at a time. */
const SHOWN_MAX = 3
/** A sign → the power-up that it counts for. */
const COUNTS_FOR: Readonly<Record<string, PowerUp>> = {
  '<': '<=',
  '>': '<=',
  '>=': '<=',
  '-': '+',
  '/': '*',
  abs: 'max',
}

/** The power-ups that an expression uses; none where the text cannot be read. */
export function powerUpsOf(text: string): ReadonlySet<PowerUp> {
  try {
    return new Set(expressions(parseExpression(text)).flatMap(signs).flatMap(asPowerUp))
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

const asPowerUp = (sign: string): PowerUp[] => {
  const powerUp = COUNTS_FOR[sign] ?? POWER_UPS.find((candidate) => candidate === sign)
  return powerUp ? [powerUp] : []
}

/**
 * The signs that are worth trying now: those that the accepted expressions use least. None of them is used as often as
 * the most used one.
 */
export function neglectedSigns(accepted: readonly string[]): readonly PowerUp[] {
  const counts = new Map<PowerUp, number>(POWER_UPS.map((powerUp) => [powerUp, 0]))
  for (const text of accepted)
    for (const powerUp of powerUpsOf(text)) counts.set(powerUp, (counts.get(powerUp) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return POWER_UPS.filter((powerUp) => (counts.get(powerUp) ?? 0) < most)
    .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    .slice(0, SHOWN_MAX)
}

/** The neglected signs that this text uses. */
export const usedPowerUps = (text: string, accepted: readonly string[]): readonly PowerUp[] => {
  const used = powerUpsOf(text)
  return neglectedSigns(accepted).filter((powerUp) => used.has(powerUp))
}
