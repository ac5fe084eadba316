// Today's level: which days of the week are solved, and when a day needs a new room. Days are those of Universal Time.

import type { Variant } from '../api'
import type { DailyAnswer, DailyLevel, ListedRoom } from '../wire'

export type Day = { readonly date: string; readonly solved: boolean; readonly isToday: boolean }

const DAYS_A_WEEK = 7
const DAY_MS = 86_400_000

/** Midnight of a day such as "2026-11-18", in milliseconds since 1970. */
const midnight = (date: string): number => Date.parse(`${date}T00:00:00Z`)
/** Whether the room was last used on this day or later. */
const isSince = (room: ListedRoom, date: string): boolean => room.time * 1000 >= midnight(date)

/** The week from Monday to Sunday. A day is solved if the player has a solved room of its program since that day. */
export function weekOf({ today, week }: DailyAnswer, rooms: readonly ListedRoom[]): readonly Day[] {
  const monday = midnight(week[0]?.date ?? today.date)
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => {
    const date = new Date(monday + index * DAY_MS).toISOString().slice(0, 10)
    const program = week[index]?.program
    const solved = rooms.some((room) => room.program === program && room.solved && isSince(room, date))
    return { date, solved, isToday: date === today.date }
  })
}

/** Where today's level is played. */
export const linkTo = ({ date, level, program }: DailyLevel): string =>
  `${level === null ? `/program/${program}` : `/level/${level}`}?day=${date}`

/**
 * Whether the newest room of this level or program was solved before this day, so that opening it again would leave
 * nothing to play.
 */
export function needsNewRoom(rooms: readonly ListedRoom[], id: string, variant: Variant, date: string): boolean {
  const newest = rooms
    .filter((room) => room.variant === variant && (room.program === id || room.level === id))
    .sort((a, b) => b.time - a.time)[0]
  return newest !== undefined && newest.solved && !isSince(newest, date)
}
