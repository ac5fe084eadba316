// A browser becomes a student or a teacher whom it was not before.

import { refreshScores, updateSave } from '../settings.svelte'
import { asStudent, isStudent } from './device'

export function become({ player, name }: { readonly player: string; readonly name: string }): void {
  updateSave((old) =>
    isStudent(player) ? asStudent(localStorage, old, { player, name }) : { ...old, player: { player, name } },
  )
  void refreshScores()
}
