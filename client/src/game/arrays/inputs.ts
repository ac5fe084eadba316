// Arrays as they are typed: 3, 1, 2.

import type { Type } from '../../core'
import type { Values } from '../../api'
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

/** What stands in the fields of inputs: arrays without their brackets. */
export const typedTexts = (inputs: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value.startsWith('[') ? value.slice(1, -1) : value]),
  )

type Typed = { readonly value: string } | { readonly wrong: string }

/** The value that is typed for an input, or what is wrong with it. Numbers are left to the server. */
function readInput({ name, type }: TypedName, typed: string): Typed {
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

/** The values that are typed for all inputs, or what is wrong with one of them. */
export function readInputs(params: readonly TypedName[], typed: Values): Values | string {
  const values: Record<string, string> = {}
  for (const param of params) {
    const read = readInput(param, typed[param.name] ?? '')
    if ('wrong' in read) return read.wrong
    values[param.name] = read.value
  }
  return values
}
