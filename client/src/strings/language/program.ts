// What can be wrong with programs, in the current language.

import { ENGLISH } from '../../core/program'
import type { ProgramLanguage } from '../../core/problems'
import { localised } from '../tables.svelte'

export const programLanguage = localised<ProgramLanguage>(ENGLISH, {
  de: async () => {
    const [{ DE_PROBLEMS }, { PROGRAM_DE }] = await Promise.all([import('../de/problems'), import('../de/program')])
    return {
      ...DE_PROBLEMS,
      messages: { ...DE_PROBLEMS.messages, ...PROGRAM_DE.messages },
      phrases: { ...DE_PROBLEMS.phrases, ...PROGRAM_DE.phrases },
    }
  },
})
