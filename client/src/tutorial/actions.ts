// Finds what the player did by comparing two states of the game, one after the other.

import type { GameState } from '../game/state'
import { draft, sameFact } from '../game/state'
import { colouredOf, reading, traceOf } from '../game/table'
import type { PlayerAction } from './steps'

/** The level was opened or reset: what it has now. */
export const openedAction = (now: GameState): PlayerAction => ({
  kind: 'opened',
  inductive: now.inductive.length,
  potential: now.potential.length + now.unknown.length,
  solved: now.solved,
})

export function playerActions(before: GameState, now: GameState): readonly PlayerAction[] {
  const actions: PlayerAction[] = []
  if (now.version !== before.version) actions.push(openedAction(now))
  if (now.trace.run !== before.trace.run) actions.push({ kind: 'traced', inputs: now.trace.run.inputs })
  if (draft(now) !== draft(before)) actions.push(...typed(now))
  if (now.topic !== before.topic) actions.push(...told(now))
  return actions
}

/** A text was typed that can be read. */
function typed(now: GameState): PlayerAction[] {
  const text = draft(now)
  const read = reading(traceOf(now.program, now.trace.run, now.loop), text, now.loop, { ...now, refuted: [] })
  const coloured = colouredOf(read)
  return coloured
    ? [{ kind: 'typed', text, rows: coloured.values.length, holds: coloured.holds, numeric: read.is === 'numeric' }]
    : []
}

/** The server has answered the player's own proposal or question. */
function told({ topic, player }: GameState): PlayerAction[] {
  if (topic.about === 'transition') return [{ kind: 'explained' }]
  if (topic.about !== 'verdict' || topic.player !== player.player || topic.verdict.limited) return []
  const { verdict } = topic
  const promotedOthers = verdict.promoted.filter((fact) => !sameFact(fact, verdict)).length
  return [
    { kind: 'judged', verdict: verdict.kind, expression: verdict.expression, promotedOthers, solved: verdict.solved },
  ]
}
