import { describe, expect, it } from 'vitest'
import {
  answered,
  answerRow,
  assign,
  COMMENT_CHARS_MAX,
  consentRow,
  current,
  ended,
  isEmpty,
  joined,
  NO_ANSWERS,
  STUDY_NAME,
  variantIn,
} from '../../src/study/study'
import { neglectedSigns, usedPowerUps, powerUpsOf } from '../../src/variant/power-ups'

describe('power-ups', () => {
  it('know the signs of an expression', () => {
    expect([...powerUpsOf('x <= 2 * y & gcd(x, y) = 1')].sort()).toEqual(['*', '<=', '=', 'gcd'])
    expect([...powerUpsOf('x - y >= 0')].sort()).toEqual(['+', '<='])
    expect(powerUpsOf('x <=').size).toBe(0)
  })
  it('are for what was neglectedSigns, and there are none before the first fact', () => {
    expect(neglectedSigns([])).toEqual([])
    const powerUps = neglectedSigns(['x <= y', 'x = y + 1', 'x = 2 * y'])
    expect(powerUps).not.toContain('=')
    expect(powerUps.length).toBe(3)
  })
  it('are seen in what is typed', () => {
    const [first] = neglectedSigns(['x = y'])
    expect(first).toBe('<=')
    expect(usedPowerUps('x <= y', ['x = y'])).toEqual(['<='])
    expect(usedPowerUps('x = 1', ['x = y'])).toEqual([])
  })
})

describe('a study', () => {
  it('gives half of the people each variant', () => {
    expect([0, 0.25, 0.4999, 0.5, 0.75, 0.9999].map(assign)).toEqual([
      'code',
      'code',
      'code',
      'trace',
      'trace',
      'trace',
    ])
  })
  it('remembers the variant and the answers, one study at a time', () => {
    const kept = joined(joined({}, 'one', 'trace'), 'two', 'code')
    expect([variantIn(kept, 'one'), variantIn(kept, 'two'), variantIn(kept, 'three'), current(kept)]).toEqual([
      'trace',
      'code',
      null,
      'two',
    ])
    const done = ended(kept, 'two')
    expect([answered(done, 'two'), answered(done, 'one'), current(done), variantIn(done, 'two')]).toEqual([
      true,
      false,
      null,
      'code',
    ])
  })
  it('has names that fit into paths', () => {
    expect(['pilot', 'spring-27_b'].every((name) => STUDY_NAME.test(name))).toBe(true)
    expect(['', 'a b', 'a/b', 'x'.repeat(41), '<b>'].some((name) => STUDY_NAME.test(name))).toBe(false)
  })
  it('stores consent and answers as rows of the log', () => {
    expect(consentRow('pilot', 'trace', 5)).toEqual({
      kind: 'setting',
      time: 5,
      body: { setting: 'study', study: 'pilot', variant: 'trace', consent: true },
    })
    const answers = { scales: { fun: 4 }, programming: null, logic: 'some', comment: ` ${'x'.repeat(600)} ` } as const
    const { kind, body } = answerRow('pilot', 'code', answers, 5)
    expect([kind, Object.keys(body)]).toEqual(['answer', ['study', 'variant', 'fun', 'logic', 'comment']])
    expect(`${body.comment}`.length).toBe(COMMENT_CHARS_MAX)
  })
  it('takes no empty answers', () => {
    expect(isEmpty(NO_ANSWERS)).toBe(true)
    expect(isEmpty({ ...NO_ANSWERS, comment: '  ' })).toBe(true)
    expect(isEmpty({ ...NO_ANSWERS, logic: 'none' })).toBe(false)
  })
})
