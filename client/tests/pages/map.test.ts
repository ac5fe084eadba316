import { describe, expect, it } from 'vitest'
import type { LevelList, ListedRoom, PlayerScores } from '../../src/wire'
import { progressOf } from '../../src/map/progress'

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
})
