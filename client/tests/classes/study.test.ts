import { describe, expect, it } from 'vitest'
import { ClientLog } from '../../src/game/log'
import type { LogRow } from '../../src/api'
import {
  answersToSend,
  behind,
  codeIn,
  firstOpen,
  idIn,
  isBehind,
  joined,
  left,
  levelAt,
  minutesLeft,
  nextAfter,
  PARTICIPANT_ID,
  screenOf,
  STUDY_NAME,
} from '../../src/study/study'
import type { ParticipantAnswer, StudyAnswer } from '../../src/wire'

const STUDY: StudyAnswer = {
  study: 'mine',
  title: 'Mine',
  open: true,
  consent: 'You agree.',
  consent_version: '1',
  stored: [],
  minutes: 60,
  retention_days: 30,
}
const FRESH = { opened: false, done: false }
const DONE = { opened: true, done: true }
const PART: ParticipantAnswer = {
  study: 'mine',
  title: 'Mine',
  player: 'study-1',
  name: 'Emmy',
  variant: 'code',
  levels: ['one', 'two', 'three'],
  level_count: 3,
  tutorial: true,
  hints: false,
  until: 5_000,
  questions: [
    { id: 'before', text: '?', kind: 'text', choices: [], when: 'start' },
    { id: 'fun', text: '?', kind: 'scale', choices: [], when: 'end' },
  ],
  progress: [FRESH, FRESH, FRESH],
  time: 1_000,
  finished: false,
  code: null,
}
const asked = behind(joined({}, 'mine', 'p1'), 'mine', 'asked')
const taught = behind(asked, 'mine', 'taught')
const at = (place: string, record = taught, now = 1_000) => ({ place, pid: 'p1', record, now })

describe('the screens of a study', () => {
  it('follow each other, and whoever comes back is where they were', () => {
    expect(screenOf(STUDY, null, at('', {}))).toBe('consent')
    expect(screenOf(STUDY, PART, at('', joined({}, 'mine', 'p1')))).toBe('background')
    expect(screenOf(STUDY, PART, at('', asked))).toBe('tutorial')
    expect(screenOf(STUDY, PART, at(''))).toBe('levels')
    expect(screenOf(STUDY, PART, at('2'))).toBe('level')
    expect(screenOf(STUDY, PART, at('4'))).toBe('levels')
    expect(screenOf(STUDY, PART, at('end'))).toBe('questions')
    expect(screenOf(STUDY, { ...PART, finished: true }, at('2'))).toBe('finished')
  })
  it('leave out what the study does not have', () => {
    const plain = { ...PART, questions: [], tutorial: false }
    expect(screenOf(STUDY, plain, at('', {}))).toBe('levels')
  })
  it('say when nobody can begin, and when the link has no id', () => {
    expect(screenOf({ ...STUDY, open: false }, null, at('', {}))).toBe('closed')
    expect(screenOf({ ...STUDY, open: false }, PART, at('2'))).toBe('level')
    expect(screenOf(STUDY, null, { ...at('', {}), pid: '' })).toBe('no-id')
    expect(screenOf(STUDY, null, { ...at('', {}), pid: 'a b' })).toBe('no-id')
  })
  it('go to the questions when the time is over, wherever the participant is', () => {
    for (const record of [{}, asked, taught]) expect(screenOf(STUDY, PART, at('2', record, 5_000))).toBe('questions')
    expect(screenOf(STUDY, { ...PART, until: null }, at('2', taught, 1e12))).toBe('level')
    expect([minutesLeft(PART, 4_939), minutesLeft(PART, 4_941), minutesLeft(PART, 6_000)]).toEqual([1, 0, 0])
    expect(minutesLeft({ ...PART, until: null }, 0)).toBe(null)
  })
})

describe('levels', () => {
  it('are named by numbers', () => {
    expect(['1', '3', '0', '4', '01', 'x', ''].map((place) => levelAt(PART, place))).toEqual([
      ...[1, 3, null, null, null, null, null],
    ])
  })
  it('follow each other, and those that were left out come again', () => {
    const part = { ...PART, progress: [FRESH, DONE, FRESH] }
    expect([1, 2, 3].map((number) => nextAfter(part, number))).toEqual([3, 3, 1])
    expect(firstOpen(part)).toBe(1)
    expect(firstOpen({ ...PART, progress: [DONE, DONE, FRESH] })).toBe(3)
    expect(firstOpen({ ...PART, progress: [DONE, DONE, DONE] })).toBe(null)
    expect(nextAfter({ ...PART, progress: [DONE, DONE, FRESH] }, 3)).toBe(null)
  })
})

describe('what a browser remembers of a study', () => {
  it('begins anew with another id, and other studies stay', () => {
    const record = joined(taught, 'other', 'p9')
    expect([idIn(record, 'mine'), idIn(record, 'other'), record.current]).toEqual(['p1', 'p9', 'other'])
    const again = joined(record, 'mine', 'p2')
    expect([idIn(again, 'mine'), isBehind(again, 'mine', 'taught'), idIn(again, 'other')]).toEqual(['p2', false, 'p9'])
  })
  it('goes with the participant, apart from the code, which is shown to nobody else', () => {
    expect(left(taught, 'mine', null)).toEqual({})
    const done = left(taught, 'mine', 'CODE')
    expect(idIn(done, 'mine')).toBe(null)
    expect(done.current).toBe(undefined)
    expect(['p1', '', 'p2'].map((pid) => codeIn(done, 'mine', pid))).toEqual(['CODE', 'CODE', null])
  })
  it('checks names and ids as the server does', () => {
    expect(['six', 'a-1_B', '-a', '', 'x'.repeat(41)].map((name) => STUDY_NAME.test(name))).toEqual([
      ...[true, true, false, false, false],
    ])
    expect(['5f3a', 'a.b:c', 'a/b', ''].map((pid) => PARTICIPANT_ID.test(pid))).toEqual([true, true, false, false])
  })
  it('sends no empty answers', () => {
    expect(answersToSend({ fun: 4, comment: '  ', other: ' x ' })).toEqual({ fun: 4, other: 'x' })
  })
})

describe('the log of a browser', () => {
  function logged(level: string | number | null): { log: ClientLog; sent: LogRow[]; pass: (seconds: number) => void } {
    let now = 1_000
    const sent: LogRow[] = []
    const send = (rows: readonly LogRow[]): Promise<unknown> => {
      sent.push(...rows)
      return Promise.resolve()
    }
    return { log: new ClientLog(send, level, () => now), sent, pass: (seconds) => (now += seconds) }
  }

  it('tells active time with its level, in parts of about a minute', async () => {
    const { log, sent, pass } = logged('multiply')
    for (let step = 0; step < 9; step++) {
      log.moved()
      pass(10)
    }
    pass(100)
    log.moved()
    log.rest()
    await log.flush()
    expect(sent).toEqual([
      { kind: 'active', time: 1_060, body: { from: 1_000, to: 1_060, level: 'multiply' } },
      { kind: 'active', time: 1_080, body: { from: 1_060, to: 1_080, level: 'multiply' } },
      { kind: 'active', time: 1_190, body: { from: 1_190, to: 1_190, level: 'multiply' } },
    ])
  })
  it('tells how long was typed and paused, and not what', async () => {
    const { log, sent, pass } = logged(3)
    log.typed('entry')
    pass(1)
    log.typed('entry')
    pass(5)
    log.typed('entry')
    log.rest()
    await log.flush()
    expect(sent.map(({ kind, body }) => [kind, body])).toEqual([
      ['typing', { where: 'entry', keys: 2, from: 1_000, to: 1_001, level: 3 }],
      ['pause', { where: 'entry', seconds: 5, level: 3 }],
      ['typing', { where: 'entry', keys: 1, from: 1_006, to: 1_006, level: 3 }],
      ['active', { from: 1_000, to: 1_006, level: 3 }],
    ])
  })
  it('is thrown away where its participant withdraws', async () => {
    const { log, sent } = logged(1)
    log.typed('entry')
    log.discard()
    log.rest()
    await log.flush()
    expect(sent).toEqual([])
  })
  it('names no level in the tutorial', async () => {
    const { log, sent } = logged(null)
    log.note('screen', { screen: 'tutorial' })
    await log.flush()
    expect(sent[0]?.body).toEqual({ screen: 'tutorial' })
  })
})
