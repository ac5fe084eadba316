// What happened in a room, as people read it: one entry for each proposal, with its verdict, newest first.

import type { EventWith, HintStep, Kind } from '../api'
import { type EndMark, isFactVerdict } from '../game/state'
import type { EndlessJudged, Fact, FallenFact, MeasureJudged, MemberAnswer, OwnedFact, RoomEvent } from '../wire'

/** What a measure is, or a run that is said never to end. */
export type MeasureVerdict = MeasureJudged['kind'] | EndlessJudged['kind']

export type HistoryEntry = {
  readonly number: number
  readonly player: string | null
  readonly time: number
} & (
  | {
      readonly kind: 'proposal'
      readonly expression: string
      readonly loop: number
      /** null while the proposal is being judged. */
      readonly verdict: Kind | MeasureVerdict | 'limited' | null
      readonly promoted: readonly Fact[]
      readonly removed: readonly Fact[]
    }
  | {
      readonly kind: 'batch'
      readonly count: number
      readonly imported: boolean
      readonly inductive: number
      readonly potential: number
      readonly isJudged: boolean
    }
  | { readonly kind: 'solved'; readonly credited: readonly string[] }
  | { readonly kind: 'ended'; readonly ends: EndMark; readonly credited: readonly string[] }
  | { readonly kind: 'hint'; readonly step: HintStep; readonly loop: number }
  | { readonly kind: 'rejudged'; readonly fallen: readonly FallenFact[]; readonly kept: number }
  | { readonly kind: 'joined' | 'left' | 'reset' }
)

/** How many entries are shown: enough for any sitting. The server has the older ones. */
export const ENTRIES_MAX = 300

/** The entries after one more event. An event that is known already changes nothing. */
export function withEvent(entries: readonly HistoryEntry[], event: RoomEvent): readonly HistoryEntry[] {
  if (event.kind === 'judged') return judged(entries, event.answers ?? 0, event.body)
  if (entries.some((entry) => entry.number === event.number)) return entries
  const entry = entryOf(event)
  return entry ? [entry, ...entries].sort((a, b) => b.number - a.number).slice(0, ENTRIES_MAX) : entries
}

export const withEvents = (entries: readonly HistoryEntry[], events: readonly RoomEvent[]): readonly HistoryEntry[] =>
  events.reduce(withEvent, entries)

function entryOf(event: RoomEvent): HistoryEntry | null {
  const head = { number: event.number, player: event.player, time: event.time }
  switch (event.kind) {
    case 'proposed': {
      const { body } = event
      if ('proposals' in body) {
        return {
          ...head,
          kind: 'batch',
          count: body.proposals.length,
          imported: body.imported ?? false,
          inductive: 0,
          potential: 0,
          isJudged: false,
        }
      }
      return {
        ...head,
        kind: 'proposal',
        expression: body.expression,
        loop: body.loop,
        verdict: null,
        promoted: [],
        removed: [],
      }
    }
    case 'solved':
      return { ...head, kind: 'solved', credited: event.body.credited }
    case 'ended':
      return { ...head, kind: 'ended', ends: event.body.ends, credited: event.body.credited }
    case 'rejudged':
      return { ...head, kind: 'rejudged', fallen: event.body.fallen, kept: event.body.kept }
    case 'hint':
      return { ...head, kind: 'hint', step: event.body.step, loop: event.body.loop }
    case 'joined':
    case 'left':
    case 'reset':
      return { ...head, kind: event.kind }
    default:
      return null
  }
}

function judged(
  entries: readonly HistoryEntry[],
  answers: number,
  body: EventWith<'judged'>['body'],
): readonly HistoryEntry[] {
  return entries.map((entry) => {
    if (entry.number !== answers) return entry
    if (entry.kind === 'batch' && 'kinds' in body) {
      const count = (kind: Kind): number => body.kinds.filter((judgedFact) => judgedFact.kind === kind).length
      return { ...entry, inductive: count('inductive'), potential: count('potential'), isJudged: true }
    }
    if (entry.kind !== 'proposal' || 'kinds' in body) return entry
    if (!isFactVerdict(body)) return { ...entry, verdict: body.limited ? 'limited' : body.kind }
    const promoted = body.promoted.filter((fact) => fact.expression !== body.expression || fact.loop !== body.loop)
    return { ...entry, verdict: body.limited ? 'limited' : body.kind, promoted, removed: body.removed }
  })
}

export type Credit = {
  readonly member: MemberAnswer
  readonly proved: readonly OwnedFact[]
  readonly waiting: readonly OwnedFact[]
}

/**
 * Everyone who is or was in the room, with their facts. Those who have proved most come first, then those who are here
 * now.
 */
export function credits(
  members: readonly MemberAnswer[],
  inductive: readonly OwnedFact[],
  potential: readonly OwnedFact[],
): readonly Credit[] {
  const of = (facts: readonly OwnedFact[], player: string): readonly OwnedFact[] =>
    facts.filter((fact) => fact.player === player)
  return members
    .map((member) => ({ member, proved: of(inductive, member.player), waiting: of(potential, member.player) }))
    .filter((credit) => !credit.member.left || credit.proved.length)
    .sort(
      (a, b) =>
        b.proved.length - a.proved.length ||
        Number(b.member.here) - Number(a.member.here) ||
        a.member.name.localeCompare(b.member.name),
    )
}
