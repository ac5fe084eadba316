// Arrays of answers become texts where they are values, and only there.

import { expect, it } from 'vitest'
import { withLists, withTexts } from '../../src/values'

it('joins the arrays of states, rows and choices', () => {
  expect(
    withTexts({
      inputs: { a: ['3', '-1'], n: '2' },
      loops: [
        {
          columns: ['a', 'i'],
          rows: [
            [['3', '-1'], '0'],
            [[], '1'],
          ],
          call: { b: ['1/2'] },
        },
      ],
      tries: [{ a: [] }],
      feedback: { state: { loop: 1, values: { a: ['7'], i: '0' }, where: { start: 1 } }, others: ['x'] },
      transition: { before: { a: ['1', '2'] }, after: { a: ['2', '1'] } },
      run: { choices: [[['4', '5'], '6']] },
    }),
  ).toEqual({
    inputs: { a: '[3, -1]', n: '2' },
    loops: [
      {
        columns: ['a', 'i'],
        rows: [
          ['[3, -1]', '0'],
          ['[]', '1'],
        ],
        call: { b: '[1/2]' },
      },
    ],
    tries: [{ a: '[]' }],
    feedback: { state: { loop: 1, values: { a: '[7]', i: '0' }, where: { start: 1 } }, others: ['x'] },
    transition: { before: { a: '[1, 2]' }, after: { a: '[2, 1]' } },
    run: { choices: [['[4, 5]', '6']] },
  })
})

it('leaves other lists as they are', () => {
  const told = {
    levels: [{ level: 'x', after: ['y', 'z'], patterns: ['p'] }],
    rows: [{ player: 'p', cells: [{ solved: true }] }],
    questions: [{ choices: ['one', 'two'] }],
    state: { loop: 1, list: ['a'], where: null },
    hint: { step: 'together', variables: ['a', 'b'] },
  }
  expect(withTexts(structuredClone(told))).toEqual(told)
})

it('sends arrays as lists', () => {
  expect(withLists({ a: '[3, -1]', b: '[]', n: '2' })).toEqual({ a: ['3', '-1'], b: [], n: '2' })
  expect(withTexts({ outcome: { value: ['1', '2'] } })).toEqual({ outcome: { value: '[1, 2]' } })
})
