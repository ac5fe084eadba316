// English: the sentences about arrays.

import type { Type } from '../../core'

const KINDS: Readonly<Partial<Record<Type, string>>> = {
  bool: 'true or false',
  nat: 'one of 0, 1, 2, …',
  int: 'a whole number',
  rat: 'a number such as 0.5 or 7/3',
}
const EXAMPLES: Readonly<Partial<Record<Type, string>>> = {
  bool: 'true, false',
  nat: '3, 1, 2',
  int: '3, -1, 2',
  rat: '0.5, 7/3, 2',
}

export const EN_ARRAYS = {
  'cells.empty': 'empty',
  'cells.at': (names: string, index: number) => `${names} at cell ${index}`,
  'cells.beside': (names: string, index: number) => `${names} at ${index}, beside the array`,
  'cells.changed': (indices: string) => `changed: ${indices}`,
  'cells.failing': (indices: string) => `fails at ${indices}`,
  'cells.count': (count: number) => (count === 1 ? '1 cell' : `${count} cells`),
  'chart.slider': 'Row',
  'chart.row': (name: string, row: number, cells: string) => `${name} in row ${row}: ${cells}`,
  'chart.show': (row: number) => `Show row ${row}`,
  'fails.for': (row: number, numbers: string) => `False in row ${row} of this table, for ${numbers}.`,
  'fails.outside': (row: number, cell: string, array: string, count: number) =>
    `In row ${row} there is no ${cell}: ` +
    (count ? `${array} has the cells 0 to ${count - 1}. Say only something about these.` : `${array} is empty.`),
  'input.long': (name: string, most: number) => `${name} may have at most ${most.toLocaleString('en')} cells.`,
  'input.cell': (name: string, index: number, found: string, type: Type) =>
    `${name}: cell ${index} ${found ? `is “${found}”` : 'is empty'}, but it has to be ${KINDS[type]}. ` +
    `Type cells like this: ${EXAMPLES[type]}`,
} as const
