// The programs that were submitted from this browser, newest first. The server has their texts.

import type { ListedRoom } from '../wire'

export const PROGRAMS_KEY = 'idg.programs'
/** How many programs the list has; the oldest are left out. */
const PROGRAMS_MAX = 200
/** How many characters a title may have; the server takes no longer ones. */
export const TITLE_CHARS_MAX = 80

export type OwnProgram = { readonly program: string; readonly title: string; readonly time: number }
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

const isOwn = (value: unknown): value is OwnProgram => {
  const program = value as OwnProgram | null
  return (
    typeof program === 'object' &&
    typeof program?.program === 'string' &&
    typeof program.title === 'string' &&
    typeof program.time === 'number'
  )
}

export function readPrograms(storage: Storage): readonly OwnProgram[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(PROGRAMS_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isOwn).slice(0, PROGRAMS_MAX) : []
  } catch {
    // Storage may be forbidden, or hold something else.
    return []
  }
}

export function writePrograms(storage: Storage, programs: readonly OwnProgram[]): void {
  try {
    storage.setItem(PROGRAMS_KEY, JSON.stringify(programs))
  } catch {
    // Storage is full or forbidden. The links still work.
  }
}

export const withProgram = (programs: readonly OwnProgram[], added: OwnProgram): readonly OwnProgram[] =>
  [added, ...programs.filter((program) => program.program !== added.program)].slice(0, PROGRAMS_MAX)
export const withoutProgram = (programs: readonly OwnProgram[], hash: string): readonly OwnProgram[] =>
  programs.filter((program) => program.program !== hash)

/**
 * The programs that the player has a room for but this browser does not list. They were submitted on another device, or
 * others have shared them.
 */
export function unlisted(programs: readonly OwnProgram[], rooms: readonly ListedRoom[]): readonly string[] {
  const known = new Set(programs.map((program) => program.program))
  return [
    ...new Set(rooms.filter((room) => room.level === null && !known.has(room.program)).map((room) => room.program)),
  ]
}
