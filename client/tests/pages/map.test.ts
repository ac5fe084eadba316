import { describe, expect, it } from 'vitest'
import type { LevelList, ListedRoom, PlayerScores } from '../../src/wire'
import { layOut } from '../../src/map/layout'
import { OPENS_AFTER, progressOf } from '../../src/map/progress'

const entry = (level: string, world = 'one') => ({
  level,
  title: level,
  world,
  difficulty: 1,
  story: '',
  loops: 1,
  program: `hash-${level}`,
  minutes: 4,
  idea: '',
  icon: 'product',
  patterns: [],
  after: [],
  fixed: [],
})
const levels: LevelList = {
  worlds: [
    { id: 'one', title: '', text: '', table: 'a' },
    { id: 'two', title: '', text: '', table: 'a' },
  ],
  levels: [entry('a'), entry('b'), entry('c', 'two')],
}
const room = (level: string | null, time: number, solved = false): ListedRoom => ({
  room: `${level}${time}`,
  code: null,
  program: 'p',
  level,
  variant: 'code',
  time,
  solved,
  version: 1,
})
const scores = (gems: readonly string[]): PlayerScores => ({
  levels: Object.fromEntries(gems.map((level) => [level, { coins: 10, gem: true, medals: ['no-hint'], spent: 0 }])),
  programs: {},
  total: { coins: 0, gems: gems.length, medals: 0 },
})

describe('the map', () => {
  it('knows a newcomer, and recommends the first level', () => {
    const progress = progressOf(levels, null, [])
    expect([progress.isNewcomer, progress.recommended?.entry.level, progress.unfinished, progress.solved]).toEqual([
      true,
      'a',
      null,
      0,
    ])
  })
  it('tells new, begun and solved levels apart', () => {
    const progress = progressOf(levels, scores(['a']), [room('a', 1, true), room('b', 2)])
    expect(progress.worlds.map((world) => world.levels.map((level) => level.state))).toEqual([
      ['solved', 'begun'],
      ['new'],
    ])
    expect(progress.worlds.map((world) => world.solved)).toEqual([1, 0])
    expect(progress.worlds[0]?.levels[0]).toMatchObject({ coins: 10, gem: true, medals: ['no-hint'] })
  })
  it('offers the unfinished level that was played last', () => {
    const progress = progressOf(levels, scores([]), [room('a', 1), room('c', 5), room('b', 3), room(null, 9)])
    expect(progress.unfinished?.entry.level).toBe('c')
  })
  it('recommends what comes after the last solved level, and then what was passed over', () => {
    expect(progressOf(levels, scores(['b']), []).recommended?.entry.level).toBe('c')
    expect(progressOf(levels, scores(['b', 'c']), []).recommended?.entry.level).toBe('a')
    expect(progressOf(levels, scores(['a', 'b', 'c']), []).recommended).toBeNull()
  })
  it('shows what the browser remembers when the server is gone', () => {
    const progress = progressOf(levels, null, [], { b: { coins: 3, gem: true, medals: [] } })
    expect([progress.isNewcomer, progress.solved]).toEqual([false, 1])
  })
  it('opens islands one after the other, and all of them when asked', () => {
    const many: LevelList = {
      ...levels,
      levels: [
        ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => entry(id)),
        { ...entry('s'), beside: 'f' },
        entry('z', 'two'),
      ],
    }
    const isLocked = (gems: readonly string[], rooms: readonly ListedRoom[] = [], openAll = false): boolean =>
      progressOf(many, scores(gems), rooms, {}, openAll).worlds[1]?.locked ?? false
    expect(isLocked(['a', 'b', 'c'])).toBe(true)
    expect(isLocked(['a', 'b', 'c', 's'])).toBe(true)
    expect(isLocked(['a', 'b', 'c', 'd'])).toBe(false)
    expect(isLocked([], [room('z', 1)])).toBe(false)
    expect(isLocked([], [], true)).toBe(false)
    const [, second] = progressOf(many, scores([]), []).worlds
    expect([second?.needs, second?.levels[0]?.locked, second?.lamps]).toEqual([OPENS_AFTER, true, 1])
  })
  it('asks for all lamps but one of a small island', () => {
    expect(progressOf(levels, scores(['a']), []).worlds[1]).toMatchObject({ needs: 1, locked: false })
  })
  it('recommends side lamps last', () => {
    const many: LevelList = { ...levels, levels: [entry('a'), { ...entry('s'), beside: 'a' }, entry('b')] }
    expect(progressOf(many, scores(['a']), []).recommended?.entry.level).toBe('b')
    expect(progressOf(many, scores(['a', 'b']), []).recommended?.entry.level).toBe('s')
  })
})

describe('the layout', () => {
  const worlds = [9, 4, 4, 8, 7, 4, 6, 4, 13, 5].map((lamps) =>
    Array.from({ length: lamps }, (_, at) => lamps === 9 && at === 4),
  )
  const layout = layOut(worlds)
  it('keeps lamps on their islands, and islands apart', () => {
    layout.islands.forEach((island, at) => {
      expect(island.x).toBeGreaterThanOrEqual(0)
      expect(island.x + island.width).toBeLessThanOrEqual(1000)
      for (const place of layout.lamps[at] ?? []) {
        expect(place.x).toBeGreaterThan(island.x)
        expect(place.x).toBeLessThan(island.x + island.width)
        expect(place.y).toBeGreaterThan(island.y)
        expect(place.y).toBeLessThan(island.y + island.height)
      }
      expect(island.slot).toBeGreaterThan(90)
      for (const other of layout.islands.slice(at + 1))
        expect(
          other.y >= island.y + island.height ||
            other.x >= island.x + island.width ||
            island.x >= other.x + other.width,
        ).toBe(true)
    })
  })
  it('draws the way from lamp to lamp, with a spur to a side lamp', () => {
    const lamps = worlds.flat().length
    expect([layout.ways.length, layout.spurs.length]).toEqual([lamps - 2, 1])
    expect(new Set(layout.ways).size).toBe(layout.ways.length)
  })
  it('has room for a way of one world', () => {
    expect(layOut([[false, false]]).ways.length).toBe(1)
    expect(layOut([])).toMatchObject({ ways: [], islands: [] })
  })
})

it('has a place on the map for what else can be found, however many islands there are', () => {
  for (let count = 1; count <= 12; count++) {
    const { shore, height } = layOut(Array.from({ length: count }, () => [false, false, true, false, false]))
    expect(shore.width).toBeGreaterThan(250)
    expect(shore.y + shore.height).toBeLessThanOrEqual(height)
  }
})
