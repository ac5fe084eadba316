// Titles and stories of levels and worlds. The server has the English ones; here are those of other languages.

import { localised } from './tables.svelte'

export type Words = { readonly title: string; readonly text: string }
/** What is said of a level: also its one new idea, and what its proof says in plain words. */
export type LevelText = Words & { readonly idea: string; readonly proved: string; readonly nudge?: string }
export type LevelWords = {
  readonly levels: Readonly<Record<string, LevelText>>
  readonly worlds: Readonly<Record<string, Words>>
}

const words = localised<LevelWords>(
  { levels: {}, worlds: {} },
  { de: async () => (await import('./de/levels/levels')).DE_LEVELS },
)

/** What is said of a variation of a level. */
export type VariationText = Words & { readonly proved: string }

const variations = localised<Readonly<Record<string, VariationText>>>(
  {},
  { de: async () => (await import('./de/levels/daily')).DE_DAILY },
)

/** The title and story of a level, of a variation of one, or of another program, in the current language. */
export const programWords = (level: string | null, variation: string | null | undefined, english: Words): Words =>
  level === null && variation ? (variations()[variation] ?? english) : levelWords(level, english)
/** What a proof of the variation says, in plain words of the current language. */
export const variationProved = (variation: string, english: string): string =>
  variations()[variation]?.proved ?? english
/** The level's title and story in the current language, or in English where there is no translation. */
export const levelWords = (level: string | null, english: Words): Words =>
  level === null ? english : (words().levels[level] ?? english)
/** The level's new idea in the current language. */
export const levelIdea = (level: string, english: string): string => words().levels[level]?.idea ?? english
/** What a proof of the level says, in plain words of the current language. */
export const levelProved = (level: string, english: string): string => words().levels[level]?.proved ?? english
/** A little help for the second lamp of a level, in the current language. */
export const levelNudge = (level: string | null, english: string): string =>
  (level === null ? undefined : words().levels[level]?.nudge) ?? english
export const worldWords = (world: string, english: Words): Words => words().worlds[world] ?? english
