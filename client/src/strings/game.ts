// t('key', …) says the sentences of the game screen and those of the shell.

import { EN } from './en/shell'
import { EN_GAME } from './en/game'
import { sentences, type Translate } from './tables.svelte'

const english = { ...EN, ...EN_GAME }
export type Say = Translate<typeof english>
export const t: Say = sentences(english, {
  de: async () => {
    const [{ DE }, { DE_GAME }] = await Promise.all([import('./de/shell'), import('./de/game')])
    return { ...DE, ...DE_GAME }
  },
})
