// The drafts and the pointed rows of the others, as the board shows them.

import type { PointedRow } from '../wire'
import type { GameState } from '../game/state'
import { runKey, runLabel } from '../game/board/runs'
import type { Live } from './live.svelte'

export type ShownDraft = {
  readonly player: string
  readonly name: string
  readonly loop: number
  readonly text: string
}
export type Pointer = {
  readonly player: string
  readonly name: string
  readonly row: PointedRow
  /** Whether the row is one of the table that is shown. */
  readonly isHere: boolean
  /** The run in a few words, where there are inputs. */
  readonly run: string
}

/** Those who are in the room and show something, in the order in which they came into the room. */
const present = (state: GameState): readonly { readonly player: string; readonly name: string }[] =>
  state.members.filter(({ here, left, player }) => here && !left && player !== state.player.player)

export const draftsOf = (state: GameState, live: Live): readonly ShownDraft[] =>
  present(state).flatMap(({ player, name }) => {
    const draft = live.signals.get(player)?.draft
    return draft ? [{ player, name, ...draft }] : []
  })

const startOf = ({ inputs, seed = 0, choices = [] }: PointedRow) => ({ inputs, seed, choices })

/** Where the others point. */
export function pointers(state: GameState, live: Live): readonly Pointer[] {
  const { run, seed, choices } = state.trace
  const shown = runKey({ inputs: run.inputs, seed, choices })
  return present(state).flatMap(({ player, name }) => {
    const row = live.signals.get(player)?.row
    if (!row) return []
    const start = startOf(row)
    const isHere = row.loop === state.loop && runKey(start) === shown
    return [{ player, name, row, isHere, run: Object.keys(row.inputs).length ? runLabel(start) : '' }]
  })
}

/** The row of the table that is shown, as others are told of it. */
export function pointedRow(state: GameState, row: number): PointedRow {
  const { run, seed, choices } = state.trace
  return {
    loop: state.loop,
    row,
    inputs: run.inputs,
    ...(seed ? { seed } : {}),
    ...(choices.length ? { choices } : {}),
  }
}
