// Takes a world from a file or a link: the server checks every program of a file before anything is kept.

import * as calls from '../calls'
import * as net from '../net'
import { contentId, readWorlds, type World, type WorldContent, type WorldFile, withWorld, writeWorlds } from './worlds'

export type Opened =
  | { readonly ok: true; readonly world: World }
  /** `error` is null where the level is the same program as an earlier one. */
  | { readonly ok: false; readonly level: number; readonly error: net.NetError | null }

/** Submits the programs of a file, one after the other. The first that is refused refuses the file. */
export async function openFile(file: WorldFile, onLevel: (number: number) => void): Promise<Opened> {
  const levels: WorldContent['levels'][number][] = []
  for (const [index, { source, ...words }] of file.levels.entries()) {
    onLevel(index + 1)
    try {
      const { program } = await calls.submitProgram(source, words.title)
      if (levels.some((level) => level.program === program)) return { ok: false, level: index + 1, error: null }
      levels.push({ program, ...words })
    } catch (error) {
      if (!(error instanceof net.NetError)) throw error
      return { ok: false, level: index + 1, error }
    }
  }
  return { ok: true, world: keep({ title: file.title, text: file.text, levels }) }
}

/** Keeps a world that came from elsewhere; the same content is kept once. */
export function keep(content: WorldContent): World {
  const worlds = readWorlds(localStorage)
  const id = contentId(content)
  const world = { ...(worlds.find((kept) => kept.id === id) ?? { ...content, id, mine: false }), used: Date.now() }
  writeWorlds(localStorage, withWorld(worlds, world))
  return world
}
