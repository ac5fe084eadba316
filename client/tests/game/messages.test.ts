// Every verdict and every state of the game has a message of its own, with something to do next.

import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/api'
import type { FeedbackAnswer, ProposalAnswer } from '../../src/wire'
import { asSip, inputsOf } from '../../src/game/evidence'
import { type Message, messageOf } from '../../src/game/messages'
import { plain } from '../../src/game/rich'
import { opened, reduce } from '../../src/game/reducer'
import { restsOnNote } from '../../src/game/why'
import { EMPTY_LOCAL_ROOM } from '../../src/game/save'
import type { GameState, Topic } from '../../src/game/state'
import { DE } from '../../src/strings/de/shell'
import { DE_ANSWERS } from '../../src/strings/de/answers'
import { DE_GAME } from '../../src/strings/de/game'
import { EN } from '../../src/strings/en/shell'
import { EN_ANSWERS } from '../../src/strings/en/answers'
import { EN_GAME } from '../../src/strings/en/game'
import type { Say } from '../../src/strings/answers'
import { FEEDBACK, game, judged, OPENED, rejudged, verdict } from './fixtures'

type Sentence = string | ((...args: unknown[]) => string)
const say = (table: Record<string, unknown>): Say =>
  ((key: string, ...args: unknown[]) => {
    const sentence = table[key] as Sentence
    return typeof sentence === 'string' ? sentence : sentence(...args)
  }) as Say
const LANGUAGES = { en: say({ ...EN, ...EN_GAME, ...EN_ANSWERS }), de: say({ ...DE, ...DE_GAME, ...DE_ANSWERS }) }

const run = {
  inputs: { n: '0', m: '11' },
  seed: 0,
  row: 11,
  columns: ['n', 'cnt'],
  first_row: 0,
  rows: Array.from({ length: 12 }, (_, index) => ['0', String(index)]),
}
const transition = {
  loop: 1,
  before: { n: '0', m: '1', cnt: '0' },
  after: { n: '0', m: '1', cnt: '1' },
  at_entry: false,
}
const about = (verdict: ProposalAnswer): GameState => {
  const earned = { coins: 3, gem: verdict.solved, medals: [] }
  const state = reduce(game(), {
    type: 'asked',
    asking: { what: 'proposal', id: 'p', version: 1, fact: verdict, text: verdict.expression },
  })
  return reduce(state, { type: 'judged', id: 'p', event: judged(3, verdict), earned, score: { ...earned, spent: 0 } })
}
const withTopic = (topic: Topic, rest: Partial<GameState> = {}): GameState => ({ ...game(), topic, ...rest })
const standing = (feedback: Partial<FeedbackAnswer>): GameState =>
  withTopic({ about: 'feedback', same: false }, { feedback: { ...FEEDBACK, state: null, ...feedback } })
const trouble = (code: string, retrySeconds: number | null = null): GameState =>
  withTopic({
    about: 'trouble',
    trouble: { problem: { code, message: 'why', where: null, hint: '' }, retrySeconds },
    doing: null,
  })
const by = [{ loop: 1, expression: 'res = 0' }]

/** Everything that the message window can be about. */
const STATES: Readonly<Record<string, GameState>> = {
  new: game(),
  'type-tautology': about(verdict('type-tautology', 'n >= 0')),
  displaced: about(verdict('displaced', 'cnt > -1', { implied_by: by })),
  'displaced-potential': about(verdict('displaced-potential', 'cnt > -1', { implied_by: by })),
  'non-invariant': about(verdict('non-invariant', 'cnt <= 10', { run })),
  inductive: about(verdict('inductive', 'cnt <= m', { removed: [{ loop: 1, expression: 'cnt < m + 1', by }] })),
  potential: about(verdict('potential', 'res <= n * m', { transition })),
  unknown: about(verdict('unknown', 'res <= n * m', { tried: ['all'] })),
  limited: about(verdict('unknown', 'res <= n * m', { limited: 'time', unknown: [] })),
  solved: about(
    verdict('inductive', 'cnt <= m', { solved: true, feedback: { ...FEEDBACK, state: null, solved: true } }),
  ),
  batch: withTopic({
    about: 'batch',
    player: 'other',
    verdict: { ...verdict('inductive', 'x'), kinds: [{ loop: 1, expression: 'x', kind: 'inductive' }] },
  }),
  'judging-again': opened({ ...OPENED, room: { ...OPENED.room, judging_again: true } }, EMPTY_LOCAL_ROOM),
  rejudged: reduce(game(), { type: 'happened', event: rejudged(2) }),
  transition: withTopic({ about: 'transition', answer: { loop: 1, expression: 'x', transition, message: '' } }),
  explanation: withTopic({
    about: 'explanation',
    explanation: {
      solved: false,
      message: '',
      obligations: [
        {
          cause: 'assert',
          where: FEEDBACK.state?.where ?? { line: 1, column: 1, start: 0, end: 0 },
          function: '',
          status: 'unknown',
          uses: [],
        },
      ],
    },
  }),
  state: withTopic({ about: 'feedback', same: false }),
  suffices: standing({ potential_suffices: true }),
  open: standing({}),
  failing: standing({
    failing: {
      inputs: { n: '1', m: '1' },
      seed: 3,
      cause: 'assert',
      where: FEEDBACK.state?.where ?? { line: 1, column: 1, start: 0, end: 0 },
    },
  }),
  'too-large': standing({ too_large: 'too many loops' }),
  'trace-game': { ...game(), variant: 'trace' },
  gone: trouble('gone', 2),
  busy: trouble('busy', 1),
  'too-fast': trouble('too-fast', 1),
  'store-unavailable': trouble('store-unavailable', 5),
  'no-answer': trouble('no-answer'),
  'bad-text': trouble('bad-text'),
  'request-reused': trouble('request-reused'),
  'not-found': trouble('not-found'),
  internal: trouble('internal'),
}
describe.each(Object.entries(LANGUAGES))('in %s', (_, t) => {
  it.each(Object.entries(STATES))('%s has a message', (kind, state) => {
    const message = messageOf(state, t)
    expect(message.kind).toBe(kind)
    const words = [message.headline, ...message.text, ...message.details].join(' ')
    expect(words).not.toMatch(/undefined|null|NaN|\[object|English/)
    expect(message.headline.length).toBeGreaterThan(5)
    // At most six words; a fact counts as none.
    expect(
      message.headline
        .replace(/`[^`]*`/g, '')
        .trim()
        .split(/\s+/).length,
    ).toBeLessThanOrEqual(6)
    expect(message.text.length).toBeLessThanOrEqual(5)
  })

  it('says nothing twice', () => {
    const said = Object.values(STATES).map((state) => messageOf(state, t))
    const headlines = said.map(({ headline, text }) => plain([headline, ...text].join(' ')))
    const expected = Object.keys(STATES).length
    expect(new Set(headlines).size).toBe(expected)
  })
})

describe('the game without code', () => {
  const inTable = (kind: string, t: Say): Message => messageOf({ ...(STATES[kind] as GameState), variant: 'trace' }, t)
  it.each(['new', 'solved', 'transition', 'potential', 'inductive', 'type-tautology', 'displaced', 'state', 'busy'])(
    '%s speaks of the table alone',
    (kind) => {
      const message = inTable(kind, LANGUAGES.en)
      const words = [
        message.headline,
        ...message.text,
        ...message.details,
        ...message.steps.map((step) => step.text),
      ].join(' ')
      expect(words).not.toMatch(/guarantee|loop test|state to rule out|Which invariants| line \d/i)
    },
  )
})

describe('coins', () => {
  const verdictOf = (patterns: string[]): string[] => {
    const state = about(verdict('inductive', 'res <= n'))
    const earned = { coins: 40, gem: false, medals: [], doubled: 20, patterns }
    const topic = { ...state.topic, earned } as Topic
    return Object.values(LANGUAGES).map((t) => messageOf({ ...state, topic }, t).text.at(-1) ?? '')
  }
  it('say why they were doubled', () => {
    expect(verdictOf(['limit'])).toEqual([
      '+40 coins, doubled: your first fact of the form □ ≤ □ here',
      '+40 Münzen, verdoppelt: deine erste Aussage der Form □ ≤ □ hier',
    ])
    expect(verdictOf([])).toEqual(['+40 coins', '+40 Münzen'])
  })
})

describe('a first arrival', () => {
  const state = about(verdict('potential', 'res <= n * m', { transition: { ...transition, at_entry: true } }))
  it.each(Object.entries(LANGUAGES))('is not called a turn in %s', (_, t) => {
    const { headline, text, details } = messageOf(state, t)
    expect([headline, ...text, ...details].join(' ')).not.toMatch(/turn|Umlauf/i)
  })
})

describe('what a verdict rests on', () => {
  const restsOn = [{ cause: 'claim', where: { line: 4, column: 11, start: 87, end: 96 }, expression: 'cnt < 10' }]
  const displaced = about(verdict('displaced', 'cnt > -1', { implied_by: by, rests_on: restsOn }))
  const inductive = about(verdict('inductive', 'cnt <= 10', { rests_on: restsOn }))
  const words = (state: GameState, t: Say): string => {
    const { headline, text, details } = messageOf(state, t)
    return plain([headline, ...text, ...details].join(' '))
  }
  it('is named, and nothing is called true or proved that rests on it', () => {
    for (const state of [displaced, inductive]) {
      const said = words(state, LANGUAGES.en)
      expect(said).toContain('This rests on the claim in line 4, cnt < 10, which is not proved yet.')
      expect(said).not.toMatch(/is true|It is proved/)
    }
    expect(words(inductive, LANGUAGES.de)).toContain('noch nicht bewiesen ist: das claim in Programmzeile 4, cnt < 10.')
  })
  it('is not named to players who do not see the code', () =>
    expect(words({ ...inductive, variant: 'trace' }, LANGUAGES.en)).toContain('rests on something else in the program'))
  it('is not mentioned where there is nothing', () =>
    expect(words(STATES.inductive as GameState, LANGUAGES.en)).not.toContain('rests on'))
  it('stands beside the facts of the list', () => {
    const fact = { loop: 1, expression: 'cnt <= 10' }
    const feedback = { ...FEEDBACK, resting: [{ ...fact, rests_on: restsOn, message: 'English' }] }
    const note = (other: typeof fact) => restsOnNote({ state: { ...game(), feedback }, t: LANGUAGES.en }, other)
    expect(note(fact)).toBe('rests on the claim in line 4, `cnt < 10`')
    expect(note({ ...fact, loop: 2 })).toBe('')
  })
})

describe('what another engine says of a room', () => {
  const sentences = (t: Say): string[] => {
    const { headline, text } = messageOf(STATES.rejudged as GameState, t)
    return [headline, ...text].map((sentence) => sentence.replaceAll('`', ''))
  }
  it('is told in plain sentences', () =>
    expect(sentences(LANGUAGES.en)).toEqual([
      'Everything was checked again.',
      'The engine was improved: cnt <= 5 is not true in every run after all.',
      'res = n * cnt is proved now.',
      'One fact that was found still holds.',
      'So the level is not solved yet.',
    ]))
  it('is told in German', () =>
    expect(sentences(LANGUAGES.de)[1]).toContain('cnt <= 5 ist doch nicht in jedem Lauf wahr.'))
})

describe('looks', () => {
  const sign = (kind: string): string => messageOf(STATES[kind] as GameState, LANGUAGES.en).sign
  it('differ for not proved, false and unknown', () => {
    expect(new Set([sign('potential'), sign('non-invariant'), sign('unknown')]).size).toBe(3)
    expect(sign('limited')).toBe('unknown')
    expect(sign('gone')).toBe('trouble')
  })
})

describe('evidence', () => {
  it('writes states in the language', () => {
    expect(asSip({ p: 'true', q: 'false', x: '-7/3', 'old(n)': '2' })).toBe('p & !q & x = -7/3 & old(n) = 2')
  })
  it('knows the inputs of a state only where it names them', () => {
    expect(inputsOf(OPENED.program, 1, { n: '1', m: '2' })).toEqual({ n: '1', m: '2' })
    const assigned = { ...OPENED.program, assigned_params: ['n'] }
    expect(inputsOf(assigned, 1, { n: '1', m: '2' })).toBeNull()
    expect(inputsOf(assigned, 1, { n: '1', m: '2', 'old(n)': '5' })).toEqual({ n: '5', m: '2' })
  })
})

it('knows all seven kinds', () => {
  const kinds: Kind[] = [
    'type-tautology',
    'displaced',
    'displaced-potential',
    'non-invariant',
    'inductive',
    'potential',
    'unknown',
  ]
  for (const kind of kinds) expect(Object.keys(STATES)).toContain(kind)
})

describe('a run that chooses', () => {
  const choices = [
    { values: { take: '4' }, initial: true },
    { values: { x: '1', y: '2' }, initial: false },
  ]
  const asked = { inputs: run.inputs, seed: run.seed, choices: [['4'], ['1', '2']] }
  const where = { line: 1, column: 1, start: 0, end: 1 }
  const failing = { inputs: run.inputs, seed: run.seed, cause: 'assert', where, choices }
  it.each([
    ['a refuted fact', about(verdict('non-invariant', 'cnt <= 10', { run: { ...run, choices } }))],
    ['a broken guarantee', standing({ failing })],
  ])('can be tried as it was: %s', (_, state) => {
    const message = messageOf(state, LANGUAGES.en)
    expect(message.steps[0]).toEqual({ text: 'Show this run', action: { do: 'try-input', ...asked }, primary: true })
    expect([...message.text, ...message.details].join(' ')).toContain('It starts with `take = 4`')
    expect(messageOf(state, LANGUAGES.de).steps[0]?.text).toBe('Diesen Lauf zeigen')
  })
  it('is asked for by its inputs alone where it chooses nothing', () =>
    expect(messageOf(STATES['non-invariant'] ?? game(), LANGUAGES.en).steps[0]).toEqual({
      text: 'Show this run',
      action: { do: 'try-input', inputs: run.inputs, seed: 0, choices: [] },
      primary: true,
    }))
  it('is not offered where the table shows it already', () => {
    const state = STATES['non-invariant'] ?? game()
    const shown = { ...state.trace, run: { ...state.trace.run, inputs: run.inputs } }
    expect(messageOf({ ...state, trace: shown }, LANGUAGES.en).steps).toEqual([])
    expect(messageOf({ ...state, trace: { ...state.trace, asking: 'a1' } }, LANGUAGES.en).steps).toEqual([])
  })
})

it('says that there is no other ghost, and does not offer one', () => {
  const state = withTopic({ about: 'feedback', same: true }, { feedback: { ...FEEDBACK, no_other: true } })
  expect(messageOf(state, LANGUAGES.en).text).toEqual(['No other ghost was found.'])
})
