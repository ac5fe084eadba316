import { describe, expect, it } from 'vitest'
import {
  contentId,
  LEVELS_MAX,
  LINK_CHARS_MAX,
  parseWorldFile,
  parseWorldLink,
  readWorlds,
  TEXT_MAX,
  type World,
  type WorldContent,
  WORLDS_KEY,
  withWorld,
  worldFile,
  worldLink,
  writeWorlds,
} from '../../src/own/worlds'

const hash = (number: number): string => number.toString(16).padStart(32, '0')
const world = (levels = 2): WorldContent => ({
  title: 'Steps',
  text: 'Schritte für alle → 漢字',
  levels: Array.from({ length: levels }, (_, index) => ({
    program: hash(index),
    title: `Level ${index}`,
    text: 'A story.',
    idea: 'an idea',
  })),
})
const SOURCE = 'fn main(n: nat) { }'
const file = (change: object = {}): string =>
  JSON.stringify({ ...JSON.parse(worldFile(world(), new Map([0, 1].map((n) => [hash(n), SOURCE])))), ...change })
/** What stands in a link for a JSON value. */
const packed = async (value: unknown): Promise<string> => {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
}

describe('a world as a link', () => {
  it('comes back as it was', async () => {
    const link = (await worldLink(world(20))) ?? ''
    expect(link).toMatch(/^[\w-]+$/)
    expect(await parseWorldLink(link)).toEqual(world(20))
  })
  it('is none where it would be too long', async () => {
    let seed = 1
    const noise = (): string =>
      Array.from({ length: TEXT_MAX }, () =>
        String.fromCharCode(97 + ((seed = (seed * 48271) % 2147483647) % 26)),
      ).join('')
    const long = { ...world(), levels: world(LEVELS_MAX).levels.map((level) => ({ ...level, text: noise() })) }
    expect(await worldLink(long)).toBeNull()
    expect(await parseWorldLink('A'.repeat(LINK_CHARS_MAX + 1))).toBeNull()
  })
  it('is refused where it is none', async () => {
    const good = [1, 'Steps', '', [[hash(1), 'One', '', '']]]
    expect((await parseWorldLink(await packed(good)))?.title).toBe('Steps')
    for (const wrong of [
      [2, ...good.slice(1)],
      [1, '', '', good[3]],
      [1, 'Steps', '', []],
      [1, 'Steps', '', [['../../api/x', 'One', '', '']]],
      [1, 'Steps', '', [[hash(1)], [hash(1)]]],
      { title: 'Steps' },
      null,
    ])
      expect(await parseWorldLink(await packed(wrong)), JSON.stringify(wrong)).toBeNull()
    for (const text of ['', 'abc', '!!', (await packed(good)).slice(0, -4)])
      expect(await parseWorldLink(text)).toBeNull()
  })
  it('does not unpack without bound', async () => {
    const bomb = await packed([1, 'x'.repeat(5_000_000), '', [[hash(1), 'One', '', '']]])
    expect(bomb.length).toBeLessThan(LINK_CHARS_MAX)
    expect(await parseWorldLink(bomb)).toBeNull()
  })
  it('loses invisible signs', async () => {
    const read = await parseWorldLink(await packed([1, 'a\u202eb\n\u0000c', '', [[hash(1), 'One', '', '']]]))
    expect(read?.title).toBe('a b c')
  })
})

describe('a world as a file', () => {
  it('comes back with its programs', () => {
    const read = parseWorldFile(file())
    expect(read.ok && read.file.levels.map((level) => [level.title, level.idea, level.source])).toEqual([
      ['Level 0', 'an idea', SOURCE],
      ['Level 1', 'an idea', SOURCE],
    ])
  })
  it.each([
    ['{', 'not-json'],
    ['[]', 'not-world'],
    [file({ format: 'idg-progress' }), 'not-world'],
    [file({ version: 2 }), 'version'],
    [file({ title: ' ' }), 'no-title'],
    [file({ levels: [] }), 'no-levels'],
    [file({ levels: Array(LEVELS_MAX + 1).fill({ source: SOURCE }) }), 'too-many'],
    [file({ levels: [{ source: SOURCE }, { source: 7 }] }), 'level'],
    [file({ levels: [{ source: 'x'.repeat(100_001) }] }), 'level'],
  ])('%.60s is %s', (text, problem) => expect(parseWorldFile(text)).toMatchObject({ ok: false, problem }))
})

describe('the worlds of a browser', () => {
  const kept = (id: string, used: number, mine = false): World => ({ ...world(), id, used, mine })
  it('come back, and what is no world is left out', () => {
    const place = new Map<string, string>()
    const storage = {
      getItem: (key: string) => place.get(key) ?? null,
      setItem: (k: string, v: string) => void place.set(k, v),
    }
    writeWorlds(storage, [kept('a', 1)])
    expect(readWorlds(storage)).toEqual([kept('a', 1)])
    place.set(WORLDS_KEY, '[7, {"id": "b", "levels": [null]}, {"id": "c"}]')
    expect(readWorlds(storage)).toEqual([])
    place.set(WORLDS_KEY, 'no JSON')
    expect(readWorlds(storage)).toEqual([])
  })
  it('keep those that were made here', () => {
    let worlds: readonly World[] = [kept('mine', 0, true)]
    for (let number = 1; number <= 60; number++) worlds = withWorld(worlds, kept(`w${number}`, number))
    expect(worlds.length).toBe(50)
    expect(worlds.some(({ id }) => id === 'mine')).toBe(true)
    expect(worlds.some(({ id }) => id === 'w1')).toBe(false)
  })
  it('have the same id where they have the same content', () => {
    expect(contentId(world())).toBe(contentId(world()))
    expect(contentId(world())).not.toBe(contentId(world(3)))
  })
})
