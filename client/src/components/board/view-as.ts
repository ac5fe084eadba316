// A program in another language. Few players ask for it, so the call is not loaded with the level.

import { request } from '../../net'
import type { ShownProgram } from '../../wire'

export const programAs = (hash: string, language: string): Promise<ShownProgram> =>
  request('GET', `/programs/${hash}/view?as=${language}`, undefined, { patient: true })
