// The player's progress on each level, from the server's scores and rooms, or from what this browser remembers.

import type { Medal } from '../api'
import type { LevelList, ListedLevel, ListedRoom, PlayerScores, Score } from '../wire'

export type LevelState = 'new' | 'begun' | 'solved'
export type LevelProgress = {
  readonly entry: ListedLevel
  readonly state: LevelState
  readonly coins: number
  readonly gem: boolean
  readonly medals: readonly Medal[]
  /** When its newest room was last used, in seconds since 1970; 0 where there is none. */
  readonly time: number
}
export type WorldProgress = { readonly id: string; readonly levels: readonly LevelProgress[]; readonly solved: number }
export type Progress = {
  readonly worlds: readonly WorldProgress[]
  /** The level to play next; null when all are solved. */
  readonly recommended: LevelProgress | null
  /** The unsolved level that was played last; null where there is none. */
  readonly unfinished: LevelProgress | null
  readonly isNewcomer: boolean
  readonly solved: number
  readonly levels: number
}
type Remembered = Readonly<Record<string, Pick<Score, 'coins' | 'gem' | 'medals'>>>

export function progressOf(
  levels: LevelList,
  scores: PlayerScores | null,
  rooms: readonly ListedRoom[],
  remembered: Remembered = {},
): Progress {
  const all = levels.levels.map((entry) => levelProgress(entry, scores ? scores.levels : remembered, rooms))
  const open = all.filter((level) => level.state !== 'solved')
  const begun = open.filter((level) => level.state === 'begun').sort((a, b) => b.time - a.time)
  return {
    worlds: levels.worlds.map(({ id }) => {
      const within = all.filter((level) => level.entry.world === id)
      return { id, levels: within, solved: solvedIn(within) }
    }),
    recommended: recommend(all),
    unfinished: begun[0] ?? null,
    isNewcomer: all.every((level) => level.state === 'new'),
    solved: solvedIn(all),
    levels: all.length,
  }
}

const solvedIn = (levels: readonly LevelProgress[]): number => levels.filter((level) => level.state === 'solved').length

function levelProgress(entry: ListedLevel, scores: Remembered, rooms: readonly ListedRoom[]): LevelProgress {
  const score = scores[entry.level]
  const mine = rooms.filter((room) => room.level === entry.level)
  const solved = (score?.gem ?? false) || mine.some((room) => room.solved)
  return {
    entry,
    state: solved ? 'solved' : mine.length || score?.coins ? 'begun' : 'new',
    coins: score?.coins ?? 0,
    gem: score?.gem ?? false,
    medals: score?.medals ?? [],
    time: Math.max(0, ...mine.map((room) => room.time)),
  }
}

/**
 * The first level after the last solved one that is not solved. After the end of the list come the levels that were
 * passed over.
 */
function recommend(all: readonly LevelProgress[]): LevelProgress | null {
  const last = all.findLastIndex((level) => level.state === 'solved')
  const isOpen = (level: LevelProgress): boolean => level.state !== 'solved'
  return all.slice(last + 1).find(isOpen) ?? all.find(isOpen) ?? null
}
