// b('key', …) says the sentences of the beginning. They are loaded with it.

import { EN_BEGINNING } from './en/beginning'
import { sentences, type Translate } from './tables.svelte'

export type SayBeginning = Translate<typeof EN_BEGINNING>
export const b: SayBeginning = sentences(EN_BEGINNING, {
  de: async () => (await import('./de/beginning')).DE_BEGINNING,
})
