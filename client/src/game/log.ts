// What happens in the browser, for studies: focus, typing, pauses, active time, which answers were shown. Rows are sent
// in batches, their number is bounded, and nothing of this ever delays the game. Times are those of this device; the
// server corrects them by the difference of the clocks.

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
/** After how many seconds of being active there is a row, and a new one begins. */
const BEAT_SECONDS = 60
/** How many seconds of typing one row tells at most; the server takes no row that covers more than 300. */
const SPAN_SECONDS = 240

type Send = (rows: readonly LogRow[], last: boolean) => Promise<unknown>
type Body = LogRow['body']

/** The logs that pages write now. */
const watched = new Set<ClientLog>()

/** Whoever withdraws from a study is logged no longer: what was not sent is thrown away. */
export function discardLogs(): void {
  for (const log of watched) log.discard()
}

export class ClientLog {
  private isDiscarded = false
  private rows: LogRow[] = []
  private sending = false
  private keysSince = 0
  private typedAt = 0
  private keys = 0
  private where = ''
  private activeSince: number | null = null
  private movedAt = 0

  /** `level` is what the rows belong to: the id of a level, or its number where the player does not know the id. */
  constructor(
    private readonly send: Send,
    private readonly level: string | number | null = null,
    private readonly now: () => number = () => Date.now() / 1000,
  ) {}

  discard(): void {
    this.isDiscarded = true
    this.rows = []
  }

  note(kind: LogKind, body: Body = {}, time = this.now()): void {
    if (this.isDiscarded) return
    const place = this.level === null ? {} : { level: this.level }
    this.rows.push({ kind, time: round(time), body: { ...body, ...place } })
    // When the server cannot be reached for long, the oldest rows are dropped.
    if (this.rows.length > ROWS_MAX) this.rows.splice(0, this.rows.length - ROWS_MAX)
  }

  /** Notes that a key was pressed in the entry box. What was typed is not noted. */
  typed(where: string): void {
    const now = this.now()
    const silent = now - this.typedAt
    if (this.keys && silent >= PAUSE_SECONDS) {
      this.endTyping()
      this.note('pause', { where, seconds: round(silent) })
    }
    if (!this.keys) this.keysSince = now
    this.keys++
    this.where = where
    this.typedAt = now
    this.moved()
  }

  /** The keys so far become a row. */
  endTyping(): void {
    if (!this.keys) return
    const { where, keys, keysSince, typedAt } = this
    this.keys = 0
    this.note('typing', { where, keys, from: round(keysSince), to: round(Math.min(typedAt, keysSince + SPAN_SECONDS)) })
  }

  /** Notes that the player did anything at all. */
  moved(): void {
    const now = this.now()
    const since = this.activeSince
    if (since !== null && now - this.movedAt > IDLE_SECONDS) this.endActive()
    else if (since !== null && now - since >= BEAT_SECONDS) {
      // A long time is told in parts, so that a page that is lost takes little with it.
      this.movedAt = now
      this.endActive()
    }
    this.activeSince ??= now
    this.movedAt = now
  }

  endActive(): void {
    if (this.activeSince === null) return
    this.note('active', { from: round(this.activeSince), to: round(this.movedAt) }, this.movedAt)
    this.activeSince = null
  }

  /** Nothing is under way any more: what was done so far becomes rows. */
  rest(): void {
    this.endTyping()
    this.endActive()
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

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Logs what happens to the page until the returned function is called. */
export function watchPage(log: ClientLog): () => void {
  watched.add(log)
  const timer = setInterval(() => void log.flush(), FLUSH_MS)
  const moved = (): void => log.moved()
  const focus = (): void => log.note('focus')
  const blur = (): void => {
    log.rest()
    log.note('blur')
  }
  const hidden = (): void => {
    if (document.visibilityState !== 'hidden') return
    log.rest()
    void log.flush(true)
  }
  window.addEventListener('focus', focus)
  window.addEventListener('blur', blur)
  window.addEventListener('pointerdown', moved, { passive: true })
  window.addEventListener('keydown', moved, { passive: true })
  document.addEventListener('visibilitychange', hidden)
  return () => {
    watched.delete(log)
    clearInterval(timer)
    window.removeEventListener('focus', focus)
    window.removeEventListener('blur', blur)
    window.removeEventListener('pointerdown', moved)
    window.removeEventListener('keydown', moved)
    document.removeEventListener('visibilitychange', hidden)
    log.rest()
    void log.flush(true)
  }
}
