// What can be wrong with expressions, in the language that is spoken. strings/program.ts has what can be wrong with programs besides.

import type { Language } from '../core'
import { EN } from '../core/en'
import { localised } from './tables.svelte'

export const problems = localised<Language>(EN, { de: async () => (await import('./de/problems')).DE_PROBLEMS })
