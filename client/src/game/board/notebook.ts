// The notebook: everything that was tried, newest first, with what came of it.

import type { Kind } from '../../api'
import type { EndlessJudged, Fact, MeasureJudged, ProposalAnswer, RefutingRun } from '../../wire'
import type { Say } from '../../strings/answers'
import type { SayMore } from './more'
import { type GameState, isFactVerdict, nameOf, sameFact } from '../state'
import { refutationOf } from './runs'
import { factList } from '../why'

export type NoteSign = 'proved' | 'wait' | 'false' | 'known' | 'always' | 'unknown'
export type Note = {
  /** The number of the event, and the place in a batch. */
  readonly key: string
  readonly fact: Fact
  readonly sign: NoteSign
  /** What came of it, in a few words. */
  readonly text: string
  readonly run: RefutingRun | null
  /** Who tried it, where that was somebody else. */
  readonly by: string | null
}

const SIGNS: Readonly<Record<Kind, NoteSign>> = {
  inductive: 'proved',
  potential: 'wait',
  'non-invariant': 'false',
  displaced: 'known',
  'displaced-potential': 'known',
  'type-tautology': 'always',
  unknown: 'unknown',
}

const END_SIGNS: Readonly<Record<MeasureJudged['kind'] | EndlessJudged['kind'], NoteSign>> = {
  falls: 'proved',
  'does-not-fall': 'false',
  'may-not-fall': 'wait',
  unknown: 'unknown',
  'never-ends': 'proved',
  'run-ends': 'false',
  'not-shown': 'unknown',
}

export function notesOf(state: GameState, t: Say, more: SayMore): readonly Note[] {
  const notes: Note[] = []
  for (const event of state.events) {
    if (event.kind !== 'judged') continue
    const by = event.player === state.player.player ? null : nameOf(state, event.player)
    if ('kind' in event.body && !isFactVerdict(event.body)) {
      const { loop, expression, kind, limited } = event.body
      const fact = { loop, expression }
      const run = refutationOf(event.body)?.run ?? null
      const sign = limited ? 'unknown' : END_SIGNS[kind]
      notes.push({ key: `${event.number}`, fact, sign, text: more(limited ? 'note.limited' : `note.${kind}`), run, by })
    } else if ('kind' in event.body) notes.push(noteOf(state, t, more, `${event.number}`, event.body, by))
    else
      event.body.kinds.forEach(({ loop, expression, kind }, index) => {
        const key = `${event.number}.${index}`
        notes.push({ key, ...shownNow(state, more, { loop, expression }, kind), run: null, by })
      })
  }
  return notes.reverse()
}

function noteOf(
  state: GameState,
  t: Say,
  more: SayMore,
  key: string,
  verdict: ProposalAnswer,
  by: string | null,
): Note {
  const { loop, expression, kind, run, limited, implied_by } = verdict
  const fact = { loop, expression }
  if (limited) return { key, fact, sign: 'unknown', text: more('note.limited'), run: null, by }
  const shown = shownNow(state, more, fact, kind)
  const known = kind === 'displaced' || kind === 'displaced-potential'
  const text = known && implied_by?.length ? more('note.knownFrom', factList({ state, t }, implied_by)) : shown.text
  return { key, ...shown, text, run: run ?? null, by }
}

/** What a fact is by now: one that waited may be proved, and one that was proved may have become redundant. */
function shownNow(state: GameState, more: SayMore, fact: Fact, kind: Kind): Pick<Note, 'fact' | 'sign' | 'text'> {
  const on = (list: readonly Fact[]): boolean => list.some((listed) => sameFact(listed, fact))
  if (on(state.inductive)) return { fact, sign: 'proved', text: more('note.inductive') }
  if (on(state.potential)) return { fact, sign: 'wait', text: more('note.potential') }
  const accepted = kind === 'inductive' || kind === 'potential' || kind === 'unknown'
  if (accepted && !on(state.unknown)) return { fact, sign: 'known', text: more('note.gone') }
  return { fact, sign: SIGNS[kind], text: more(`note.${kind}`) }
}
