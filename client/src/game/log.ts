// What happens in the browser, for studies: focus, typing, pauses, active time. Rows are sent in batches, their number
// is bounded, and nothing of this ever delays the game.

import type { LogKind, LogRow } from '../api'

/** How many rows wait for the server at most; the oldest are dropped first. */
const ROWS_MAX = 400
/** How many rows are sent in one request; the server takes no more. */
const BATCH_MAX = 200
/** How often rows are sent, in milliseconds. */
const FLUSH_MS = 30_000
/** From how many seconds on a pause in typing is worth a row. */
const PAUSE_SECONDS = 3
/** After how many seconds without a key, a tap or a move the time no longer counts as active. */
const IDLE_SECONDS = 30

type Send = (rows: readonly LogRow[], last: boolean) => Promise<unknown>
type Body = LogRow['body']

export class ClientLog {
  private rows: LogRow[] = []
  private sending = false
  private typedAt = 0
  private keys = 0
  private activeSince: number | null = null
  private movedAt = 0

  constructor(
    private readonly send: Send,
    private readonly now: () => number = () => Date.now() / 1000,
  ) {}

  note(kind: LogKind, body: Body = {}): void {
    this.rows.push({ kind, time: this.now(), body })
    // When the server cannot be reached for long, the oldest rows are dropped.
    if (this.rows.length > ROWS_MAX) this.rows.splice(0, this.rows.length - ROWS_MAX)
  }

  /** Notes that a key was pressed in the entry box. */
  typed(where: string): void {
    const now = this.now()
    const silent = now - this.typedAt
    if (this.typedAt && silent >= PAUSE_SECONDS) {
      this.note('pause', { where, seconds: round(silent), keys: this.keys })
      this.keys = 0
    }
    this.keys++
    this.typedAt = now
    this.moved()
  }

  /** Notes that the player did anything at all. */
  moved(): void {
    const now = this.now()
    if (this.activeSince === null) this.activeSince = now
    else if (now - this.movedAt > IDLE_SECONDS) {
      this.endActive()
      this.activeSince = now
    }
    this.movedAt = now
  }

  endActive(): void {
    if (this.activeSince === null) return
    const seconds = round(this.movedAt - this.activeSince)
    if (seconds > 0) this.note('active', { seconds })
    this.activeSince = null
  }

  async flush(last = false): Promise<void> {
    if (this.sending || !this.rows.length) return
    const batch = this.rows.slice(0, BATCH_MAX)
    this.sending = true
    try {
      await this.send(batch, last)
      this.rows = this.rows.filter((row) => !batch.includes(row))
    } catch {
      // The rows are kept and sent the next time.
    } finally {
      this.sending = false
    }
  }
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10

/** Logs what happens to the page until the returned function is called. */
export function watchPage(log: ClientLog): () => void {
  const timer = setInterval(() => void log.flush(), FLUSH_MS)
  const moved = (): void => log.moved()
  const focus = (): void => log.note('focus')
  const blur = (): void => {
    log.endActive()
    log.note('blur')
  }
  const hidden = (): void => {
    if (document.visibilityState !== 'hidden') return
    log.endActive()
    void log.flush(true)
  }
  window.addEventListener('focus', focus)
  window.addEventListener('blur', blur)
  window.addEventListener('pointerdown', moved, { passive: true })
  window.addEventListener('keydown', moved, { passive: true })
  document.addEventListener('visibilitychange', hidden)
  return () => {
    clearInterval(timer)
    window.removeEventListener('focus', focus)
    window.removeEventListener('blur', blur)
    window.removeEventListener('pointerdown', moved)
    window.removeEventListener('keydown', moved)
    document.removeEventListener('visibilitychange', hidden)
    log.endActive()
    void log.flush(true)
  }
}
