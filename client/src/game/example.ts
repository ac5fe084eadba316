// An example for the empty entry box: a text that is true in all rows that are known here and that does not follow from
// the types alone. Where there is none, the box says what to type in neutral words.

import { type Trace, type Value, Stop } from '../core'
import type { KeptTrace } from './preview'
import { firstFailing } from './runs'

/** How many rows a table must have, so that an example is not true by chance. */
const ROWS_MIN = 3

/** The text of an example, or null. */
export function exampleFor(trace: Trace, kept: readonly KeptTrace[]): string | null {
  if (trace.rows.length < ROWS_MIN) return null
  const names = [...trace.scope.variables].filter(([, type]) => type === 'int' || type === 'nat').map(([name]) => name)
  const moving = names.filter((name) => isMoving(trace, name))
  const candidates = moving.flatMap((name) => [
    ...(trace.scope.variables.get(name) === 'int' ? [`${name} >= ${lowest(trace, name)}`] : []),
    ...names.filter((other) => other !== name).map((other) => `${name} <= ${other}`),
  ])
  return candidates.find((text) => isTrue(trace, kept, text)) ?? null
}

const isTrue = (trace: Trace, kept: readonly KeptTrace[], text: string): boolean =>
  [trace, ...kept.map((one) => one.trace)].every((rows) => firstFailing(rows, text) < 0)

const valuesOf = (trace: Trace, name: string): readonly (Value | Stop)[] =>
  trace.values({ kind: 'name', name, span: [0, 0] })

const isMoving = (trace: Trace, name: string): boolean => new Set(valuesOf(trace, name).map(String)).size > 1

/** The lowest value of a column, or 0 where that is not a small number: examples have small numbers. */
function lowest(trace: Trace, name: string): number {
  const numbers = valuesOf(trace, name).map(Number)
  const least = Math.min(...numbers)
  return Number.isSafeInteger(least) && least >= 0 && least <= 1 ? least : 0
}
