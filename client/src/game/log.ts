// What happens in the browser, for studies: focus, typing, pauses, active time. In batches, bounded, and never in the way of play.

import type { LogKind, LogRow } from '../api'

const ROWS_MAX = 400
const BATCH_MAX = 200
const FLUSH_MS = 30_000
/** A pause in typing that is worth a row. */
const PAUSE_SECONDS = 3
/** Without a key, a tap or a move for so long, time is not active. */
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
    // The oldest rows go first when the server is gone for long.
    if (this.rows.length > ROWS_MAX) this.rows.splice(0, this.rows.length - ROWS_MAX)
  }

  /** A key in the entry box. */
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

  /** Any sign of life. */
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
      // Kept for the next time.
    } finally {
      this.sending = false
    }
  }
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10

/** Listens to the page until the returned function is called. */
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
