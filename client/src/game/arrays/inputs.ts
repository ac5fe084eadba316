// Arrays as they are typed: 3, 1, 2.

import type { Type } from '../../core'
import type { TypedName } from '../../wire'
import { a } from './words'

/** How many cells the server takes. */
const CELLS_MAX = 1_000
const SHAPES: Readonly<Record<string, RegExp>> = {
  bool: /^(true|false)$/i,
  nat: /^\+?\d+$/,
  int: /^[-+−]?\d+$/,
  rat: /^[-+−]?\d+(\.\d+|\s*\/\s*0*[1-9]\d*)?$/,
}

/** What stands in the field of an input: an array without its brackets. */
export const typedText = (value: string): string => (value.startsWith('[') ? value.slice(1, -1) : value)

export type Typed = { readonly value: string } | { readonly wrong: string }

/** The value that is typed for an input, or what is wrong with it. Numbers are left to the server. */
export function readInput({ name, type }: TypedName, typed: string): Typed {
  const text = typed.trim()
  if (!type.endsWith('[]')) return { value: text }
  const inner = text.replace(/^\[/, '').replace(/\]$/, '').trim()
  const cells = inner ? inner.split(/[,;]/.test(inner) ? /[,;]/ : /\s+/).map((cell) => cell.trim()) : []
  if (cells.length > CELLS_MAX) return { wrong: a('input.long', name, CELLS_MAX) }
  const wrong = cells.findIndex((cell) => !SHAPES[type.slice(0, -2)]?.test(cell))
  if (wrong < 0) return { value: `[${cells.join(', ')}]` }
  const found = cells[wrong] ?? ''
  return { wrong: a('input.cell', name, wrong, found, type.slice(0, -2) as Type) }
}
