// What this browser keeps: settings, and everything typed. The format has a version, and a golden test: no change may empty a save.

import type { Medal, Values, Variant } from '../api'
import type { LanguageName } from '../strings/tables.svelte'

export const SAVE_KEY = 'idg.save'
/** A save that could not be read is put aside, not thrown away. */
export const BROKEN_KEY = 'idg.save.broken'
export const SAVE_VERSION = 1
const HISTORY_MAX = 50
const LOCAL_ROOMS_MAX = 200
const TEXT_CHARS_MAX = 10_000

export type Theme = 'system' | 'light' | 'dark'
export type Motion = 'system' | 'reduced'
/** Colours of rows that hold and fail. */
export type RowColours = 'clear' | 'classic'
export type Settings = {
  readonly language: LanguageName
  readonly theme: Theme
  readonly rows: RowColours
  readonly variant: Variant
  readonly powerUps: boolean
  readonly motion: Motion
  /** Whether this browser may tell when its player types and pauses. */
  readonly logs: boolean
}
/** What lies on the localRoom of one level or program. */
export type LocalRoom = {
  /** Loop → what is typed there. */
  readonly drafts: Readonly<Record<string, string>>
  readonly loop: number
  /** Inputs of the trace, where they are not the default ones. */
  readonly inputs: Values | null
  /** The player's proposals, oldest first. */
  readonly history: readonly string[]
  /** Columns kept in the trace table. */
  readonly columns: readonly string[]
  readonly used: number
}
export type Solved = { readonly coins: number; readonly gem: boolean; readonly medals: readonly Medal[] }
export type Save = {
  readonly format: 'idg-save'
  readonly version: typeof SAVE_VERSION
  readonly player: { readonly player: string; readonly name: string } | null
  readonly settings: Settings
  /** Room's key (`level:multiply:code`, `program:…`, `room:…`) → its localRoom. */
  readonly localRooms: Readonly<Record<string, LocalRoom>>
  /** The levels as they were last known, for a map without a server. */
  readonly levels: Readonly<Record<string, Solved>>
  readonly tutorial: { readonly step: number; readonly done: boolean }
  /** The text of the program under the player's hands. */
  readonly ownProgram: { readonly title: string; readonly source: string } | null
  readonly study: Readonly<Record<string, string>>
}

export const EMPTY_LOCAL_ROOM: LocalRoom = { drafts: {}, loop: 1, inputs: null, history: [], columns: [], used: 0 }

export function emptySave(language: LanguageName = 'en'): Save {
  return {
    format: 'idg-save',
    version: SAVE_VERSION,
    player: null,
    settings: {
      language,
      theme: 'system',
      rows: 'clear',
      variant: 'code',
      powerUps: false,
      motion: 'system',
      logs: false,
    },
    localRooms: {},
    levels: {},
    tutorial: { step: 0, done: false },
    ownProgram: null,
    study: {},
  }
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>
type RawObject = Readonly<Record<string, unknown>>

const isObject = (raw: unknown): raw is RawObject => typeof raw === 'object' && raw !== null && !Array.isArray(raw)
const text = (raw: unknown): string => (typeof raw === 'string' ? raw.slice(0, TEXT_CHARS_MAX) : '')
const texts = (raw: unknown): string[] =>
  Array.isArray(raw) ? raw.filter((item) => typeof item === 'string').map(text) : []
const textMap = (raw: unknown): Record<string, string> =>
  isObject(raw)
    ? Object.fromEntries(
        Object.entries(raw)
          .filter(([, value]) => typeof value === 'string')
          .map(([key, value]) => [key, text(value)]),
      )
    : {}
const number = (raw: unknown, otherwise: number): number =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : otherwise
const oneOf = <T extends string>(raw: unknown, allowed: readonly T[]): T =>
  allowed.find((choice) => choice === raw) ?? (allowed[0] as T)

/** The save in a text; null where the text is none. Parts that cannot be read are left at their defaults. */
export function parseSave(json: string, language: LanguageName = 'en'): Save | null {
  let raw: unknown
  try {
    raw = JSON.parse(json)
  } catch {
    return null
  }
  if (!isObject(raw) || raw.format !== 'idg-save' || raw.version !== SAVE_VERSION) return null
  const settings: RawObject = isObject(raw.settings) ? raw.settings : {}
  const tutorial: RawObject = isObject(raw.tutorial) ? raw.tutorial : {}
  const own = raw.ownProgram
  return {
    format: 'idg-save',
    version: SAVE_VERSION,
    player: isObject(raw.player) ? { player: text(raw.player.player), name: text(raw.player.name) } : null,
    settings: {
      language: oneOf(settings.language ?? language, ['en', 'de']),
      theme: oneOf(settings.theme, ['system', 'light', 'dark']),
      rows: oneOf(settings.rows, ['clear', 'classic']),
      variant: oneOf(settings.variant, ['code', 'trace']),
      powerUps: settings.powerUps === true,
      motion: oneOf(settings.motion, ['system', 'reduced']),
      logs: settings.logs === true,
    },
    localRooms: mapValues(raw.desks, readLocalRoom),
    levels: mapValues(raw.levels, readSolved),
    tutorial: { step: number(tutorial.step, 0), done: tutorial.done === true },
    ownProgram: isObject(own)
      ? { title: text(own.title), source: typeof own.source === 'string' ? own.source : '' }
      : null,
    study: textMap(raw.study),
  }
}

function mapValues<T>(raw: unknown, read: (value: RawObject) => T): Record<string, T> {
  if (!isObject(raw)) return {}
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) => (isObject(value) ? [[key, read(value)]] : [])),
  )
}

const readLocalRoom = (raw: RawObject): LocalRoom => ({
  drafts: textMap(raw.drafts),
  loop: number(raw.loop, 1),
  inputs: isObject(raw.inputs) ? textMap(raw.inputs) : null,
  history: texts(raw.history).slice(-HISTORY_MAX),
  columns: texts(raw.columns),
  used: number(raw.used, 0),
})

const readSolved = (raw: RawObject): Solved => ({
  coins: number(raw.coins, 0),
  gem: raw.gem === true,
  medals: texts(raw.medals) as Medal[],
})

export function readSave(storage: Storage, language: LanguageName = browserLanguage()): Save {
  let json: string | null = null
  try {
    json = storage.getItem(SAVE_KEY)
  } catch {
    // A browser may forbid storage: play goes on without.
  }
  if (json === null) return emptySave(language)
  const save = parseSave(json, language)
  if (!save) store(storage, BROKEN_KEY, json)
  return save ?? emptySave(language)
}

const browserLanguage = (): LanguageName =>
  typeof navigator !== 'undefined' && navigator.language.startsWith('de') ? 'de' : 'en'

function store(storage: Storage, key: string, json: string): void {
  try {
    storage.setItem(key, json)
  } catch {
    // Full or forbidden: the server still has the progress.
  }
}

/** Writes the save within its bounds, and gives it back as written. */
export function writeSave(storage: Storage, save: Save): Save {
  const bounded = { ...save, localRooms: newest(save.localRooms) }
  const { localRooms: desks, ...rest } = bounded
  store(storage, SAVE_KEY, JSON.stringify({ ...rest, desks }))
  return bounded
}

function newest(localRooms: Save['localRooms']): Save['localRooms'] {
  const all = Object.entries(localRooms)
  if (all.length <= LOCAL_ROOMS_MAX) return localRooms
  return Object.fromEntries(all.sort(([, a], [, b]) => b.used - a.used).slice(0, LOCAL_ROOMS_MAX))
}

/** The localRoom with a proposal added to its history; the same text twice in a row is one. */
export function remember(history: readonly string[], proposal: string): readonly string[] {
  return history.at(-1) === proposal ? history : [...history, proposal].slice(-HISTORY_MAX)
}

export const localRoomKey = (of: {
  level: string | null
  program: string
  variant: Variant
  code: string | null
  room: string
}): string =>
  of.code ? `room:${of.room}` : `${of.level ? `level:${of.level}` : `program:${of.program}`}:${of.variant}`
