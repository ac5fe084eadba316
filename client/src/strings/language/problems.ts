// What can be wrong with expressions, in the current language. strings/program.ts adds what can be wrong with programs.

import type { Language } from '../../core'
import { EN } from '../../core/en'
import { localised } from '../tables.svelte'

export const problems = localised<Language>(EN, { de: async () => (await import('../de/problems')).DE_PROBLEMS })
