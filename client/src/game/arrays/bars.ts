// Arrays as bars.

import { cellTexts } from '../../core/cells'

export type Bar = { readonly text: string; readonly value: number }
export type Bars = {
  readonly rows: readonly (readonly Bar[])[]
  /** The least and the greatest value; 0 is between them. */
  readonly low: number
  readonly high: number
  /** The most cells of a row. */
  readonly count: number
}

/** A value as a number for drawing. Fractions are written as "-7/3". */
function number(text: string): number {
  if (text === 'true' || text === 'false') return Number(text === 'true')
  const [top = '', bottom = '1'] = text.split('/')
  return Number(top) / Number(bottom)
}

/** At most so many cells of each row. */
export function barsOf(texts: readonly string[], most: number): Bars {
  const rows = texts.map((text) =>
    cellTexts(text)
      .slice(0, most)
      .map((cell): Bar => ({ text: cell, value: number(cell) })),
  )
  let [low, high, count] = [0, 0, 0]
  for (const row of rows) {
    count = Math.max(count, row.length)
    for (const { value } of row) {
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  return { rows, low, high: high === low ? low + 1 : high, count }
}
