// Arrays on the board: what is drawn of them, what marks their cells, how they are typed, and why a draft fails.

import { expect, it } from 'vitest'
import '../../src/core/arrays'
import { colour, Trace, type TraceData } from '../../src/core'
import { witness } from '../../src/core/arrays/witness'
import { countersOf, marksOf, paintedIn, slotsOf } from '../../src/game/arrays/cells'
import { asSip } from '../../src/game/evidence'
import { failureText } from '../../src/game/arrays/failure'
import { readInputs, typedTexts } from '../../src/game/arrays/inputs'
import { barsOf } from '../../src/game/arrays/bars'
import { lessonTexts } from '../../src/game/arrays/lesson'
import { shortArray } from '../../src/game/arrays/short'

const COLUMNS = [
  { name: 'a', type: 'int[]' },
  { name: 'n', type: 'nat' },
  { name: 'i', type: 'int' },
  { name: 'j', type: 'nat' },
  { name: 'r', type: 'rat' },
] as const
const DATA: TraceData = {
  columns: ['a', 'i', 'm'],
  types: { a: 'int[]', i: 'nat', m: 'int' },
  rows: [
    ['[3, 1, 4]', '1', '3'],
    ['[3, 1, 4]', '2', '3'],
    ['[3, 1, 4]', '3', '4'],
    ['[]', '0', '0'],
  ],
  params: { a: 'int[]' },
  old: { a: '[3, 1, 4]' },
}
const trace = new Trace(DATA)

const drawn = (...args: Parameters<typeof slotsOf>): string[] =>
  slotsOf(...args).map(
    ({ kind, index, text, marks, changed, painted }) =>
      `${kind === 'cell' ? '' : `${kind} `}${index}:${text}${marks.map((name) => ` ${name}`).join('')}` +
      `${changed ? ' changed' : ''}${painted ? ' painted' : ''}`,
  )

it('finds the variables that the program uses as an index', () => {
  const source = 'while (i < n) { # a[n]\n if (a[i] > a[j - 1] & b[n] > 0 & a[b[r]] > a[ n * 2 ]) { } }'
  expect(countersOf(source, 'a', COLUMNS)).toEqual(['i', 'j'])
  expect(countersOf('', 'a', COLUMNS)).toEqual(['i', 'j'])
})

it('finds the variables of swaps, and sums of two variables', () => {
  expect(countersOf('swap(a, j, i - 1); swap(b, n, n);', 'a', COLUMNS)).toEqual(['i', 'j'])
  expect(countersOf('a[i + j] := b[n]; a[ n ] := 0;', 'a', COLUMNS)).toEqual(['n', 'i+j'])
  // The cells of these have no short name.
  expect(countersOf('a[i + j - 1] := a[n - i]; a[len(a) - 1] := a[b[i]]; a[i + j + n] := a[3];', 'a', COLUMNS)).toEqual(
    [],
  )
  const values: Record<string, string> = { i: '-1', j: '3', n: '7' }
  expect(marksOf(['n', 'i+j', 'i+x'], (name) => values[name])).toEqual([
    { name: 'n', at: '7' },
    { name: 'i+j', at: '2' },
  ])
})

it('draws cells with their marks, what has changed and what is painted', () => {
  expect(drawn('[3, 1]', null, [{ name: 'i', at: '1' }], [])).toEqual(['0:3', '1:1 i'])
  expect(drawn('[3, 1]', '[3, 2]', [], ['0'])).toEqual(['0:3 painted', '1:1 changed'])
  const marks = [
    { name: 'i', at: '2' },
    { name: 'j', at: '-1' },
  ]
  expect(drawn('[3, 1]', null, marks, [])).toEqual(['outside -1: j', '0:3', '1:1', 'outside 2: i'])
  expect(drawn('[]', null, [], [])).toEqual([])
})

it('shortens long arrays, but shows where something is to be seen', () => {
  const long = `[${Array.from({ length: 100 }, (_, index) => index * 10).join(', ')}]`
  expect(drawn(long, null, [{ name: 'i', at: '50' }], ['51'])).toEqual([
    '0:0',
    '1:10',
    'gap 2:…',
    '50:500 i',
    '51:510 painted',
    'gap 52:…',
    '98:980',
    '99:990',
  ])
  expect(shortArray(long)).toBe('[0, 10, …, 980, 990]')
  expect([shortArray('[1, 2, 3]'), shortArray('7')]).toEqual(['[1, 2, 3]', '7'])
})

it('says for which numbers a draft fails first, and at which cells', () => {
  const why = (text: string, row: number): unknown => {
    const coloured = colour(trace, text)
    if (!coloured.ok) throw new Error(`${text} can be read`)
    const found = witness(trace, coloured.expr, row)
    return found && [found.numbers.map(({ name, value }) => `${name}=${value}`).join(' '), paintedIn('a', found.cells)]
  }
  expect(why('forall k in 0..i - 1: a[k] <= m', 0)).toBeNull()
  expect(why('forall k in 0..len(a) - 1: a[k] <= m', 0)).toEqual(['k=2', ['2']])
  expect(why('i >= 0 & (forall k in 1..i: a[k - 1] <= a[k])', 0)).toEqual(['k=1', ['0', '1']])
  expect(why('forall k in 0..i: forall l in k..i: a[k] = a[l]', 0)).toEqual(['k=0 l=1', ['0', '1']])
  expect(why('forall k in 0..i: k > 0 -> a[k] > 1', 0)).toEqual(['k=1', ['1']])
  expect(why('forall k in 0..i: a[k] <= m', 2)).toEqual(['k=3', ['3']])
  expect(why('exists k in 0..i: k > 7', 1)).toEqual(['', []])
  expect(why('a[i] > 7', 1)).toEqual(['', ['2']])
})

it('tells it in a sentence', () => {
  const told = (text: string): string | null => {
    const coloured = colour(trace, text)
    if (!coloured.ok) throw new Error(`${text} can be read`)
    return failureText(trace, coloured)
  }
  expect(told('forall k in 0..i: k < 2')).toBe('False in row 2 of this table, for k = 2.')
  expect(told('forall k in 0..i: a[k] <= 7')).toBe(
    'In row 3 there is no `a[3]`: a has the cells 0 to 2. Say only something about these.',
  )
  expect(told('i < 1')).toBeNull()
  expect(told('len(a) = 3 -> a[i - 1] = a[i - 1]')).toBeNull()
})

it('reads arrays as they are typed, and says what is wrong', () => {
  const read = (type: 'int[]' | 'nat[]' | 'bool[]' | 'rat[]', typed: string): unknown => {
    const result = readInputs([{ name: 'a', type }], { a: typed })
    return typeof result === 'string' ? result : result.a
  }
  expect(read('int[]', ' 3,-1 , 2')).toBe('[3, -1, 2]')
  expect(read('int[]', '[3 1 2]')).toBe('[3, 1, 2]')
  expect([read('int[]', ''), read('int[]', '[]')]).toEqual(['[]', '[]'])
  expect(read('rat[]', '0.5, 7/3')).toBe('[0.5, 7/3]')
  expect(read('bool[]', 'true,false')).toBe('[true, false]')
  expect(read('nat[]', '3, -1')).toBe(
    'a: cell 1 is “-1”, but it has to be one of 0, 1, 2, …. Type cells like this: 3, 1, 2',
  )
  expect(read('int[]', '3,,1')).toMatch(/^a: cell 1 is empty/)
  expect(read('rat[]', '1/0')).toMatch(/^a: cell 0 is “1\/0”/)
  expect(read('int[]', '1,'.repeat(1_001))).toBe('a may have at most 1,000 cells.')
  expect(readInputs([{ name: 'n', type: 'nat' }], { n: ' 7 ' })).toEqual({ n: '7' })
  expect(typedTexts({ a: '[3, 1]', n: '7' })).toEqual({ a: '3, 1', n: '7' })
})

it('teaches with examples about the array in the table', () => {
  const columns = [
    { name: 'f', type: 'bool[]' },
    { name: 'a', type: 'int[]' },
    { name: 'i', type: 'nat' },
  ] as const
  expect(lessonTexts(columns, ['[true]', '[3, -1, 4]', '0'], 'while (a[i] > 0) { }')).toEqual({
    array: 'a',
    counter: 'i',
    failing: 'forall k in 0..len(a) - 1: a[k] < 4',
    holding: 'forall k in 0..len(a) - 1: a[k] <= 4',
    part: 'forall k in 0..i - 1: a[k] <= 4',
  })
  expect(lessonTexts(columns, ['[true]', '[]', '0'], '')).toBeNull()
  expect(lessonTexts(columns, undefined, '')).toBeNull()
  expect(lessonTexts(columns, ['[]', '[7]', '0'], 'while (true) { }')).toMatchObject({ counter: null, part: null })
})

it('draws bars between the least and the greatest value, with 0 among them', () => {
  const { rows, ...range } = barsOf(['[3, -1]', '[1/2, true, 7]'], 2)
  expect(range).toEqual({ low: -1, high: 3, count: 2 })
  expect(rows[1]).toEqual([
    { text: '1/2', value: 0.5 },
    { text: 'true', value: 1 },
  ])
  expect(barsOf(['[]', '[0]'], 9)).toMatchObject({ low: 0, high: 1, count: 1 })
})

it('writes a state with arrays as an expression', () => {
  const types = new Map([
    ['a', 'int[]'],
    ['f', 'bool[]'],
  ])
  expect(asSip({ a: '[3, 1]', f: '[true, false]', i: '2' }, types)).toBe(
    'len(a) = 2 & a[0] = 3 & a[1] = 1 & len(f) = 2 & f[0] & !f[1] & i = 2',
  )
  expect(asSip({ a: '[]' }, types)).toBe('len(a) = 0')
})
