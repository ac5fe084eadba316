// Dates of assignments: seconds since 1970 on the server, local time in the fields of a form.

import { language } from '../strings'

export const shownDate = (seconds: number): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))

const two = (number: number): string => String(number).padStart(2, '0')

/** For a field of the type `datetime-local`; empty where there is no date. */
export function fieldOf(seconds: number | null): string {
  if (seconds === null) return ''
  const date = new Date(seconds * 1000)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The date in such a field; null where it is empty. */
export function dateIn(field: string): number | null {
  const time = field ? new Date(field).getTime() : Number.NaN
  return Number.isFinite(time) ? time / 1000 : null
}
