// The recogniser of patterns answers as the server's does, which tests/levels/test_patterns.py holds to the same table.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isPattern, PATTERN_NAMES, PATTERNS } from '../../src/map/pattern-names'
import { patternsOf, type PlacedFact } from '../../src/map/patterns'
import { lookAt, patternUses, PROOFS_A_VISIT, unseen } from '../../src/map/proofs'
import type { ListedLevel, ListedRoom, RoomAnswer } from '../../src/wire'

type Row = {
  readonly facts: readonly PlacedFact[]
  readonly fixed: readonly string[]
  readonly patterns: readonly string[]
}
const rows = JSON.parse(readFileSync(new URL('../../../spec/patterns.json', import.meta.url), 'utf8')) as Row[]

describe('patterns', () => {
  it.each(rows)('$facts', ({ facts, fixed, patterns }) => {
    expect([...patternsOf(facts, new Set(fixed))].sort()).toEqual([...patterns].sort())
  })
  it('are all in the table', () => {
    expect(new Set(rows.flatMap((row) => row.patterns))).toEqual(new Set(PATTERN_NAMES))
  })
  it('have forms that are read as these patterns, once the places are filled', () => {
    for (const name of PATTERN_NAMES) {
      const text = PATTERNS[name].form.replace('²', '^2').replaceAll('·', '*').replaceAll('≤', '<=').replace('→', '->')
      // The same name stands in both places of a half product.
      const letters =
        name === 'half-product' ? ['s', 'i', 'i'] : name === 'flag' ? ['p', 'i > 1'] : ['n', 'b', 'c', 'd']
      const filled = letters
        .reduce((form, letter) => form.replace('□', letter), text)
        .replace('f(n, b) = f(c, d)', 'gcd(n, b) = gcd(c, d)')
      expect([name, ...patternsOf([{ loop: 1, text: filled }], new Set(name === 'share' ? ['n'] : []))]).toContain(name)
      expect(filled).not.toContain('□')
      expect([...patternsOf([{ loop: 1, text: filled }], new Set(name === 'share' ? ['n'] : []))]).toEqual([name])
    }
  })
  it('of a text that cannot be read are none', () => {
    expect(patternsOf([{ loop: 1, text: 'x <=' }], new Set()).size).toBe(0)
  })
})

describe('proofs', () => {
  const room = (id: string, version = 1, solved = true): ListedRoom => ({
    room: id,
    code: null,
    program: 'p',
    level: 'multiply',
    variant: 'code',
    time: Number(id),
    solved,
    version,
  })
  it('are looked at once, and again when they change', () => {
    const seen = { '1': { level: 'multiply', version: 1, patterns: [] } }
    expect(unseen([room('1'), room('2'), room('3', 1, false)], seen).map((listed) => listed.room)).toEqual(['2'])
    expect(unseen([room('1', 2)], seen).length).toBe(1)
    expect(
      unseen(
        Array.from({ length: 99 }, (_, at) => room(String(at))),
        {},
      ).length,
    ).toBe(PROOFS_A_VISIT)
  })
  it('give their patterns, counted by level', async () => {
    const answer = {
      level: 'multiply',
      version: 4,
      inductive: [
        { loop: 1, expression: 'res = n * cnt', player: null },
        { loop: 1, expression: 'cnt <= m', player: null },
      ],
    } as unknown as RoomAnswer
    const proof = await lookAt(answer, [{ level: 'multiply', fixed: ['n', 'm'] } as unknown as ListedLevel])
    expect(proof).toEqual({ level: 'multiply', version: 4, patterns: ['product', 'limit'] })
    const other = { level: 'candle', version: 1, patterns: ['kept-sum', 'limit', 'unheard-of'] }
    expect(Object.fromEntries(patternUses({ a: proof, b: proof, c: other }))).toEqual({
      product: 1,
      limit: 2,
      'kept-sum': 1,
    })
    expect(isPattern('unheard-of')).toBe(false)
  })
})
