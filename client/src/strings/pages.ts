// p('key', …): the longer texts of the tutorial, the glossary, own programs, rooms, settings and studies, loaded with those pages.

import { EN_PAGES } from './en.pages'
import { sentences } from './tables.svelte'

export const p = sentences(EN_PAGES, { de: async () => (await import('./de.pages')).DE_PAGES })
