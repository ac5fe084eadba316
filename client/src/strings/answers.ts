// t('key', …) says the sentences of what is loaded after the board, those of the board and those of the shell.

import { EN } from './en/shell'
import { EN_ANSWERS } from './en/answers'
import { EN_GAME } from './en/game'
import { sentences, type Translate } from './tables.svelte'

const english = { ...EN, ...EN_GAME, ...EN_ANSWERS }
export type Say = Translate<typeof english>
export const t: Say = sentences(english, {
  de: async () => {
    const [{ DE }, { DE_GAME }, { DE_ANSWERS }] = await Promise.all([
      import('./de/shell'),
      import('./de/game'),
      import('./de/answers'),
    ])
    return { ...DE, ...DE_GAME, ...DE_ANSWERS }
  },
})
