// What this browser keeps: the settings and everything that was typed. The format has a version number, and a golden
// test reads a recorded save, because no change of the client may empty a save.

import type { Medal, Values, Variant } from '../api'
import type { SeenProof } from '../map/proofs'
import type { LanguageName } from '../strings/tables.svelte'

export const SAVE_KEY = 'idg.save'
/** The key under which a save that cannot be read is put aside. It is not thrown away. */
export const BROKEN_KEY = 'idg.save.broken'
/** The version of the format. A save of another version counts as one that cannot be read. */
export const SAVE_VERSION = 1
/** How many proposals are remembered for one room; the oldest go first. */
const HISTORY_MAX = 50
/** For how many rooms the browser keeps something; those not used for the longest time go first. */
const LOCAL_ROOMS_MAX = 200
/** How many characters of any stored text are read. A draft cannot be longer than that in the entry box. */
const TEXT_CHARS_MAX = 10_000

export type Theme = 'system' | 'light' | 'dark'
export type Motion = 'system' | 'reduced'
/** The way as a picture, or as a list. */
export type MapView = 'map' | 'list'
/** The colours of rows in which an expression holds or fails. */
export type RowColours = 'clear' | 'classic'
export type Settings = {
  readonly language: LanguageName
  readonly theme: Theme
  readonly rows: RowColours
  readonly variant: Variant
  readonly motion: Motion
  /** Whether the others in a room see what this player types, and the reverse. It is so if this is not set. */
  readonly liveDrafts?: boolean
  /** Whether every island of the map is open, whatever is solved. */
  readonly openAll: boolean
  readonly mapView: MapView
  /** Whether a proved goal is heard. */
  readonly sound?: boolean
  /** Whether this browser may tell the server when its player types and pauses. */
  readonly logs: boolean
}
/** What the browser keeps for one room: the work of its player that the server does not know. */
export type LocalRoom = {
  /** The number of a loop → the text that is typed there. */
  readonly drafts: Readonly<Record<string, string>>
  readonly loop: number
  /** The inputs of the trace; null where they are the program's default inputs. */
  readonly inputs: Values | null
  /** The player's proposals, oldest first. */
  readonly history: readonly string[]
  /** The expressions that the player keeps as columns of the trace table. */
  readonly columns: readonly string[]
  /** When it was last used, in milliseconds since 1970. */
  readonly used: number
}
export type Solved = {
  readonly coins: number
  readonly gem: boolean
  readonly medals: readonly Medal[]
  /** Whether the second lamp is lit. */
  readonly ends?: boolean
}
export type Save = {
  readonly format: 'idg-save'
  readonly version: typeof SAVE_VERSION
  readonly player: { readonly player: string; readonly name: string } | null
  readonly settings: Settings
  /**
   * The key of a room (`level:multiply:code`, `program:…`, `room:…`) → what is kept for it. In the stored text this
   * field is called `desks`, as in the saves that browsers have already.
   */
  readonly localRooms: Readonly<Record<string, LocalRoom>>
  /** The levels as they were last known, so that the map can be shown without a server. */
  readonly levels: Readonly<Record<string, Solved>>
  /** The id of a solved room → the patterns of its proof. */
  readonly proofs: Readonly<Record<string, SeenProof>>
  readonly tutorial: { readonly step: number; readonly done: boolean }
  /** The program that the player is writing. */
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
      motion: 'system',
      openAll: false,
      mapView: 'map',
      logs: false,
    },
    localRooms: {},
    levels: {},
    proofs: {},
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

/** The save that a text holds, or null where the text is no save. A part that cannot be read gets its default value. */
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
      motion: oneOf(settings.motion, ['system', 'reduced']),
      ...(settings.liveDrafts === false ? { liveDrafts: false } : {}),
      openAll: settings.openAll === true,
      mapView: oneOf(settings.mapView, ['map', 'list']),
      ...(settings.sound === true ? { sound: true } : {}),
      logs: settings.logs === true,
    },
    localRooms: mapValues(raw.desks, readLocalRoom),
    levels: mapValues(raw.levels, readSolved),
    proofs: mapValues(raw.proofs, readProof),
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
  ...(raw.ends === true ? { ends: true } : {}),
  medals: texts(raw.medals) as Medal[],
})

const readProof = (raw: RawObject): SeenProof => ({
  level: text(raw.level),
  version: number(raw.version, 0),
  patterns: texts(raw.patterns),
})

export function readSave(storage: Storage, language: LanguageName = browserLanguage()): Save {
  let json: string | null = null
  try {
    json = storage.getItem(SAVE_KEY)
  } catch {
    // A browser may forbid storage. The game goes on without it.
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
    // Storage is full or forbidden. The server still has the progress.
  }
}

/** Writes the save within its bounds and returns it as it was written. */
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

/** The history with a proposal added. A text that is proposed twice in a row is remembered once. */
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
