// a('key', …) says the sentences about arrays. They are loaded with what the board knows of them.

import { EN_ARRAYS } from './en/arrays'
import { sentences, type Translate } from './tables.svelte'

export type SayArrays = Translate<typeof EN_ARRAYS>
export const a: SayArrays = sentences(EN_ARRAYS, { de: async () => (await import('./de/arrays')).DE_ARRAYS })
