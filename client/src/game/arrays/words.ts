// a('key', …) says the sentences about arrays. They are loaded with what the board knows of them.

import { EN_ARRAYS } from './en'
import { sentences, type Translate } from '../../strings/tables.svelte'

export type SayArrays = Translate<typeof EN_ARRAYS>
export const a: SayArrays = sentences(EN_ARRAYS, { de: async () => (await import('./de')).DE_ARRAYS })
