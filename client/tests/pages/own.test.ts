import { describe, expect, it } from 'vitest'
import { check } from '../../src/own/check'
import {
  freeTitle,
  looksLikeC,
  type OwnProgram,
  PROGRAMS_KEY,
  readPrograms,
  shownTitle,
  titled,
  unlisted,
  withoutProgram,
  withProgram,
  writePrograms,
} from '../../src/own/programs'
import { TEMPLATE_NAMES, TEMPLATES } from '../../src/own/templates'

describe('checking a program', () => {
  it.each(TEMPLATE_NAMES)('accepts the template %s', (name) => expect(check(TEMPLATES[name])).toEqual({ kind: 'good' }))
  it.each([
    ['  \n', 'empty'],
    ['fn main(n: nat) { assert(n >= 0); }', 'no-loop'],
    ['fn main(n: nat) { var i: int; i := 0; while (i < n) { i := i + 1; } }', 'no-guarantee'],
    ['fn main(n: nat) { var i: int; assert(n >= 0); i := 0; while (i < n) { i := i + 1; } }', 'no-guarantee'],
    ['fn main(n: nat) { post(n >= 0); var i: int; i := 0; while (i < n) { i := i + 1; } }', 'good'],
    ['fn main(n: nat) { x := 1 }', 'problems'],
  ])('%j is %s', (text, kind) => expect(check(text).kind).toBe(kind))
})

const storage = (text: string | null) => {
  const kept = new Map<string, string>(text === null ? [] : [[PROGRAMS_KEY, text]])
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}
const own = (program: string, time = 1): OwnProgram => ({ program, title: program, time })

describe('the list of programs', () => {
  it('comes back as it was written', () => {
    const place = storage(null)
    writePrograms(place, [own('a'), own('b')])
    expect(readPrograms(place)).toEqual([own('a'), own('b')])
  })
  it.each([null, '', '{', '{}', '[1, null, {"program": 5}]'])('is empty where the browser kept %j', (text) =>
    expect(readPrograms(storage(text))).toEqual([]),
  )
  it('works without storage', () => {
    const forbidden = () => {
      throw new Error('forbidden')
    }
    expect(readPrograms({ getItem: forbidden, setItem: forbidden })).toEqual([])
    writePrograms({ getItem: forbidden, setItem: forbidden }, [own('a')])
  })
  it('has each program once, the newest first, and a bound', () => {
    expect(withProgram([own('a'), own('b')], own('b', 9)).map((program) => program.program)).toEqual(['b', 'a'])
    expect(withoutProgram([own('a'), own('b')], 'a')).toEqual([own('b')])
    const many = Array.from({ length: 300 }, (_, index) => own(`${index}`))
    expect(withProgram(many, own('x')).length).toBe(200)
  })
  it('finds programs that only the server knows', () => {
    const room = (program: string, level: string | null = null) => ({
      room: program,
      code: null,
      program,
      level,
      variant: 'code' as const,
      time: 0,
      solved: false,
      version: 1,
    })
    expect(unlisted([own('a')], [room('a'), room('b'), room('b'), room('c', 'multiply')])).toEqual(['b'])
  })
})

describe('titles', () => {
  const named = (...titles: string[]): OwnProgram[] =>
    titles.map((title, index) => ({ program: `${index}abc`, title, time: index }))
  it('are taken whatever their case and blanks', () => {
    expect(titled(named('A sum'), ' a SUM ')?.program).toBe('0abc')
    expect(titled(named('A sum'), 'A sum', '0abc')).toBeUndefined()
  })
  it('get the next free number', () => {
    expect(freeTitle(named('Sum'), 'Product')).toBe('Product')
    expect(freeTitle(named('Sum', 'sum 2'), 'Sum')).toBe('Sum 3')
    expect(freeTitle(named('Sum 7'), 'Sum 7')).toBe('Sum 8')
    expect(freeTitle(named('x'.repeat(80)), 'x'.repeat(80))).toBe(`${'x'.repeat(78)} 2`)
  })
  it('are told apart in a list', () => {
    const programs = named('Sum', 'Sum', 'Other')
    expect(programs.map((program) => shownTitle(programs, program))).toEqual(['Sum (0abc)', 'Sum (1abc)', 'Other'])
  })
})

it('recognises C', () => {
  expect(looksLikeC('#include <assert.h>\nint main() { }')).toBe(true)
  expect(looksLikeC('int main(void)\n{\n  int i;\n}')).toBe(true)
  expect(looksLikeC('fn main(n: nat) { var i: int; }')).toBe(false)
  expect(looksLikeC('int i')).toBe(false)
})
