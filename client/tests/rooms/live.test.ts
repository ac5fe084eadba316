// What the members of a room show each other: what is sent, how often, and what of the others is shown for how long.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MemberAnswer, MemberSignal } from '../../src/wire'
import { Live, SEND_MS } from '../../src/room/live.svelte'
import { looks, SHAPES } from '../../src/room/players'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function connected(): { live: Live; sent: unknown[] } {
  const live = new Live()
  const sent: unknown[] = []
  live.connected((text) => sent.push(JSON.parse(text)))
  return { live, sent }
}
const signal = (more: Partial<MemberSignal> = {}): MemberSignal => ({
  player: 'ben',
  draft: null,
  row: null,
  said: null,
  ...more,
})

describe('what is sent', () => {
  it('is the newest draft, at most one in a while', () => {
    const { live, sent } = connected()
    live.audience(true, true)
    for (const text of ['c', 'cn', 'cnt']) live.shows(1, text)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(SEND_MS)
    expect(sent).toEqual([{ draft: { loop: 1, text: 'cnt' }, row: null }])
    live.shows(1, 'cnt')
    vi.advanceTimersByTime(10 * SEND_MS)
    expect(sent).toHaveLength(1)
    live.shows(1, '  ')
    vi.advanceTimersByTime(SEND_MS)
    expect(sent.at(-1)).toEqual({ draft: null, row: null })
  })
  it('is nothing while nobody is there, and no draft of a player who does not want that', () => {
    const { live, sent } = connected()
    live.audience(false, true)
    live.shows(1, 'cnt')
    vi.advanceTimersByTime(SEND_MS)
    expect(sent).toEqual([])
    live.audience(true, false)
    live.point({ loop: 1, row: 2, inputs: { n: '3' } })
    vi.advanceTimersByTime(SEND_MS)
    expect(sent).toEqual([{ draft: null, row: { loop: 1, row: 2, inputs: { n: '3' } } }])
  })
  it('leaves out what the server would not take', () => {
    const { live, sent } = connected()
    live.audience(true, true)
    live.shows(1, 'x'.repeat(201))
    live.point({ loop: 1, row: 2, inputs: { n: '1'.repeat(50) } })
    vi.advanceTimersByTime(SEND_MS)
    expect(sent).toEqual([])
  })
  it('has a phrase once', () => {
    const { live, sent } = connected()
    live.audience(true, true)
    live.say('ada', 'nice')
    vi.advanceTimersByTime(SEND_MS)
    live.shows(1, 'x')
    vi.advanceTimersByTime(SEND_MS)
    expect(sent).toEqual([
      { draft: null, row: null, phrase: 'nice' },
      { draft: { loop: 1, text: 'x' }, row: null },
    ])
  })
})

describe('what others show', () => {
  it('says who types, until they rest', () => {
    const { live } = connected()
    live.receive({ type: 'signals', signals: [signal({ draft: { loop: 1, text: 'c' } })] })
    expect([...live.typing]).toEqual(['ben'])
    vi.advanceTimersByTime(6_000)
    expect([...live.typing]).toEqual([])
    expect(live.signals.get('ben')?.draft?.text).toBe('c')
  })
  it('says a phrase once, for a while', () => {
    const { live } = connected()
    const said = { phrase: 'stuck', number: 3 } as const
    live.receive({ type: 'signals', signals: [signal({ said })] })
    live.receive({ type: 'signals', signals: [signal({ said, draft: { loop: 1, text: 'c' } })] })
    expect(live.said.map(({ player, phrase }) => [player, phrase])).toEqual([['ben', 'stuck']])
    vi.advanceTimersByTime(60_000)
    expect(live.said).toEqual([])
  })
  it('is forgotten when the connection breaks', () => {
    const { live } = connected()
    live.receive({ type: 'signals', signals: [signal({ draft: { loop: 1, text: 'c' } })] })
    live.connected(null)
    expect(live.signals.size).toBe(0)
  })
})

it('gives players different looks, and agents one of their own', () => {
  const member = (player: string, agent = false): MemberAnswer => ({
    player,
    name: `Ann ${player}`,
    agent,
    here: true,
    left: false,
  })
  const members = [...Array.from({ length: 8 }, (_, index) => member(String(index))), member('robot', true)]
  const found = looks(members)
  const people = [...found].filter(([player]) => player !== 'robot').map(([, look]) => `${look.shape} ${look.colour}`)
  expect(new Set(people).size).toBe(8)
  expect(people.slice(0, 4).map((look) => look.split(' ')[0])).toEqual([...SHAPES])
  expect(found.get('robot')).toMatchObject({ letter: 'A', shape: 'bot' })
})
