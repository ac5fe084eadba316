// Explanations of operators, functions and words. The English ones come from the table of the language
// (core/reference); the English text is the key to the other languages.

import { localised } from '../tables.svelte'

const explanations = localised<Readonly<Record<string, string>>>(
  {},
  { de: async () => (await import('../de/reference')).DE_REFERENCE },
)
export const explained = (english: string): string => explanations()[english] ?? english
