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

/** Titles are the same where people read them as the same. */
const sameTitle = (a: string, b: string): boolean =>
  a.normalize('NFKC').trim().toLowerCase() === b.normalize('NFKC').trim().toLowerCase()

/** The listed program of this title; that of this text, which may be submitted again, does not count. */
export const titled = (programs: readonly OwnProgram[], title: string, except = ''): OwnProgram | undefined =>
  programs.find((program) => program.program !== except && sameTitle(program.title, title))

/** The title, with the first number after it that makes it new. */
export function freeTitle(programs: readonly OwnProgram[], title: string): string {
  if (!titled(programs, title)) return title
  const [, stem = title, from = '1'] = /^(.*?)(?:\s+(\d{1,4}))?$/u.exec(title) ?? []
  for (let number = Number(from) + 1; ; number++) {
    const end = ` ${number}`
    const candidate = `${stem.slice(0, TITLE_CHARS_MAX - end.length)}${end}`
    if (!titled(programs, candidate)) return candidate
  }
}

/** The titles of a list, told apart by the beginning of the hash where two are the same. */
export const shownTitle = (programs: readonly OwnProgram[], { program, title }: OwnProgram): string =>
  titled(programs, title, program) ? `${title} (${program.slice(0, 4)})` : title

/** Whether a text that is no program looks like Python. */
export const looksLikePython = (text: string): boolean => /^\s*def\s+\w+\s*\(.*\).*:\s*$/m.test(text)

/** Whether a text that is no program looks like C. */
export const looksLikeC = (text: string): boolean =>
  !/\bfn\s+\w+\s*\(/.test(text) &&
  /^\s*#\s*(include|define)\b|\b(int|void|unsigned|long|short|char|_Bool|bool)\s+\**\w+\s*\([^;{]*\)\s*\{/m.test(text)
