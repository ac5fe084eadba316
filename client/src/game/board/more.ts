// more('key', …) says the sentences of what is loaded after the board: the notebook, hints, small screens, the win.

import { EN_MORE } from '../../strings/en/more'
import { sentences, type Translate } from '../../strings/tables.svelte'

export type SayMore = Translate<typeof EN_MORE>
export const more: SayMore = sentences(EN_MORE, { de: async () => (await import('../../strings/de/more')).DE_MORE })
