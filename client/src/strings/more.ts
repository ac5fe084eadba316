// more('key', …) says the sentences of what is loaded after the board: the notebook, hints, small screens, the win.

import { EN_MORE } from './en/more'
import { sentences, type Translate } from './tables.svelte'

export type SayMore = Translate<typeof EN_MORE>
export const more: SayMore = sentences(EN_MORE, { de: async () => (await import('./de/more')).DE_MORE })
