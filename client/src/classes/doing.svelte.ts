// Work that a page waits for: one piece at a time, and what went wrong in the player's words.

import { NetError } from '../net'
import { c } from './strings'

export class Doing {
  busy = $state(false)
  trouble = $state('')

  /** Whether the work was done. What `why` says about a code of the server is shown in place of its message. */
  async run(work: () => Promise<void>, why: Readonly<Record<string, string>> = {}): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.trouble = ''
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof NetError)) throw error
      this.trouble = why[error.code] ?? c('failed', error.message)
      return false
    } finally {
      this.busy = false
    }
  }
}
