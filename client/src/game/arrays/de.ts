// German: the sentences about arrays.

import type { Type } from '../../core'
import type { EN_ARRAYS } from './en'
import type { Translation } from '../../strings/tables.svelte'

const KINDS: Readonly<Partial<Record<Type, string>>> = {
  bool: 'true oder false',
  nat: 'eine der Zahlen 0, 1, 2, …',
  int: 'eine ganze Zahl',
  rat: 'eine Zahl wie 0.5 oder 7/3',
}
const EXAMPLES: Readonly<Partial<Record<Type, string>>> = {
  bool: 'true, false',
  nat: '3, 1, 2',
  int: '3, -1, 2',
  rat: '0.5, 7/3, 2',
}

export const DE_ARRAYS: Translation<typeof EN_ARRAYS> = {
  'cells.empty': 'leer',
  'cells.at': (names: string, index: number) => `${names} bei Zelle ${index}`,
  'cells.beside': (names: string, index: number) => `${names} bei ${index}, neben dem Feld`,
  'cells.changed': (indices: string) => `geändert: ${indices}`,
  'cells.failing': (indices: string) => `falsch bei ${indices}`,
  'cells.count': (count: number) => (count === 1 ? '1 Zelle' : `${count} Zellen`),
  'chart.slider': 'Zeile',
  'chart.row': (name: string, row: number, cells: string) => `${name} in Zeile ${row}: ${cells}`,
  'chart.show': (row: number) => `Zeile ${row} zeigen`,
  'lesson.title': 'Aussagen über viele Zellen',
  'lesson.all': (array: string) =>
    `\`forall k in 0..len(${array}) - 1:\` sagt etwas über jede Zelle von \`${array}\`: über \`${array}[0]\`, ` +
    `\`${array}[1]\` und so weiter, mit \`k\` für die Nummer der Zelle. Tippe so etwas und sieh in die Tabelle.`,
  'lesson.painted':
    'Die bemalte Zelle ist die erste, bei der es falsch ist; in der Zeile steht, für welches `k`. Mit `<=` statt `<` ' +
    'gilt es.',
  'lesson.part': (counter: string) =>
    `Eine Schleife hat erst einen Teil gesehen. Sag es über die Zellen vor \`${counter}\`: \`0..${counter} - 1\`. ` +
    'Wo es keine solche Zelle gibt, ist `forall` wahr.',
  'lesson.end':
    'Suche nun, was für die Zellen gilt, die die Schleife schon gesehen hat, und vergleiche sie mit den Variablen.',
  'lesson.type': 'Tippe:',
  'lesson.next': 'Weiter',
  'lesson.done': 'Spielen',
  'lesson.skip': 'Überspringen',
  'fails.for': (row: number, numbers: string) => `Falsch in Zeile ${row} dieser Tabelle, für ${numbers}.`,
  'fails.outside': (row: number, cell: string, array: string, count: number) =>
    `In Zeile ${row} gibt es kein ${cell}: ` +
    (count ? `${array} hat die Zellen 0 bis ${count - 1}. Sag nur etwas über diese.` : `${array} ist leer.`),
  'input.long': (name: string, most: number) => `${name} darf höchstens ${most.toLocaleString('de')} Zellen haben.`,
  'input.cell': (name: string, index: number, found: string, type: Type) =>
    `${name}: Zelle ${index} ${found ? `ist „${found}“` : 'ist leer'}, muss aber ${KINDS[type]} sein. ` +
    `Schreibe Zellen so: ${EXAMPLES[type]}`,
}
