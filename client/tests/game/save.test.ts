// The golden test of the local save: every later version of the client must read the whole of a save that a browser has
// today.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  BROKEN_KEY,
  localRoomKey,
  emptySave,
  parseSave,
  readSave,
  remember,
  SAVE_KEY,
  writeSave,
} from '../../src/game/save'

const golden = readFileSync(new URL('./golden/save-1.json', import.meta.url), 'utf8')

function storage(
  stored: Record<string, string> = {},
): Pick<Storage, 'getItem' | 'setItem'> & { stored: Record<string, string> } {
  return { stored, getItem: (key) => stored[key] ?? null, setItem: (key, value) => void (stored[key] = value) }
}

describe('the golden save', () => {
  /** The recorded save with what came later, and without what is no setting any more. */
  const today = (): Record<string, unknown> => {
    const raw = JSON.parse(golden) as { settings: Record<string, unknown> }
    const { powerUps, ...settings } = raw.settings
    expect(powerUps).toBe(true)
    return { ...raw, settings: { ...settings, openAll: false, mapView: 'map' }, proofs: {} }
  }
  it('is read and written without a loss', () => {
    const save = parseSave(golden)
    const { desks, ...rest } = today()
    expect(save).toEqual({ ...rest, localRooms: desks })
    const kept = storage()
    if (save) writeSave(kept, save)
    expect(JSON.parse(kept.stored[SAVE_KEY] ?? '')).toEqual(today())
  })
})

describe('reading', () => {
  it('starts empty', () => {
    expect(readSave(storage(), 'de')).toEqual(emptySave('de'))
  })
  it('puts what it cannot read aside', () => {
    for (const broken of ['', '{', '[]', '{"format":"idg-save","version":99}']) {
      const kept = storage({ [SAVE_KEY]: broken })
      expect(readSave(kept, 'en')).toEqual(emptySave('en'))
      expect(kept.stored[BROKEN_KEY]).toBe(broken)
    }
  })
  it('keeps the good parts of a damaged save', () => {
    const stored = {
      ...JSON.parse(golden),
      settings: { theme: 'neon', language: 'de' },
      tutorial: 7,
      levels: { multiply: 'x' },
    }
    const save = parseSave(JSON.stringify(stored))
    expect(save?.settings).toMatchObject({ theme: 'system', language: 'de', variant: 'code' })
    expect(save?.localRooms).toEqual(JSON.parse(golden).desks)
    expect(save?.levels).toEqual({})
  })
  it('goes on where storage is forbidden', () => {
    const forbidden = {
      getItem: () => {
        throw new Error('no')
      },
      setItem: () => {
        throw new Error('no')
      },
    }
    expect(readSave(forbidden, 'en')).toEqual(emptySave('en'))
    expect(writeSave(forbidden, emptySave())).toEqual(emptySave())
  })
})

it('has bounds', () => {
  const localRoom = { drafts: {}, loop: 1, inputs: null, history: [], columns: [] }
  const localRooms = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`level:${index}:code`, { ...localRoom, used: index }]),
  )
  const written = writeSave(storage(), { ...emptySave(), localRooms })
  expect(Object.keys(written.localRooms)).toHaveLength(200)
  expect(written.localRooms['level:299:code']).toBeDefined()
  let history: readonly string[] = []
  for (let index = 0; index < 80; index++) history = remember(history, `x > ${index}`)
  expect(history).toHaveLength(50)
  expect(remember(history, 'x > 79')).toBe(history)
})

it('keeps something for each room of its own', () => {
  const room = { room: 'r', code: null, level: 'multiply', program: 'h', variant: 'code' as const }
  expect(localRoomKey(room)).toBe('level:multiply:code')
  expect(localRoomKey({ ...room, level: null })).toBe('program:h:code')
  expect(localRoomKey({ ...room, code: 'ABCDEF' })).toBe('room:r')
})
