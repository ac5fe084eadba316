// The player's progress on each level, from the server's scores and rooms, or from what this browser remembers.

import type { Medal } from '../api'
import type { LevelList, ListedLevel, ListedRoom, ListedWorld, PlayerScores, Score } from '../wire'

export type LevelState = 'new' | 'begun' | 'solved'
export type LevelProgress = {
  readonly entry: ListedLevel
  readonly state: LevelState
  /** Whether its island opens later. It can be played all the same. */
  readonly locked: boolean
  readonly coins: number
  readonly gem: boolean
  /** The second lamp: none where the level has none, else whether it is lit. */
  readonly second: 'none' | 'dark' | 'lit'
  readonly medals: readonly Medal[]
  /** When its newest room was last used, in seconds since 1970; 0 where there is none. */
  readonly time: number
}
export type WorldProgress = {
  readonly id: string
  readonly world: ListedWorld
  readonly levels: readonly LevelProgress[]
  /** Lamps of the way that are lit, and lamps of the way; side lamps are not counted. */
  readonly solved: number
  readonly lamps: number
  readonly locked: boolean
  /** How many lamps of the island before must be lit until this one opens. */
  readonly needs: number
}
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
type Remembered = Readonly<Record<string, Pick<Score, 'coins' | 'gem' | 'medals' | 'ends'>>>

/** An island opens when so many lamps of the one before are lit, or all but one where it has no more than that. */
export const OPENS_AFTER = 4

export function progressOf(
  levels: LevelList,
  scores: PlayerScores | null,
  rooms: readonly ListedRoom[],
  remembered: Remembered = {},
  openAll = false,
): Progress {
  const known = scores ? scores.levels : remembered
  const worlds = locked(
    levels.worlds.map((world) => {
      const within = levels.levels.filter((entry) => entry.world === world.id)
      return worldProgress(
        world,
        within.map((entry) => levelProgress(entry, known, rooms)),
      )
    }),
    openAll,
  )
  const all = worlds.flatMap((world) => world.levels)
  const begun = all.filter((level) => level.state === 'begun').sort((a, b) => b.time - a.time)
  return {
    worlds,
    recommended: recommend(all),
    unfinished: begun[0] ?? null,
    // Whoever has only joined a room of others, or opened a level, has not begun yet.
    isNewcomer: all.every((level) => level.state !== 'solved' && !level.coins),
    solved: solvedIn(all),
    levels: all.length,
  }
}

const isOnTheWay = (level: LevelProgress): boolean => !level.entry.beside
const solvedIn = (levels: readonly LevelProgress[]): number => levels.filter((level) => level.state === 'solved').length

function worldProgress(world: ListedWorld, levels: readonly LevelProgress[]): WorldProgress {
  const lamps = levels.filter(isOnTheWay)
  return { id: world.id, world, levels, solved: solvedIn(lamps), lamps: lamps.length, locked: false, needs: 0 }
}

/** Islands after the first open one after the other. An island where something is begun or solved is open, too. */
function locked(worlds: readonly WorldProgress[], openAll: boolean): readonly WorldProgress[] {
  return worlds.map((world, index) => {
    const before = worlds[index - 1]
    const needs = before ? Math.min(OPENS_AFTER, before.lamps - 1) : 0
    const isOpen = openAll || (before?.solved ?? 0) >= needs || world.levels.some((level) => level.state !== 'new')
    return isOpen
      ? { ...world, needs }
      : { ...world, needs, locked: true, levels: world.levels.map((level) => ({ ...level, locked: true })) }
  })
}

function levelProgress(entry: ListedLevel, scores: Remembered, rooms: readonly ListedRoom[]): LevelProgress {
  const score = scores[entry.level]
  const mine = rooms.filter((room) => room.level === entry.level)
  const solved = (score?.gem ?? false) || mine.some((room) => room.solved)
  return {
    entry,
    state: solved ? 'solved' : mine.length || score?.coins ? 'begun' : 'new',
    locked: false,
    coins: score?.coins ?? 0,
    gem: score?.gem ?? false,
    second: !entry.ending ? 'none' : score?.ends || mine.some((room) => room.ends) ? 'lit' : 'dark',
    medals: score?.medals ?? [],
    time: Math.max(0, ...mine.map((room) => room.time)),
  }
}

/**
 * The first level of the way after the last solved one that is not solved. After the end of the way come the levels
 * that were passed over, and then the side lamps.
 */
function recommend(all: readonly LevelProgress[]): LevelProgress | null {
  const last = all.findLastIndex((level) => level.state === 'solved')
  const isOpen = (level: LevelProgress): boolean => level.state !== 'solved'
  const isNext = (level: LevelProgress): boolean => isOpen(level) && isOnTheWay(level)
  return all.slice(last + 1).find(isNext) ?? all.find(isNext) ?? all.find(isOpen) ?? null
}
