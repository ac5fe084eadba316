// t('key', …): the sentences of the shell. The game has strings/game.ts, pages with long texts of their own strings/pages.ts.

import { EN } from './en/shell'
import { sentences } from './tables.svelte'

export { LANGUAGES, language, type LanguageName, speak, stringsReady } from './tables.svelte'
export const t = sentences(EN, { de: async () => (await import('./de/shell')).DE })
