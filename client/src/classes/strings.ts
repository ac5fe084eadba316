// c('key', …) says the sentences of classes, for students and for teachers. They are loaded with those pages.

import { EN_CLASSES } from './en'
import { sentences, type Translate } from '../strings/tables.svelte'

export type SayClasses = Translate<typeof EN_CLASSES>
export const c: SayClasses = sentences(EN_CLASSES, {
  de: async () => (await import('./de')).DE_CLASSES,
})
