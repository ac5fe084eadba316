// A browser becomes a student and is itself again later. What it keeps for its own player is put aside meanwhile, so
// that nobody sees the lamps of somebody else.

import { emptySave, parseSave, type Save } from '../game/save'

/** The key under which the save of the browser's own player waits. */
export const HOME_KEY = 'idg.save.home'
export const isStudent = (player: string | undefined): boolean => player?.startsWith('class-') ?? false

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>
type Player = { readonly player: string; readonly name: string }

/** The save of a student who has just come. That of the browser's own player waits in the storage. */
export function asStudent(storage: Storage, save: Save, { player, name }: Player): Save {
  if (save.player?.player === player) return save
  if (!isStudent(save.player?.player)) {
    const { localRooms: desks, ...rest } = save
    put(storage, JSON.stringify({ ...rest, desks }))
  }
  return { ...emptySave(save.settings.language), settings: save.settings, player: { player, name } }
}

/** The save as it was before somebody joined a class here. */
export function asBefore(storage: Storage, save: Save): Save {
  let json: string | null = null
  try {
    json = storage.getItem(HOME_KEY)
    storage.removeItem(HOME_KEY)
  } catch {
    // A browser may forbid storage.
  }
  const before = json === null ? null : parseSave(json, save.settings.language)
  return { ...(before ?? emptySave(save.settings.language)), settings: save.settings }
}

function put(storage: Storage, json: string): void {
  try {
    storage.setItem(HOME_KEY, json)
  } catch {
    // Storage is full or forbidden. The server still has the progress.
  }
}
