// The drafts of the others, as the room shows them.

import type { GameState } from '../game/state'
import type { Live } from './live.svelte'

export type ShownDraft = {
  readonly player: string
  readonly name: string
  readonly loop: number
  readonly text: string
}

/** Those who are in the room and show something, in the order in which they came into the room. */
const present = (state: GameState): readonly { readonly player: string; readonly name: string }[] =>
  state.members.filter(({ here, left, player }) => here && !left && player !== state.player.player)

export const draftsOf = (state: GameState, live: Live): readonly ShownDraft[] =>
  present(state).flatMap(({ player, name }) => {
    const draft = live.signals.get(player)?.draft
    return draft ? [{ player, name, ...draft }] : []
  })
