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
  'lesson.title': 'Facts about many cells',
  'lesson.all': (array: string) =>
    `\`forall k in 0..len(${array}) - 1:\` says something of every cell of \`${array}\`: of \`${array}[0]\`, ` +
    `\`${array}[1]\`, and so on, with \`k\` for the number of the cell. Type one and look at the table.`,
  'lesson.painted':
    'A painted cell is the first at which it is false, and the row says for which `k`. Change `<` to `<=`, ' +
    'and it holds.',
  'lesson.part': (counter: string) =>
    `A loop has seen only a part. Say it of the cells before \`${counter}\`: \`0..${counter} - 1\`. Where there is ` +
    'no such cell, `forall` is true.',
  'lesson.end': 'Now look for what is true of the cells that the loop has seen, and compare them with the variables.',
  'lesson.type': 'Type:',
  'lesson.next': 'Next',
  'lesson.done': 'Play',
  'lesson.skip': 'Skip',
  'fails.for': (row: number, numbers: string) => `False in row ${row} of this table, for ${numbers}.`,
  'fails.outside': (row: number, cell: string, array: string, count: number) =>
    `In row ${row} there is no ${cell}: ` +
    (count ? `${array} has the cells 0 to ${count - 1}. Say only something about these.` : `${array} is empty.`),
  'input.long': (name: string, most: number) => `${name} may have at most ${most.toLocaleString('en')} cells.`,
  'input.cell': (name: string, index: number, found: string, type: Type) =>
    `${name}: cell ${index} ${found ? `is “${found}”` : 'is empty'}, but it has to be ${KINDS[type]}. ` +
    `Type cells like this: ${EXAMPLES[type]}`,
} as const
