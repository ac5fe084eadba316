// Arrays as texts of a few characters, for chips and labels.

import { cellTexts } from '../../core'

/** How many cells are shown, and how many of each end of a longer array. */
const SHOWN_MAX = 6
const ENDS = 2

/** Other values stay as they are. */
export function shortArray(text: string): string {
  const cells = text.startsWith('[') ? cellTexts(text) : []
  if (cells.length <= SHOWN_MAX) return text
  return `[${cells.slice(0, ENDS).join(', ')}, …, ${cells.slice(-ENDS).join(', ')}]`
}
