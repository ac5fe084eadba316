// Where and why a draft about arrays is false, in a sentence.

import type { Coloured, Trace } from '../../core'
import { witness } from '../../core/arrays/witness'
import { numbersIn } from './cells'
import { a } from './words'

/** How many cells an array has in a row; null where it is no column. */
function cellCount(trace: Trace, array: string, row: number): number | null {
  const value = trace.rows[row]?.[[...trace.scope.variables.keys()].indexOf(array)]
  return Array.isArray(value) ? value.length : null
}

/** The sentence about the first row in which the draft fails; null where there is nothing about arrays to be said. */
export function failureText(trace: Trace, { expr, firstFailing }: Coloured): string | null {
  const why = firstFailing < 0 ? null : witness(trace, expr, firstFailing)
  if (!why) return null
  const row = firstFailing + 1
  if (why.stop?.cause === 'index') {
    const outside = why.cells.flatMap(({ array, index }) => {
      const count = cellCount(trace, array, firstFailing)
      return count === null || (Number(index) >= 0 && Number(index) < count) ? [] : [{ array, index, count }]
    })[0]
    if (outside) return a('fails.outside', row, `\`${outside.array}[${outside.index}]\``, outside.array, outside.count)
  }
  const numbers = numbersIn(why)
  return numbers ? a('fails.for', row, numbers) : null
}
