// r('key', …) says the sentences of playing together: who is here, drafts, phrases, the computer, all players. They are
// loaded with those parts.

import { EN_ROOM } from './en/room'
import { sentences, type Translate } from './tables.svelte'

export type SayRoom = Translate<typeof EN_ROOM>
export const r: SayRoom = sentences(EN_ROOM, { de: async () => (await import('./de/room')).DE_ROOM })
