// Titles and stories of levels and worlds. The server has the English ones; here are those of other languages.

import { localised } from './tables.svelte'

export type Words = { readonly title: string; readonly text: string }
export type LevelWords = {
  readonly levels: Readonly<Record<string, Words>>
  readonly worlds: Readonly<Record<string, Words>>
}

const words = localised<LevelWords>(
  { levels: {}, worlds: {} },
  { de: async () => (await import('./de/levels')).DE_LEVELS },
)

/** The level's title and story in the current language, or in English where there is no translation. */
export const levelWords = (level: string | null, english: Words): Words =>
  level === null ? english : (words().levels[level] ?? english)
export const worldWords = (world: string, english: Words): Words => words().worlds[world] ?? english
