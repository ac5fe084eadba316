// A study: consent, a variant by chance, exit questions. The answers and the variant go to the server's log; the browser remembers
// them too, so that whoever comes back gets the same variant.

import type { LogRow, Variant } from '../api'

export const STUDY_NAME = /^[A-Za-z0-9_-]{1,40}$/
export const COMMENT_CHARS_MAX = 500
/** Statements that are agreed to from 1 to 5. */
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

/** What a browser keeps of the studies it takes part in. */
export type StudyRecord = Readonly<Record<string, string>>

export const variantIn = (record: StudyRecord, name: string): Variant | null => {
  const variant = record[`${name}.variant`]
  return variant === 'code' || variant === 'trace' ? variant : null
}
export const answered = (record: StudyRecord, name: string): boolean => record[`${name}.answered`] === 'yes'
/** The study that this browser takes part in now, if any. */
export const current = (record: StudyRecord): string | null => record.current ?? null

/** Half of the people get each variant; `chance` is a number from 0 up to, not including, 1. */
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

/** Questions may be left out, but not all of them. */
export const isEmpty = (answers: Answers): boolean => Object.keys(answerRow('', 'code', answers, 0).body).length === 2
