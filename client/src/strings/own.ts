// o('key', …) says the sentences about C and Python texts, titles that are taken, and own worlds. They are loaded with
// those pages.

import { EN_OWN } from './en/own'
import { sentences, type Translate } from './tables.svelte'

export type SayOwn = Translate<typeof EN_OWN>
export const o: SayOwn = sentences(EN_OWN, { de: async () => (await import('./de/own')).DE_OWN })
