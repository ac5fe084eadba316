// An array as the table shows it: its cells in boxes, and below them the variables that the program uses as its index.

import { cellTexts } from '../../core/cells'
import type { Witness } from '../../core/arrays/witness'
import type { TypedName } from '../../wire'

/** A variable at a cell. */
export type Mark = { readonly name: string; readonly at: string }
/** A cell, a place beside the array where a variable stands, or a gap. */
export type Slot = {
  readonly kind: 'cell' | 'outside' | 'gap'
  /** The index; of a gap, that of the first cell that is left out. */
  readonly index: number
  readonly text: string
  readonly marks: readonly string[]
  readonly changed: boolean
  readonly painted: boolean
}

/** How many boxes an array has at most; of a longer one the ends are shown, and where something is to be seen. */
const BOXES_MAX = 9
/** How many cells of each end of a long array are shown. */
const ENDS = 2
/** How many characters of a cell are shown. */
const CELL_CHARS_MAX = 7

/**
 * The variables whose values the program uses as an index of the array, as in a[i], a[j - 1] or swap(a, i, j). Where it
 * adds two of them, as in c[i + j], their sum stands at a cell, and is called so.
 */
export function countersOf(source: string, array: string, columns: readonly TypedName[]): readonly string[] {
  const whole = columns.filter(({ type }) => type === 'nat' || type === 'int').map(({ name }) => name)
  // In games without code there is no source; then the usual names are taken.
  if (!source) return whole.filter((name) => /^([ijklpq]|lo|hi|low|high|left|right|mid)$/.test(name))
  const plain = source.replace(/#[^\n]*/g, '')
  const reads = [...plain.matchAll(new RegExp(`\\b${array}\\s*\\[([^[\\]]*)\\]`, 'g'))]
  const swaps = [...plain.matchAll(new RegExp(`\\bswap\\s*\\(\\s*${array}\\s*,([^,()]*),([^,()]*)\\)`, 'g'))]
  const sums = [...reads, ...swaps].flatMap((match) => match.slice(1)).flatMap((index) => sumOf(index, whole))
  return [...whole, ...new Set(sums)].filter((name, at, all) => sums.includes(name) && all.indexOf(name) === at)
}

/** How a mark is called: `i` for i, i + 1 and i - 1, `i+j` for the sum of two variables. Other indices have none. */
function sumOf(index: string, variables: readonly string[]): readonly string[] {
  const [first = '', ...others] = index.replace(/\s/g, '').split(/(?=[-+])/)
  const added = [first, ...others.filter((term) => !/^[-+]\d+$/.test(term)).map((term) => term.replace(/^\+/, ''))]
  const shifted = added.length <= others.length
  const known = added.every((name) => variables.includes(name)) && added.length <= 2 && !(added.length > 1 && shifted)
  return known ? [added.join(PLUS)] : []
}

const PLUS = '+'

/** Where these variables stand. */
export const marksOf = (names: readonly string[], value: (name: string) => string | undefined): readonly Mark[] =>
  names.flatMap((name) => {
    const values = name.split(PLUS).map(value)
    if (values.includes(undefined)) return []
    return [
      { name, at: values.length > 1 ? `${values.reduce((sum, one) => sum + BigInt(one ?? 0), 0n)}` : `${values[0]}` },
    ]
  })

/** For which numbers a draft is false, such as k = 2. */
export const numbersIn = (why: Witness | null): string =>
  why?.numbers.map(({ name, value }) => `${name} = ${value}`).join(', ') ?? ''

/** The indices of the cells of one array among those that are read where an expression fails. */
export const paintedIn = (
  array: string,
  cells: readonly { readonly array: string; readonly index: string }[],
): readonly string[] => cells.filter((cell) => cell.array === array).map(({ index }) => index)

/** What is drawn of an array. `before` is the array in the row before. */
export function slotsOf(
  text: string,
  before: string | null,
  marks: readonly Mark[],
  painted: readonly string[],
): readonly Slot[] {
  const cells = cellTexts(text)
  const old = before === null ? null : cellTexts(before)
  const slot = (index: number, kind: Slot['kind'] = 'cell'): Slot => ({
    kind,
    index,
    text: cells[index] ?? '',
    marks: marks.filter(({ at }) => at === `${index}`).map(({ name }) => name),
    changed: kind === 'cell' && old !== null && old[index] !== cells[index],
    painted: painted.includes(`${index}`),
  })
  const all = cells.map((_, index) => slot(index))
  const looks = all.filter((one, index) => isShown(one, index, cells.length) || cells.length <= BOXES_MAX)
  const shown: Slot[] = []
  for (const one of looks) {
    const last = shown.at(-1)?.index ?? -1
    if (one.index > last + 1) shown.push({ ...slot(last + 1, 'gap'), text: '…', marks: [], painted: false })
    shown.push(one)
  }
  const beside = [-1, cells.length]
    .map((index) => slot(index, 'outside'))
    .filter((one) => one.marks.length || one.painted)
  return [...beside.filter(({ index }) => index < 0), ...shown, ...beside.filter(({ index }) => index >= 0)]
}

const isShown = (slot: Slot, index: number, count: number): boolean =>
  index < ENDS || index >= count - ENDS || slot.marks.length > 0 || slot.changed || slot.painted

/** A cell's value, cut where it is long. */
export const cellText = (text: string): string =>
  text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 3)}…${text.slice(-2)}` : text
