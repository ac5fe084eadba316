import { describe, expect, it } from 'vitest'
import { type GameEvent, reduce } from '../../src/game/reducer'
import { accepted, type Asking, type GameState } from '../../src/game/state'
import { FEEDBACK, game, judged, rejudged, verdict } from './fixtures'

const play = (state: GameState, ...events: GameEvent[]): GameState => events.reduce(reduce, state)
const proposal = (expression: string, id = 'p1', version = 1): Asking => ({
  what: 'proposal',
  id,
  version,
  fact: { loop: 1, expression },
  text: expression,
})
const nothing = { coins: 0, gem: false, medals: [] }
const answer = (id: string, number: number, body: ReturnType<typeof verdict>): GameEvent => ({
  type: 'judged',
  id,
  event: judged(number, body),
  earned: nothing,
  score: { ...nothing, coins: 5, spent: 0 },
})

describe('a proposal', () => {
  const typed: GameEvent = { type: 'typed', loop: 1, text: 'cnt <= m' }
  const asked: GameEvent = { type: 'asked', asking: proposal('cnt <= m') }

  it('keeps the draft until its verdict comes, and remembers it', () => {
    const waiting = play(game(), typed, asked)
    expect(waiting.drafts[1]).toBe('cnt <= m')
    expect(waiting.history).toEqual(['cnt <= m'])
    const done = reduce(waiting, answer('p1', 3, verdict('inductive', 'cnt <= m')))
    expect(done.drafts[1]).toBe('')
    expect(done.inductive).toEqual([{ loop: 1, expression: 'cnt <= m', player: 'me' }])
    expect(done.asking).toBeNull()
    expect(done.score.coins).toBe(5)
  })

  it('counts as accepted also when another has displaced it, but not when it was refuted', () => {
    const [one, two] = [
      verdict('potential', 'cnt <= m'),
      { ...verdict('inductive', 'cnt <= 2 * m'), removed: [{ loop: 1, expression: 'cnt <= m', by: [] }] },
    ]
    const done = play(
      game(),
      answer('p1', 3, one),
      answer('p2', 5, two),
      answer('p3', 7, { ...two, kind: 'non-invariant', expression: 'cnt = 0' }),
    )
    expect(done.potential).toEqual([])
    expect(accepted(done)).toBe(2)
  })

  it('keeps what could not be decided apart from the potential invariants', () => {
    const unknown = reduce(game(), answer('p1', 3, verdict('unknown', 'cnt <= m')))
    expect(unknown.potential).toEqual([])
    expect(unknown.unknown).toEqual([{ loop: 1, expression: 'cnt <= m', player: 'me' }])
    expect(accepted(unknown)).toBe(0)
    expect(reduce(unknown, answer('p2', 5, verdict('inductive', 'cnt <= m'))).unknown).toEqual([])
  })

  it('leaves a draft that was changed meanwhile, and one that was refuted', () => {
    const changed = play(
      game(),
      typed,
      asked,
      { type: 'typed', loop: 1, text: 'res' },
      answer('p1', 3, verdict('inductive', 'cnt <= m')),
    )
    expect(changed.drafts[1]).toBe('res')
    const refuted = play(game(), typed, asked, answer('p1', 3, verdict('non-invariant', 'cnt <= m')))
    expect(refuted.drafts[1]).toBe('cnt <= m')
  })

  it('counts once when its verdict comes by the socket first', () => {
    const event = judged(3, verdict('inductive', 'cnt <= m'))
    const early = play(game(), asked, { type: 'happened', event })
    expect(early.inductive).toHaveLength(1)
    expect(early.asking).not.toBeNull()
    const done = reduce(early, answer('p1', 3, verdict('inductive', 'cnt <= m')))
    expect(done.inductive).toHaveLength(1)
    expect(done.topic.about).toBe('verdict')
    expect(done.events).toHaveLength(1)
  })

  it('is dropped as a message when it comes after a reset, but its books are not lost twice', () => {
    const reset: GameEvent = {
      type: 'happened',
      event: { number: 4, kind: 'reset', player: 'other', time: 0, body: { feedback: FEEDBACK } },
    }
    const late = play(game(), asked, reset, answer('p1', 3, verdict('inductive', 'cnt <= m')))
    expect(late.inductive).toEqual([])
    expect(late.topic).toEqual({ about: 'new', resumed: false })
    expect(late.version).toBe(2)
  })

  it('of another version is not even asked', () => {
    const state = game()
    expect(reduce(state, { type: 'asked', asking: proposal('x', 'p1', 7) })).toBe(state)
  })
})

describe('feedback', () => {
  it('stays where a verdict changes nothing', () => {
    const state = play(
      game(),
      { type: 'asked', asking: proposal('n >= 0') },
      answer('p1', 3, verdict('type-tautology', 'n >= 0')),
    )
    expect(state.feedback).toBe(FEEDBACK)
  })

  it('is taken from a verdict that changes the books', () => {
    const feedback = { ...FEEDBACK, potential_suffices: true, state: null }
    const state = play(
      game(),
      { type: 'asked', asking: proposal('x') },
      answer('p1', 3, verdict('potential', 'cnt <= m', { feedback })),
    )
    expect(state.feedback.potential_suffices).toBe(true)
  })

  it('stays where the server ran out of its limits', () => {
    const state = play(
      game(),
      { type: 'asked', asking: proposal('x') },
      answer('p1', 3, verdict('unknown', 'x', { limited: 'time', unknown: [] })),
    )
    expect(state.feedback).toBe(FEEDBACK)
    expect(state.potential).toEqual([])
  })
})

describe('trouble', () => {
  const problem = { code: 'gone', message: 'gone', where: null, hint: '' }
  it('is shown while the request goes on, and goes with its answer', () => {
    const state = play(
      game(),
      { type: 'asked', asking: proposal('x') },
      { type: 'waiting', id: 'p1', trouble: { problem, retrySeconds: 2 } },
    )
    expect(state.asking).not.toBeNull()
    expect(state.topic.about).toBe('trouble')
    expect(reduce(state, answer('p1', 3, verdict('inductive', 'x'))).topic.about).toBe('verdict')
    expect(reduce(state, { type: 'stopped-waiting' })).toMatchObject({ asking: null, topic: { about: 'feedback' } })
  })
  it('of an old request is dropped', () => {
    const state = play(game(), { type: 'asked', asking: proposal('x', 'p2') })
    expect(reduce(state, { type: 'refused', id: 'p1', trouble: { problem, retrySeconds: null } })).toBe(state)
  })
})

describe('a trace', () => {
  it('counts only when it is the one asked for last', () => {
    const run = { ...game().trace.run, inputs: { n: '1', m: '1' } }
    const asked = play(game(), { type: 'trace-asked', id: 't1' }, { type: 'trace-asked', id: 't2' })
    expect(reduce(asked, { type: 'traced', id: 't1', run, seed: 0, choices: [] })).toBe(asked)
    expect(reduce(asked, { type: 'traced', id: 't2', run, seed: 0, choices: [] }).trace.run).toBe(run)
  })
})

describe('a room', () => {
  it('shows what others proved, with credit, and does not interrupt a question', () => {
    const event = judged(3, verdict('inductive', 'cnt <= m'), 'other')
    const seen = reduce(game(), { type: 'happened', event })
    expect(seen.inductive[0]?.player).toBe('other')
    expect(seen.topic).toMatchObject({ about: 'verdict', player: 'other' })
    const asking = play(game(), { type: 'asked', asking: proposal('x') }, { type: 'happened', event })
    expect(asking.topic.about).toBe('new')
  })

  it('has the books of the engine that judged it again', () => {
    const wrong = verdict('inductive', 'cnt <= 5', { solved: true, feedback: { ...FEEDBACK, solved: true } })
    const solved = play(game(), { type: 'happened', event: judged(3, wrong) })
    expect(solved.solved).toBe(true)
    const again = play(solved, { type: 'happened', event: rejudged(4) })
    expect(again).toMatchObject({ solved: false, feedback: FEEDBACK, hints: [], topic: { about: 'rejudged' } })
    expect(again.inductive).toEqual([{ loop: 1, expression: 'res = n * cnt', player: 'other' }])
    expect(accepted(again)).toBe(0)
    const score = { coins: 1, spent: 0, gem: false, medals: [] }
    expect(play(again, { type: 'scored', score }).score).toBe(score)
  })

  it('reminds only those who see nothing else', () => {
    const reminded: GameEvent = { type: 'reminded', event: rejudged(1) }
    expect(play(game(), reminded).topic.about).toBe('rejudged')
    expect(play(game(), { type: 'show-feedback' }, reminded).topic.about).toBe('feedback')
  })

  it('goes on after the last event without a gap', () => {
    const eventAt = (number: number): GameEvent => ({
      type: 'happened',
      event: { number, kind: 'joined', player: 'other', time: 0, body: {} },
    })
    expect(play(game(), eventAt(3)).lastEvent).toBe(1)
    expect(play(game(), eventAt(3), eventAt(2)).lastEvent).toBe(3)
    expect(play(game(), eventAt(2), eventAt(2)).events).toHaveLength(1)
  })
})
