// p('key', …) says the sentences of the tutorial, the glossary, own programs, rooms, settings and studies. They are
// loaded with those pages.

import { EN_PAGES } from './en/pages'
import { sentences, type Translate } from './tables.svelte'

export type SayPages = Translate<typeof EN_PAGES>
export const p: SayPages = sentences(EN_PAGES, { de: async () => (await import('./de/pages')).DE_PAGES })
