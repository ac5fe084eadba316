// What a look at the rows shows to those who begin.
import { expect, it } from 'vitest'
import { lookText, moveOf } from '../../src/game/look'
import { messageOf } from '../../src/game/messages'
import { EN_ANSWERS } from '../../src/strings/en/answers'
import { EN_GAME } from '../../src/strings/en/game'
import { EN } from '../../src/strings/en/shell'
import type { Say } from '../../src/strings/answers'
import { game, verdict } from './fixtures'

const table = { ...EN, ...EN_GAME, ...EN_ANSWERS } as Record<string, unknown>
const t = ((key: string, ...args: unknown[]) => {
  const sentence = table[key]
  return typeof sentence === 'function' ? (sentence as (...given: unknown[]) => string)(...args) : sentence
}) as Say

it.each([
  ['grows', ['0', '1', '1', '4']],
  ['shrinks', ['7', '13/2', '-1']],
  ['stays', ['3', '3', '3']],
  ['stays', ['3']],
  ['jumps', ['0', '2', '1']],
  ['jumps', ['true', 'false']],
  ['stays', ['true', 'true']],
  ['grows', ['99999999999999999998', '199999999999999999999']],
])('a column %s', (move, values) => expect(moveOf(values)).toBe(move))

const rowsOf = (rows: readonly (readonly string[])[]): string => {
  const state = game()
  const loops = [{ loop: 1, columns: [], rows, rows_total: rows.length }]
  return lookText({ ...state, trace: { ...state.trace, run: { ...state.trace.run, loops } } }, t)
}

it('asks about the columns that move, and says no fact', () => {
  // The columns are n, m, res and cnt.
  const rows = (...pairs: readonly string[]): string => rowsOf(pairs.map((pair) => ['5', '2', ...pair.split(' ')]))
  expect(rows('0 0', '5 1')).toContain('`res` and `cnt` grow together.')
  expect(rows('9 0', '5 1')).toContain('`cnt` grows while `res` shrinks.')
  expect(rows('9 0', '9 1')).toContain('Only `cnt` moves.')
  // Two columns shrink: it was said that only the first of them moves.
  expect(rows('42 30', '12 30', '12 18')).toContain('Which columns move together?')
  expect(rowsOf([['5', '2', '9', '0']])).toContain('Which columns move together?')
  expect(rowsOf([])).toContain('Which columns move together?')
})

it('asks about the cells of an array, which no other column makes', () => {
  const state = game()
  const loops = state.program.loops.map((loop) => ({ ...loop, columns: [{ name: 'towers', type: 'nat[]' as const }] }))
  expect(lookText({ ...state, program: { ...state.program, loops } }, t)).toContain('Which cells of `towers`')
})

it('is told to newcomers at once, and to others when they ask', () => {
  const fresh = { ...game(), topic: { about: 'new', resumed: false } as const }
  const look = lookText(fresh, t)
  expect(messageOf(fresh, t, true).text).toEqual([EN_ANSWERS['new.text'], look])
  expect(messageOf(fresh, t).text).not.toContain(look)
  expect(messageOf(fresh, t).steps.map((step) => step.action.do)).toEqual(['look'])
  // Nobody who comes back, and nobody who plays without the program, is told.
  expect(messageOf({ ...fresh, topic: { about: 'new', resumed: true } }, t, true).text).not.toContain(look)
  expect(messageOf({ ...fresh, variant: 'trace' }, t, true).text).not.toContain(look)
})

it('asks newcomers for the input that a number of a refuted fact may stand for', () => {
  // The first run has n = 6 and m = 7, or whatever the fixture says.
  const [[, first] = ['', '']] = Object.entries(game().program.inputs ?? {})
  const refuted = (expression: string, begins: boolean): string =>
    messageOf(
      {
        ...game(),
        topic: { about: 'verdict', verdict: verdict('non-invariant', expression), player: 'me', earned: null },
      },
      t,
      begins,
    ).text.join(' ')
  expect(refuted(`res = ${first} * cnt`, true)).toContain(`Which column could stand where you wrote ${first}?`)
  expect(refuted(`res = ${first} * cnt`, false)).not.toContain('Which column')
  expect(refuted('res = 99 * cnt', true)).not.toContain('Which column')
})
