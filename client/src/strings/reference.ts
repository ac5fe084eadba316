// Explanations of operators, functions and words. English comes from the language's table (core/reference), and is the key to the rest.

import { localised } from './tables.svelte'

const explanations = localised<Readonly<Record<string, string>>>(
  {},
  { de: async () => (await import('./de/reference')).DE_REFERENCE },
)
export const explained = (english: string): string => explanations()[english] ?? english
