import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/api'
import type { FeedbackAnswer, MemberAnswer, ProposalAnswer, RoomEvent } from '../../src/wire'
import { rejudged } from '../game/fixtures'
import { credits, type HistoryEntry, withEvents } from '../../src/room/history'

const feedback: FeedbackAnswer = { solved: false, potential_suffices: false, state: null, message: '' }
const head = (number: number, player = 'p') => ({ number, player, time: number })
const proposed = (number: number, expression: string, player = 'p'): RoomEvent => ({
  ...head(number, player),
  kind: 'proposed',
  body: { expression, loop: 1, text: expression },
})
const verdict = (expression: string, kind: Kind, more: Partial<ProposalAnswer> = {}): ProposalAnswer => ({
  loop: 1,
  expression,
  kind,
  message: '',
  promoted: [],
  removed: [],
  inductive: [],
  potential: [],
  solved: false,
  feedback,
  ...more,
})
const judged = (number: number, answers: number, body: ProposalAnswer): RoomEvent => ({
  ...head(number),
  kind: 'judged',
  answers,
  body,
})

describe("a room's history", () => {
  const events: RoomEvent[] = [
    { ...head(1), kind: 'loaded', body: { level: 'multiply', program: 'x' } },
    { ...head(2, 'q'), kind: 'joined', body: {} },
    proposed(3, 'a'),
    judged(4, 3, verdict('a', 'potential')),
    proposed(5, 'b', 'q'),
    judged(
      6,
      5,
      verdict('b', 'inductive', {
        promoted: [
          { loop: 1, expression: 'a' },
          { loop: 1, expression: 'b' },
        ],
        removed: [{ loop: 1, expression: 'c', by: [] }],
      }),
    ),
    { ...head(7), kind: 'solved', body: { credited: ['p', 'q'], inductive: [] } },
    proposed(8, 'd'),
  ]

  it('tells what another engine made of the room', () => {
    const [entry] = withEvents([], [{ ...head(1), ...rejudged(1) }])
    expect(entry).toMatchObject({ kind: 'rejudged', player: null, kept: 1, fallen: [{ expression: 'cnt <= 5' }] })
  })

  it('has one entry a proposal, with what came of it, newest first', () => {
    const entries = withEvents([], events)
    expect(entries.map((entry) => entry.number)).toEqual([8, 7, 5, 3, 2])
    expect(entries[2]).toMatchObject({
      player: 'q',
      verdict: 'inductive',
      promoted: [{ expression: 'a' }],
      removed: [{ expression: 'c' }],
    })
    expect(entries[0]).toMatchObject({ kind: 'proposal', verdict: null })
  })
  it('is the same when events come twice', () =>
    expect(withEvents([], [...events, ...events])).toEqual(withEvents([], events)))
  it('says that a limit ended the analysis', () => {
    const [entry] = withEvents([], [proposed(1, 'a'), judged(2, 1, verdict('a', 'unknown', { limited: 'time' }))])
    expect(entry).toMatchObject({ verdict: 'limited' })
  })
  it('says who took a hint, and which', () => {
    const hint: RoomEvent = {
      ...head(2, 'q'),
      kind: 'hint',
      body: { step: 'shape', shape: 'equation', degree: 2, message: 'English', loop: 1, left: 2, coins: 5 },
    }
    expect(withEvents([], [proposed(1, 'a'), hint, hint])[0]).toEqual({
      ...head(2, 'q'),
      kind: 'hint',
      step: 'shape',
      loop: 1,
    })
  })
  it('counts what came of a batch', () => {
    const kinds = (['inductive', 'inductive', 'potential', 'displaced'] as const).map((kind) => ({
      loop: 1,
      expression: kind,
      kind,
    }))
    const batch: RoomEvent[] = [
      { ...head(1), kind: 'proposed', body: { proposals: kinds } },
      { ...head(2), kind: 'judged', answers: 1, body: { ...verdict('', 'inductive'), kinds } as never },
    ]
    expect(withEvents([], batch)[0] as HistoryEntry).toMatchObject({
      kind: 'batch',
      count: 4,
      inductive: 2,
      potential: 1,
      isJudged: true,
    })
  })
})

describe('credit', () => {
  const member = (player: string, more: Partial<MemberAnswer> = {}): MemberAnswer => ({
    player,
    name: player,
    agent: false,
    here: true,
    left: false,
    ...more,
  })
  const fact = (player: string) => ({ loop: 1, expression: player, player })
  it('goes to those who found something, first; who left without a part is not shown', () => {
    const members = [
      member('a', { here: false }),
      member('b'),
      member('c', { left: true, here: false }),
      member('d', { left: true, here: false }),
      member('e', { agent: true }),
    ]
    const listed = credits(members, [fact('e'), fact('e'), fact('c')], [fact('b')])
    expect(listed.map((credit) => credit.member.player)).toEqual(['e', 'c', 'b', 'a'])
    expect(listed.map((credit) => [credit.proved.length, credit.waiting.length])).toEqual([
      [2, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ])
  })
})
