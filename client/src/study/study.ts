// A study: which screen a participant is at, and what this browser remembers. The server assigns the arm, keeps the
// answers and knows how far everybody is; the browser only remembers who takes part here and what is behind them.

import type { ParticipantAnswer, StudyAnswer, StudyQuestion } from '../wire'

/** What the name of a study may look like in the address. */
export const STUDY_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/
/** What the id of a participant may look like. */
export const PARTICIPANT_ID = /^[A-Za-z0-9_.:-]{1,100}$/
/** How many characters a free answer may have. */
export const ANSWER_CHARS_MAX = 1_000
export const SCALE = [1, 2, 3, 4, 5] as const

/** Where a level is played in a study: what follows it, and where the other levels are. */
export type StudyPlace = {
  readonly home: string
  readonly next: string
  readonly hints: boolean
  /** Whether this is the tutorial, which counts nowhere. */
  readonly tutorial: boolean
}

/** What a browser keeps of the studies that it takes part in. */
export type StudyRecord = Readonly<Record<string, string>>
/** The steps of a study that only the browser remembers. */
export type StudyStep = 'asked' | 'taught'

/** The id with which this browser takes part in a study. */
export const idIn = (record: StudyRecord, name: string): string | null => record[`${name}.pid`] ?? null
export const isBehind = (record: StudyRecord, name: string, step: StudyStep): boolean => `${name}.${step}` in record

export const joined = (record: StudyRecord, name: string, pid: string): StudyRecord => ({
  ...withoutStudy(record, name),
  current: name,
  [`${name}.pid`]: pid,
})
export const behind = (record: StudyRecord, name: string, step: StudyStep): StudyRecord => ({
  ...record,
  [`${name}.${step}`]: 'yes',
})
/** The record of a browser that takes part no longer. What it knows of the study goes, apart from a completion code. */
export const left = (record: StudyRecord, name: string, code: string | null): StudyRecord => ({
  ...withoutStudy(record, name),
  ...(code ? { [`${name}.code`]: code, [`${name}.codeOf`]: idIn(record, name) ?? '' } : {}),
})
/** The completion code that was got here; for a link with an id only if it was got with this id. */
export const codeIn = (record: StudyRecord, name: string, pid: string): string | null =>
  pid && pid !== record[`${name}.codeOf`] ? null : (record[`${name}.code`] ?? null)

function withoutStudy(record: StudyRecord, name: string): StudyRecord {
  const rest = Object.entries(record).filter(([key]) => !key.startsWith(`${name}.`))
  return Object.fromEntries(rest.filter(([key, value]) => key !== 'current' || value !== name))
}

/** The key under which drafts of a level are kept: those of other games must not be seen in a study. */
export const draftsKey = (name: string, player: string, level: string, tutorial: boolean): string =>
  `study:${name}:${player}:${level}${tutorial ? ':tutorial' : ''}`

export type StudyScreen =
  'closed' | 'no-id' | 'consent' | 'background' | 'tutorial' | 'levels' | 'level' | 'questions' | 'finished'

type Where = {
  /** What follows the name of the study in the address: nothing, `levels`, `end`, `taught` or the number of a level. */
  readonly place: string
  readonly pid: string
  readonly record: StudyRecord
  /** Seconds since 1970, by the server's clock. */
  readonly now: number
}

/** The screen that somebody sees. Whoever comes back is where they were. */
export function screenOf(
  study: StudyAnswer,
  part: ParticipantAnswer | null,
  { place, pid, record, now }: Where,
): StudyScreen {
  if (!part) {
    if (!study.open) return 'closed'
    return PARTICIPANT_ID.test(pid) ? 'consent' : 'no-id'
  }
  if (part.finished) return 'finished'
  if (isOver(part, now) || place === 'end') return 'questions'
  if (questionsAt(part, 'start').length && !isBehind(record, study.study, 'asked')) return 'background'
  if (part.tutorial && !isBehind(record, study.study, 'taught')) return 'tutorial'
  return levelAt(part, place) ? 'level' : 'levels'
}

export const isOver = ({ until }: ParticipantAnswer, now: number): boolean => until !== null && now >= until
export const questionsAt = ({ questions }: ParticipantAnswer, when: 'start' | 'end'): readonly StudyQuestion[] =>
  questions.filter((question) => question.when === when)

/** The number of the level that a place names; null where there is none. */
export function levelAt({ level_count: count }: ParticipantAnswer, place: string): number | null {
  const number = /^[1-9]\d{0,3}$/.test(place) ? Number(place) : 0
  return number >= 1 && number <= count ? number : null
}

/** What comes after a level: the next one that is not done, later ones first; the list of all where all are done. */
export function nextAfter({ progress }: ParticipantAnswer, number: number): number | null {
  const order = progress.map((_, index) => ((number + index) % progress.length) + 1)
  return order.find((other) => other !== number && !progress[other - 1]?.done) ?? null
}

/** The level that is offered first: the first one that is not done. */
export const firstOpen = (part: ParticipantAnswer): number | null => nextAfter(part, 0)

export type GivenAnswers = Readonly<Record<string, string | number>>
/** The answers that are sent: empty texts are left out. */
export const answersToSend = (answers: GivenAnswers): GivenAnswers =>
  Object.fromEntries(
    Object.entries(answers)
      .map(([id, value]) => [id, typeof value === 'string' ? value.trim().slice(0, ANSWER_CHARS_MAX) : value] as const)
      .filter(([, value]) => value !== ''),
  )

/** How many whole minutes are left; 0 in the last one. */
export const minutesLeft = ({ until }: ParticipantAnswer, now: number): number | null =>
  until === null ? null : Math.max(0, Math.floor((until - now) / 60))
