import { describe, expect, it } from 'vitest'
import type { DailyAnswer, ListedRoom } from '../../src/wire'
import { linkTo, needsNewRoom, weekOf } from '../../src/map/daily'

const seconds = (text: string): number => Date.parse(text) / 1000
const room = (program: string, when: string, solved: boolean, level: string | null = null): ListedRoom => ({
  room: `${program}-${when}`,
  code: null,
  program,
  level,
  variant: 'code',
  time: seconds(when),
  solved,
  version: 1,
})
const daily: DailyAnswer = {
  today: {
    date: '2026-11-18',
    program: 'c',
    level: null,
    variation: 'ferry',
    title: 'Ferry',
    story: '',
    difficulty: 3,
    minutes: 5,
  },
  week: [
    { date: '2026-11-16', program: 'a' },
    { date: '2026-11-17', program: 'b' },
    { date: '2026-11-18', program: 'c' },
  ],
}

describe('the week of today’s level', () => {
  it('goes from Monday to Sunday, and marks today', () => {
    const week = weekOf(daily, [])
    expect(week.map((day) => day.date)).toEqual([16, 17, 18, 19, 20, 21, 22].map((day) => `2026-11-${day}`))
    expect(week.findIndex((day) => day.isToday)).toBe(2)
    expect(week.some((day) => day.solved)).toBe(false)
  })
  it('knows the days that are solved, by rooms of that day or later', () => {
    const rooms = [
      room('a', '2026-11-16T00:00:00Z', true),
      room('b', '2026-11-16T23:59:59Z', true),
      room('c', '2026-11-18T10:00:00Z', false),
      room('other', '2026-11-18T10:00:00Z', true),
    ]
    expect(weekOf(daily, rooms).map((day) => day.solved)).toEqual([true, false, false, false, false, false, false])
    expect(weekOf(daily, [...rooms, room('c', '2026-11-18T11:00:00Z', true)])[2]?.solved).toBe(true)
  })
})

it('leads to the level or to the program', () => {
  expect(linkTo(daily.today)).toBe('/program/c?day=2026-11-18')
  expect(linkTo({ ...daily.today, level: 'summation2' })).toBe('/level/summation2?day=2026-11-18')
})

describe('a new room', () => {
  it('is needed where the newest one was solved on an earlier day', () => {
    expect(needsNewRoom([], 'c', 'code', '2026-11-18')).toBe(false)
    const earlier = room('c', '2026-10-30T10:00:00Z', true)
    expect(needsNewRoom([earlier], 'c', 'code', '2026-11-18')).toBe(true)
    expect(needsNewRoom([earlier], 'c', 'trace', '2026-11-18')).toBe(false)
    expect(needsNewRoom([{ ...earlier, level: 'x' }], 'x', 'code', '2026-11-18')).toBe(true)
    expect(needsNewRoom([{ ...earlier, solved: false }], 'c', 'code', '2026-11-18')).toBe(false)
    const newer = room('c', '2026-11-18T00:00:01Z', false)
    expect(needsNewRoom([earlier, newer], 'c', 'code', '2026-11-18')).toBe(false)
  })
})
