// What verdicts change about the end of the program's runs: the measures on the books, and the second mark.

import type { EventWith } from '../../api'
import type { JudgedClaim, Measure, MeasureJudged, OwnedMeasure } from '../../wire'
import { factKey, type GameState, sameFact } from '../state'

/** The kinds of verdicts that put a measure onto the books. */
export const KEPT_MEASURES: ReadonlySet<string> = new Set(['falls', 'may-not-fall', 'unknown'])

/** Whether the level asks for the mark that the room has. */
export const isAskedFor = ({ program, ends }: GameState): boolean => Boolean(ends) && program.ending === ends

/** The state with what a verdict says of measures and of the end. */
export function withEnd(state: GameState, { body, player }: EventWith<'judged'>): GameState {
  const ending = body.ending ?? state.ending
  const ends = state.ends || (ending && ending.status !== 'open' ? ending.status : '')
  const measured = 'report' in body && !body.limited ? withMeasures(state, body, player) : state
  const proved = ('measures_proved' in body && body.measures_proved) || []
  const claimed = ('moves' in body && body.moves) || []
  return { ...measured, ending, ends, measures: afterClaims(measured.measures, claimed, proved, player) }
}

function withMeasures(state: GameState, { measures, report, kind }: MeasureJudged, player: string | null): GameState {
  const { loop, measure, turn } = report
  const owned = measures.map((listed) => ({
    ...listed,
    player: state.measures.find((one) => sameFact(one, listed))?.player ?? player,
  }))
  const waits = kind === 'may-not-fall' && turn
  return {
    ...state,
    measures: owned,
    turns: waits ? { ...state.turns, [factKey({ loop, expression: measure })]: turn } : state.turns,
  }
}

/** The measures after those of a batch were judged, and after facts have proved some that waited. */
function afterClaims(
  measures: readonly OwnedMeasure[],
  claims: readonly JudgedClaim[],
  proved: readonly Measure[],
  player: string | null,
): readonly OwnedMeasure[] {
  let after = measures
  const told = claims.flatMap(({ loop, expression, kind }) =>
    KEPT_MEASURES.has(kind)
      ? [{ loop, expression: expression.replace(/^decreases /, ''), proved: kind === 'falls' }]
      : [],
  )
  for (const one of [...told, ...proved.map(({ loop, text }) => ({ loop, expression: text, proved: true }))]) {
    const here = after.filter(({ loop }) => loop === one.loop)
    if (here.some((known) => known.proved || (known.expression === one.expression && !one.proved))) continue
    const author = here.find(({ expression }) => expression === one.expression)?.player ?? player
    const kept = one.proved ? after.filter(({ loop }) => loop !== one.loop) : after
    after = [...kept, { ...one, player: author }]
  }
  return after
}
