// m('key', …) says the sentences of the map, which is part of the first load.

import { EN_MAP } from './en/map'
import { sentences } from './tables.svelte'

export const m = sentences(EN_MAP, { de: async () => (await import('./de/map')).DE_MAP })
