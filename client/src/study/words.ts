// s('key', …) says the sentences of studies. They are loaded with the page of a study.

import { EN_STUDY } from './en'
import { sentences, type Translate } from '../strings/tables.svelte'

export type SayStudy = Translate<typeof EN_STUDY>
export const s: SayStudy = sentences(EN_STUDY, { de: async () => (await import('./de')).DE_STUDY })
