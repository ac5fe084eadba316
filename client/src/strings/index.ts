// t('key', …) says the sentences of the shell. strings/game.ts has those of the game screen, strings/pages.ts those of
// most other pages.

import { EN } from './en/shell'
import { sentences } from './tables.svelte'

export { LANGUAGES, language, type LanguageName, speak, stringsReady } from './tables.svelte'
export const t = sentences(EN, { de: async () => (await import('./de/shell')).DE })
