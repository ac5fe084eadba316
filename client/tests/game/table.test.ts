// What the entry box says about a text, from the trace and the lists alone.

import { describe, expect, it } from 'vitest'
import type { RoomEvent } from '../../src/wire'
import { reading, refutedIn, traceOf } from '../../src/game/board/table'
import { judged, OPENED, verdict } from './fixtures'

const trace = traceOf(OPENED.program, OPENED.trace, 1)
const fact = (expression: string, loop = 1) => ({ loop, expression })
const is = (text: string, lists: Partial<Parameters<typeof reading>[3]> = {}): string =>
  reading(trace, text, 1, { inductive: [], potential: [], refuted: [], ...lists }).is

describe('reading a text', () => {
  it.each([
    ['', 'empty'],
    ['cnt <', 'wrong'],
    ['cnt + 1', 'numeric'],
    ['cnt = 0', 'failing'],
    ['cnt >= 0', 'ready'],
  ])('%j is %s', (text, kind) => expect(is(text)).toBe(kind))
  it('knows what is on the lists', () =>
    expect(is('0<=cnt', { inductive: [{ ...fact('0 <= cnt'), player: null }] })).toBe('duplicate'))
  it('knows what a run has refuted, in the same loop and however it is written', () => {
    expect(is('res>=cnt', { refuted: [fact('res >= cnt')] })).toBe('refuted')
    expect(is('res > cnt - 1', { refuted: [fact('res >= cnt')] })).toBe('ready')
    expect(is('res >= cnt', { refuted: [fact('res >= cnt', 2)] })).toBe('ready')
  })
  it('says rather that it fails in the rows that are shown', () =>
    expect(is('cnt = 0', { refuted: [fact('cnt = 0')] })).toBe('failing'))
})

describe('a loop of a helper', () => {
  const [own] = OPENED.program.loops
  const type = 'nat' as const
  const x = { name: 'x', type }
  const place = own as NonNullable<typeof own>
  const helper = { name: 'double', params: [x], assigned_params: ['x'] }
  const program = {
    ...OPENED.program,
    helpers: ['double'],
    loops: [place, { ...place, number: 2, outer: null, columns: [x, { name: 'y', type }], helper }],
  }
  const run = (call?: Record<string, string>) => ({
    ...OPENED.trace,
    loops: [
      ...OPENED.trace.loops,
      { loop: 2, columns: ['x', 'y'], rows: call ? [['3', '1']] : [], rows_total: 1, ...(call ? { call } : {}) },
    ],
  })
  const at = (text: string, call?: Record<string, string>): string =>
    reading(traceOf(program, run(call), 2), text, 2, { inductive: [], potential: [], refuted: [] }).is

  it('has the arguments of the call as entry values', () => {
    expect(at('old(x) = x + y', { x: '4' })).toBe('ready')
    expect(at('old(x) = x + y', { x: '5' })).toBe('failing')
    expect(at('old(x) = x + y')).toBe('ready')
  })
  it('knows its own names only', () => {
    expect(at('cnt >= 0', { x: '4' })).toBe('wrong')
    expect(is('y >= 0')).toBe('wrong')
  })
})

it('takes only verdicts for refutations that a run has made', () => {
  const events: RoomEvent[] = [
    judged(2, verdict('non-invariant', 'a')),
    judged(4, verdict('inductive', 'b')),
    judged(6, verdict('non-invariant', 'c', { limited: 'time' })),
    { number: 7, kind: 'joined', player: 'other', time: 0, body: {} },
  ]
  expect(refutedIn(events).map((fact) => fact.expression)).toEqual(['a'])
})
