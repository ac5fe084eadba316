// What is said about an own program, for everything that the server may answer.

import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/api'
import type { Assessment, FeedbackAnswer, ProgramAnswer, TraceAnswer } from '../../src/wire'
import { type AssessmentText, assessmentText, noAnswerText } from '../../src/own/assessment'
import { DE } from '../../src/strings/de/shell'
import { DE_ANSWERS } from '../../src/strings/de/answers'
import { DE_GAME } from '../../src/strings/de/game'
import { DE_PAGES } from '../../src/strings/de/pages'
import { EN } from '../../src/strings/en/shell'
import { EN_ANSWERS } from '../../src/strings/en/answers'
import { EN_GAME } from '../../src/strings/en/game'
import { EN_PAGES } from '../../src/strings/en/pages'
import type { Say } from '../../src/strings/answers'
import type { SayPages } from '../../src/strings/pages'
import { FEEDBACK, OPENED } from '../game/fixtures'

type Sentence = string | ((...args: unknown[]) => string)
const say =
  (table: Record<string, unknown>) =>
  (key: string, ...args: unknown[]): string => {
    const sentence = table[key] as Sentence
    return typeof sentence === 'string' ? sentence : sentence(...args)
  }
const LANGUAGES = {
  en: { p: say(EN_PAGES) as SayPages, t: say({ ...EN, ...EN_GAME, ...EN_ANSWERS }) as Say },
  de: { p: say(DE_PAGES) as SayPages, t: say({ ...DE, ...DE_GAME, ...DE_ANSWERS }) as Say },
}
const { en } = LANGUAGES
const { program } = OPENED
const promised = program.guarantee.expressions[0]?.where ?? { line: 0, column: 0, start: 0, end: 0 }
const inBody = {
  line: 6,
  column: 5,
  start: program.source.indexOf('cnt + 1'),
  end: program.source.indexOf('cnt + 1') + 7,
}

const solved = (more: Partial<Assessment & { outcome: 'solved' }> = {}): Assessment => ({
  outcome: 'solved',
  rounds: 1,
  invariants: 1,
  degree: 1,
  difficulty: 1,
  ...more,
})
const refuted: Assessment = {
  outcome: 'refuted',
  rounds: 0,
  invariants: 0,
  run: { inputs: { n: '1', m: '2' }, seed: 3 },
}
const open = (feedback: Partial<FeedbackAnswer>): Assessment => ({
  outcome: 'open',
  rounds: 15,
  invariants: 2,
  feedback: { ...FEEDBACK, ...feedback },
})
const failed: Outcome = {
  kind: 'failed',
  message: 'English',
  cause: 'assert',
  where: promised,
  values: { n: '1', m: '2', res: '9' },
}
const tooLong: Outcome = { kind: 'bound', message: 'English', cause: 'rows', where: promised, values: {} }
const run = (outcome: Outcome = failed, rows = 3, total = rows): TraceAnswer => ({
  inputs: { n: '1', m: '2' },
  outcome,
  printed: [],
  loops: [
    {
      loop: 1,
      columns: ['n', 'm', 'res', 'cnt'],
      rows: Array.from({ length: rows }, (_, index) => ['1', '2', `${index}`, `${index}`]),
      rows_total: total,
    },
  ],
})
const words = ({ headline, text, next }: AssessmentText): string => [headline, ...text, next].join(' ')

const ANSWERS: Readonly<Record<string, readonly [Assessment, TraceAnswer | null]>> = {
  solved: [solved(), null],
  'solved without anything': [solved({ invariants: 0, degree: 0, rounds: 0 }), null],
  'solved with effort': [solved({ invariants: 4, degree: 3, rounds: 5, difficulty: 5 }), null],
  refuted: [refuted, run()],
  'refuted in the body': [refuted, run({ ...failed, cause: 'zero-divisor', where: inBody })],
  'refuted without inputs': [{ ...refuted, run: { inputs: {}, seed: 0 } }, run()],
  'refuted by a long run': [refuted, run(tooLong, 1000, 5000)],
  'open with a state': [open({}), null],
  'open inside the body': [
    open({ state: FEEDBACK.state && { ...FEEDBACK.state, inside: true, cause: 'zero-divisor' } }),
    null,
  ],
  'open without a state': [open({ state: null }), null],
  'open, too large': [open({ state: null, too_large: 'too many loops' }), null],
  'open, perhaps wrong': [
    open({ state: null, failing: { inputs: { n: '9' }, seed: 0, cause: 'assert', where: promised } }),
    null,
  ],
}

describe.each(Object.entries(LANGUAGES))('in %s', (_, translators) => {
  it.each(Object.entries(ANSWERS))('%s is said', (_name, [assessment, shown]) => {
    const said = assessmentText(translators, program, assessment, shown)
    expect(words(said)).not.toMatch(/undefined|null|NaN|\[object|English/)
    expect(said.tone).toBe(
      assessment.outcome === 'solved' ? 'good' : assessment.outcome === 'refuted' ? 'bad' : 'unknown',
    )
  })
  it.each(['gone', 'busy', 'full', 'too-fast', 'no-answer', 'not-found', 'internal'])(
    'the trouble %s is said',
    (code) => {
      const said = noAnswerText(translators, { code, message: 'why', where: null, hint: '' }, null)
      expect(said.tone).toBe('trouble')
      expect(words(said)).not.toMatch(/undefined|null/)
    },
  )
  it('everything is said in its own words', () => {
    const all = Object.values(ANSWERS).map(([assessment, shown]) =>
      words(assessmentText(translators, program, assessment, shown)),
    )
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('a wrong guarantee', () => {
  it('names the inputs, the place and the expression, and that nobody can win', () => {
    const said = assessmentText(en, program, refuted, run())
    expect(said.headline).toBe('The guarantee is wrong.')
    expect(said.text).toEqual(['Started with `n = 1, m = 2`, the assert in line 9 becomes false: `res = n * m`.'])
    expect(said.next).toContain('Nobody can win this level')
  })
  it('shows the last states of the run, and the values where it fails', () => {
    const [states, place] = assessmentText(en, program, refuted, run(failed, 20)).tables
    expect(states).toMatchObject({ earlier: 14, columns: ['n', 'm', 'res', 'cnt'] })
    expect(states?.rows.at(-1)).toMatchObject({ label: 'Row 20', values: ['1', '2', '19', '19'] })
    expect(place?.rows).toMatchObject([{ label: 'line 9 ✗', values: ['1', '2', '9'], look: 'fails' }])
  })
  it('marks the last state where it is the one that fails', () => {
    const { tables } = assessmentText(en, program, refuted, run({ ...failed, values: { res: '2', n: '1' } }))
    expect(tables.map((table) => table.rows.map((row) => row.look))).toEqual([['neutral', 'neutral', 'fails']])
  })
  it('shows the first states of a run that was cut', () => {
    const text = assessmentText(en, program, refuted, run(tooLong, 1000, 5000))
    expect(text.tables).toHaveLength(1)
    expect(text.tables[0]?.rows[0]?.label).toBe('Row 1')
    expect(text.text[0]).toContain('too long to be shown')
  })
  it('is assessmentText apart from something that goes wrong on the way', () => {
    const said = assessmentText(en, program, refuted, run({ ...failed, cause: 'zero-divisor', where: inBody }))
    expect([said.headline, said.text[0]]).toEqual([
      'This program goes wrong.',
      'Started with `n = 1, m = 2`, the division in line 6 goes wrong: `cnt + 1`.',
    ])
  })
  it('counts the signs of the source as the server does', () => {
    const source = `# 🙂🙂\n${program.source}`
    const start = [...source.slice(0, source.indexOf('res = n * m'))].length
    const moved: ProgramAnswer = { ...program, source }
    expect(
      assessmentText(en, moved, refuted, run({ ...failed, where: { line: 10, column: 10, start, end: start + 11 } }))
        .text[0],
    ).toContain('`res = n * m`')
  })
  it('says which choices the run takes only where there are any', () => {
    expect(words(assessmentText(en, { ...program, chooses: true }, refuted, run()))).toContain('seed 3')
    expect(words(assessmentText(en, program, refuted, run()))).not.toContain('seed')
  })
})

it('gives the difficulty in words, with what was needed', () => {
  const said = assessmentText(en, program, solved({ invariants: 3, degree: 2, rounds: 2, difficulty: 3 }), null)
  expect(said.difficulty).toBe(3)
  expect(en.p('assess.difficulty', 3)).toBe('Difficulty: medium.')
  expect(said.text).toEqual(['It needed 3 facts with squares or products, found in 2 rounds of trying.'])
})

it('shows the state that is left', () => {
  const said = assessmentText(en, program, open({}), null)
  expect(said.text[0]).toContain('That does not mean that it is wrong')
  expect(said.tables[0]).toMatchObject({ title: 'A state to rule out', rows: [{ values: ['0', '0', '-1', '0'] }] })
})

it('says when the agent is asked again', () => {
  expect(noAnswerText(en, { code: 'busy', message: '', where: null, hint: '' }, 2.2).text.at(-1)).toBe(
    'Next try in 3 s.',
  )
})
