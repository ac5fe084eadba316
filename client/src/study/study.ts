// A study: consent, a variant chosen at random, questions at the end. The variant and the answers go to the server's
// log. The browser remembers the variant too, so that whoever comes back gets the same one.

import type { LogRow, Variant } from '../api'

/** What the name of a study may look like in the address. */
export const STUDY_NAME = /^[A-Za-z0-9_-]{1,40}$/
/** How many characters the free answer may have. */
export const COMMENT_CHARS_MAX = 500
/** The statements that people agree with on a scale from 1 to 5. */
export const SCALES = ['fun', 'clear', 'hard', 'learned'] as const
export const EXPERIENCES = ['none', 'some', 'much'] as const
export type Scale = (typeof SCALES)[number]
export type Experience = (typeof EXPERIENCES)[number]
export type Answers = {
  readonly scales: Readonly<Partial<Record<Scale, number>>>
  readonly programming: Experience | null
  readonly logic: Experience | null
  readonly comment: string
}
export const NO_ANSWERS: Answers = { scales: {}, programming: null, logic: null, comment: '' }

/** What a browser keeps of the studies that it takes part in. */
export type StudyRecord = Readonly<Record<string, string>>

export const variantIn = (record: StudyRecord, name: string): Variant | null => {
  const variant = record[`${name}.variant`]
  return variant === 'code' || variant === 'trace' ? variant : null
}
export const answered = (record: StudyRecord, name: string): boolean => record[`${name}.answered`] === 'yes'
/** The name of the study that this browser takes part in now, if any. */
export const current = (record: StudyRecord): string | null => record.current ?? null

/** Assigns each variant to half of the people. `chance` is a random number, at least 0 and less than 1. */
export const assign = (chance: number): Variant => (chance < 0.5 ? 'code' : 'trace')

export const joined = (record: StudyRecord, name: string, variant: Variant): StudyRecord => ({
  ...record,
  current: name,
  [`${name}.variant`]: variant,
})
export function ended(record: StudyRecord, name: string): StudyRecord {
  const { current: _, ...rest } = record
  return { ...rest, [`${name}.answered`]: 'yes' }
}

export const consentRow = (name: string, variant: Variant, time: number): LogRow => ({
  kind: 'setting',
  time,
  body: { setting: 'study', study: name, variant, consent: true },
})

export function answerRow(name: string, variant: Variant, answers: Answers, time: number): LogRow {
  const body: Record<string, string | number> = { study: name, variant }
  for (const [key, value] of Object.entries(answers.scales)) body[key] = value
  if (answers.programming) body.programming = answers.programming
  if (answers.logic) body.logic = answers.logic
  const comment = answers.comment.trim().slice(0, COMMENT_CHARS_MAX)
  if (comment) body.comment = comment
  return { kind: 'answer', time, body }
}

/** Whether nothing is answered at all. Single questions may be left out. */
export const isEmpty = (answers: Answers): boolean => Object.keys(answerRow('', 'code', answers, 0).body).length === 2
