// Classes: a board at any moment, what a browser keeps when it becomes a student, and dates in forms.
import { describe, expect, it } from 'vitest'
import { dateIn, fieldOf } from '../../src/classes/dates'
import { asBefore, asStudent, HOME_KEY } from '../../src/classes/device'
import { after, evidenceOf, stepsOf } from '../../src/classes/replay'
import { emptySave } from '../../src/game/save'
import type { OpenedRoom, RoomEvent } from '../../src/wire'
import { OPENED } from '../game/fixtures'

const NOTHING = { solved: false, potential_suffices: false, state: null, message: '' }
const fact = (expression: string) => ({ loop: 1, expression })
const judged = (number: number, expression: string, kind: 'inductive' | 'non-invariant', proved: string[]): RoomEvent =>
  ({
    number,
    kind: 'judged',
    player: 'ada',
    time: number,
    answers: number - 1,
    body: {
      ...fact(expression),
      kind,
      promoted: [],
      removed: [],
      inductive: proved.map(fact),
      potential: [],
      solved: proved.length === 2,
      feedback: NOTHING,
      message: '',
    },
  }) as RoomEvent

const EVENTS: RoomEvent[] = [
  judged(3, 'cnt <= m', 'inductive', ['cnt <= m']),
  judged(5, 'cnt = 1', 'non-invariant', ['cnt <= m']),
  judged(7, 'res = n * cnt', 'inductive', ['cnt <= m', 'res = n * cnt']),
  { number: 8, kind: 'reset', player: 'ada', time: 8, body: { feedback: NOTHING } } as RoomEvent,
]

describe('a replay', () => {
  const board: OpenedRoom = OPENED

  it('shows the board as it was after each step, and not as it is now', () => {
    const at = (last: number): [string[], boolean] => {
      const state = after(board, EVENTS, last)
      return [state.inductive.map(({ expression }) => expression), state.solved]
    }
    expect(at(0)).toEqual([[], false])
    expect(at(3)).toEqual([['cnt <= m'], false])
    expect(at(5)).toEqual([['cnt <= m'], false])
    expect(at(7)).toEqual([['cnt <= m', 'res = n * cnt'], true])
    expect(at(8)).toEqual([[], false])
  })

  it('has a step for each verdict, and none for what only leads to one', () => {
    const proposed = { number: 2, kind: 'proposed', player: 'ada', time: 2, body: fact('cnt <= m') } as RoomEvent
    expect(stepsOf([proposed, ...EVENTS]).map(({ number }) => number)).toEqual([3, 5, 7, 8])
  })

  it('shows the last rows of a run that refutes, and both states of a turn that breaks', () => {
    const [first] = EVENTS as [RoomEvent]
    const rows = [1, 2, 3, 4, 5, 6, 7].map((value) => [String(value)])
    const run = { inputs: {}, seed: 0, row: 6, columns: ['cnt'], first_row: 0, rows }
    const refuted = { ...first, body: { ...first.body, run } } as unknown as RoomEvent
    expect(evidenceOf(refuted)).toEqual({ columns: ['cnt'], rows: rows.slice(-5) })
    const transition = { loop: 1, before: { cnt: '1' }, after: { cnt: '2' }, at_entry: false }
    const broken = { ...first, body: { ...first.body, transition } } as unknown as RoomEvent
    expect(evidenceOf(broken)).toEqual({ columns: ['cnt'], rows: [['1'], ['2']] })
    expect(evidenceOf(first)).toBeNull()
  })
})

describe('a browser that becomes a student', () => {
  it('keeps what it had for its own player, and gives it back', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
    const own = {
      ...emptySave(),
      player: { player: 'me', name: 'Me' },
      levels: { multiply: { coins: 3, gem: true, medals: [] } },
    }
    const student = asStudent(storage, own, { player: 'class-1', name: 'Ada' })
    expect(student.levels).toEqual({})
    const other = asStudent(storage, student, { player: 'class-2', name: 'Bob' })
    expect(other.player).toEqual({ player: 'class-2', name: 'Bob' })
    expect(asStudent(storage, other, { player: 'class-2', name: 'Bob' })).toBe(other)
    expect(asBefore(storage, other)).toEqual(own)
    expect(kept.has(HOME_KEY)).toBe(false)
    expect(asBefore(storage, other).player).toBeNull()
  })
})

describe('dates', () => {
  it('come back from the fields of a form as they were', () => {
    const time = new Date(2026, 10, 18, 9, 5).getTime() / 1000
    expect(fieldOf(time)).toBe('2026-11-18T09:05')
    expect(dateIn(fieldOf(time))).toBe(time)
    expect(fieldOf(null)).toBe('')
    expect(dateIn('')).toBeNull()
  })
})
