// Own worlds: lists of own programs with texts, an order and ideas, which are played like the built-in levels. A world
// travels as a file, which has the programs' texts, or as a link, which has their hashes. Whatever comes from a file or
// a link is checked here, part by part, and the server checks every program again: nothing in it is believed.

/** The name of the file format, and its version. docs/teacher.md explains it. */
export const WORLD_FORMAT = 'idg-world'
export const WORLD_VERSION = 1
export const WORLDS_KEY = 'idg.worlds'
/** How many levels a world may have. */
export const LEVELS_MAX = 60
/** How many characters the title of a world or a level may have; the server takes no longer titles of programs. */
export const TITLE_MAX = 80
/** How many characters the text of a world or a level may have. */
export const TEXT_MAX = 600
/** How many characters the idea of a level may have. */
export const IDEA_MAX = 40
/** How many characters a program may have; the server takes no longer ones. */
const SOURCE_MAX = 100_000
/** How many characters a file may have that is read. */
export const FILE_CHARS_MAX = 2_000_000
/** How many characters a link may have after its `#`. Longer ones are cut by some programs. */
export const LINK_CHARS_MAX = 12_000
/** How many bytes the content of a link may have when it is unpacked. */
const UNPACKED_BYTES_MAX = 200_000
/** How many worlds the browser keeps. Those of others that were not used for the longest time go first. */
const WORLDS_MAX = 50

export type WorldLevel = {
  /** The hash of the program. */
  readonly program: string
  readonly title: string
  readonly text: string
  /** The one new idea of the level, in a few words. */
  readonly idea: string
}
export type WorldContent = { readonly title: string; readonly text: string; readonly levels: readonly WorldLevel[] }
export type World = WorldContent & {
  readonly id: string
  /** Whether it was made in this browser. */
  readonly mine: boolean
  /** When it was last changed or opened, in milliseconds since 1970. */
  readonly used: number
}
/** A level of a file: the program itself instead of its hash. */
export type FileLevel = Omit<WorldLevel, 'program'> & { readonly source: string }
export type WorldFile = Omit<WorldContent, 'levels'> & { readonly levels: readonly FileLevel[] }

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>
type RawObject = Readonly<Record<string, unknown>>
const isObject = (raw: unknown): raw is RawObject => typeof raw === 'object' && raw !== null && !Array.isArray(raw)
// Signs that cannot be seen: control signs, line separators, and signs that reverse the direction of writing.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
/** One line of text without invisible signs, at most so long. */
const line = (raw: unknown, most: number): string =>
  typeof raw === 'string'
    ? raw
        .slice(0, 4 * most)
        .replace(INVISIBLE, ' ')
        .trim()
        .slice(0, most)
    : ''
const isHash = (raw: unknown): raw is string => typeof raw === 'string' && /^[0-9a-f]{32}$/.test(raw)

/** A world of valid parts; null where there is nothing to play in it. */
function content(title: unknown, text: unknown, levels: readonly (WorldLevel | null)[]): WorldContent | null {
  const playable = levels.filter((level) => level !== null).slice(0, LEVELS_MAX)
  const hashes = new Set(playable.map((level) => level.program))
  if (!line(title, TITLE_MAX) || hashes.size !== playable.length) return null
  return { title: line(title, TITLE_MAX), text: line(text, TEXT_MAX), levels: playable }
}

function level(raw: unknown): WorldLevel | null {
  if (!isObject(raw) || !isHash(raw.program)) return null
  return {
    program: raw.program,
    title: line(raw.title, TITLE_MAX),
    text: line(raw.text, TEXT_MAX),
    idea: line(raw.idea, IDEA_MAX),
  }
}

// In the browser

export function readWorlds(storage: Storage): readonly World[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(WORLDS_KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.slice(0, WORLDS_MAX).flatMap((raw: unknown) => {
      if (!isObject(raw) || typeof raw.id !== 'string' || !Array.isArray(raw.levels)) return []
      const read = content(raw.title, raw.text, raw.levels.map(level))
      return read
        ? [
            {
              ...read,
              id: raw.id.slice(0, 40),
              mine: raw.mine === true,
              used: typeof raw.used === 'number' ? raw.used : 0,
            },
          ]
        : []
    })
  } catch {
    // Storage may be forbidden, or hold something else.
    return []
  }
}

export function writeWorlds(storage: Storage, worlds: readonly World[]): void {
  try {
    storage.setItem(WORLDS_KEY, JSON.stringify(worlds))
  } catch {
    // Storage is full or forbidden. Links and files still work.
  }
}

/** The worlds with this one, newest first. Those of others make room for it; those made here stay. */
export function withWorld(worlds: readonly World[], added: World): readonly World[] {
  const all = [added, ...worlds.filter((world) => world.id !== added.id)]
  const mine = all.filter((world) => world.mine)
  const others = all.filter((world) => !world.mine).sort((a, b) => b.used - a.used)
  const kept = new Set([...mine, ...others].slice(0, WORLDS_MAX))
  return all.filter((world) => kept.has(world))
}

/** The id of a world that came by a link or a file: the same content has the same id. */
export function contentId(world: WorldContent): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (const sign of JSON.stringify([world.title, world.text, world.levels])) {
    const code = sign.codePointAt(0) ?? 0
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  return `w${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`
}

// As a file

export function worldFile(world: WorldContent, sources: ReadonlyMap<string, string>): string {
  const levels = world.levels.map(({ program, title, text, idea }) => ({
    title,
    text,
    idea,
    source: sources.get(program) ?? '',
  }))
  const file = { format: WORLD_FORMAT, version: WORLD_VERSION, title: world.title, text: world.text, levels }
  return `${JSON.stringify(file, null, 2)}\n`
}

export type FileProblem = 'not-json' | 'not-world' | 'version' | 'no-title' | 'no-levels' | 'too-many' | 'level'
export type FileReading =
  | { readonly ok: true; readonly file: WorldFile }
  | { readonly ok: false; readonly problem: FileProblem; readonly level: number }

/** The world that a file holds. A file that is wrong in one place is refused as a whole, and the place is told. */
export function parseWorldFile(text: string): FileReading {
  const wrong = (problem: FileProblem, at = 0): FileReading => ({ ok: false, problem, level: at })
  if (text.length > FILE_CHARS_MAX) return wrong('too-many')
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return wrong('not-json')
  }
  if (!isObject(raw) || raw.format !== WORLD_FORMAT) return wrong('not-world')
  if (raw.version !== WORLD_VERSION) return wrong('version')
  const title = line(raw.title, TITLE_MAX)
  if (!title) return wrong('no-title')
  if (!Array.isArray(raw.levels) || !raw.levels.length) return wrong('no-levels')
  if (raw.levels.length > LEVELS_MAX) return wrong('too-many')
  const levels: FileLevel[] = []
  for (const [index, entry] of (raw.levels as unknown[]).entries()) {
    const source = isObject(entry) && typeof entry.source === 'string' ? entry.source : ''
    if (!isObject(entry) || !source.trim() || source.length > SOURCE_MAX) return wrong('level', index + 1)
    levels.push({
      title: line(entry.title, TITLE_MAX) || `${title} ${index + 1}`,
      text: line(entry.text, TEXT_MAX),
      idea: line(entry.idea, IDEA_MAX),
      source,
    })
  }
  return { ok: true, file: { title, text: line(raw.text, TEXT_MAX), levels } }
}

// As a link

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** All bytes of a stream; an error where they are more than a link may have. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length > UNPACKED_BYTES_MAX) {
      await reader.cancel()
      throw new RangeError('the link is too long')
    }
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** What stands after the `#` of a world's link; null where that would be too long. */
export async function worldLink(world: WorldContent): Promise<string | null> {
  const levels = world.levels.map(({ program, title, text, idea }) => [program, title, text, idea])
  const bytes = new TextEncoder().encode(JSON.stringify([WORLD_VERSION, world.title, world.text, levels]))
  const packed = await readAll(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  const text = toBase64(packed)
  return text.length <= LINK_CHARS_MAX ? text : null
}

/** The world of a link; null where the text is none. */
export async function parseWorldLink(text: string): Promise<WorldContent | null> {
  if (!text || text.length > LINK_CHARS_MAX) return null
  try {
    const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    const raw: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readAll(stream)))
    if (!Array.isArray(raw) || raw[0] !== WORLD_VERSION || !Array.isArray(raw[3])) return null
    const levels = (raw[3] as unknown[]).map((entry) =>
      Array.isArray(entry) ? level({ program: entry[0], title: entry[1], text: entry[2], idea: entry[3] }) : null,
    )
    return levels.includes(null) || !levels.length ? null : content(raw[1], raw[2], levels)
  } catch {
    return null
  }
}

/** What follows a program in an own world: the next one, or after the last the world. Null outside of a world. */
export function nextInWorld(
  worlds: readonly World[],
  id: string,
  program: string,
): { readonly path: string; readonly title: string } | null {
  const world = worlds.find((kept) => kept.id === id)
  const index = world?.levels.findIndex((level) => level.program === program) ?? -1
  if (!world || index < 0) return null
  const next = world.levels[index + 1]
  return next
    ? { path: `/program/${next.program}?world=${id}`, title: next.title }
    : { path: `/world/${id}`, title: world.title }
}
