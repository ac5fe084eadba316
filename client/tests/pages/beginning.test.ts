import { describe, expect, it } from 'vitest'
import { fitsAll, ghostSheet, guess, sheet } from '../../src/tutorial/sheets'
import { isLast, resumed, stagesOf, stepsInAll, within } from '../../src/tutorial/steps'
import type { ProgramAnswer } from '../../src/wire'

const typed = (name: string, type: 'nat' | 'int') => ({ name, type })
const where = { line: 1, column: 1, start: 0, end: 1 }
const program = {
  program: '0'.repeat(32),
  title: '',
  source: '',
  level: null,
  params: [typed('size', 'nat'), typed('want', 'nat')],
  assigned_params: [],
  chooses: false,
  helpers: [],
  loops: [
    {
      number: 1,
      outer: null,
      columns: [typed('size', 'nat'), typed('want', 'nat'), typed('boxes', 'int'), typed('eggs', 'int')],
      where,
      test: { text: 'boxes != want', where },
      body: where,
    },
  ],
  guarantee: { expressions: [], where },
  pres: [],
  guarantee_text: '',
} as ProgramAnswer
const run = (size: number, want: number) =>
  sheet(
    program,
    'run',
    '',
    Array.from({ length: want + 1 }, (_, boxes) => [size, want, boxes, size * boxes].map(String)),
    { size: String(size), want: String(want) },
  )
const ghost = ghostSheet(program, 'ghost', '', { size: '1', want: '0', boxes: '0', eggs: '-1' })
const RULE = { left: 'eggs', relation: '=' } as const

describe('a guess', () => {
  it('fits one run only, or both', () => {
    const one = guess([run(6, 5), run(4, 3)], '6 * boxes', RULE)
    expect(one.is === 'read' && one.cells.map(fitsAll)).toEqual([true, false])
    expect(one.is === 'read' && one.cells[1]?.[1]).toEqual({ truth: false, shown: '4 ≠ 6' })
    const both = guess([run(6, 5), run(4, 3)], 'size*boxes', RULE)
    expect(both.is === 'read' && both.cells.map(fitsAll)).toEqual([true, true])
    expect(both.is === 'read' && both.text).toBe('eggs = size * boxes')
  })
  it('is false for the ghost', () => {
    const read = guess([run(6, 5), ghost], 'size * boxes', RULE)
    expect(read.is === 'read' && read.cells[1]).toEqual([{ truth: false, shown: '-1 ≠ 0' }])
  })
  it('may be the whole fact', () => {
    const read = guess([run(6, 5)], 'eggs = size * boxes', RULE)
    expect(read.is === 'read' && read.text).toBe('eggs = size * boxes')
  })
  it('is no guess where it says nothing', () => {
    expect(guess([run(6, 5)], ' ', RULE).is).toBe('empty')
    expect(guess([run(6, 5)], 'eggs + 0', RULE).is).toBe('circular')
    expect(guess([run(6, 5)], 'size * boxes', null).is).toBe('number')
    expect(guess([run(6, 5)], 'size *', RULE).is).toBe('wrong')
    expect(guess([run(6, 5)], 'sizes', RULE).is).toBe('wrong')
  })
})

describe('the stages', () => {
  it('end where nothing is left to do', () => {
    expect(stepsInAll).toBe(6)
    expect(isLast('code', 6)).toBe(true)
    expect(isLast('trace', 3)).toBe(true)
    expect(stagesOf('trace')).not.toContain('program')
  })
  it('are numbers that exist, whatever a save says', () => {
    for (const step of [-3, 2.7, 99, Number.NaN]) expect(stagesOf('code')[within('code', step)]).toBeDefined()
  })
  it('go on only with a rule', () => {
    expect(resumed('code', 5, 'size * boxes')).toBe(5)
    expect(resumed('code', 5, ' ')).toBe(1)
    expect(resumed('code', 0, '')).toBe(0)
  })
})
