// What the members of a room show each other at the moment: drafts, rows, phrases, and what the computer does. It goes
// through the room's socket, and nothing of it is kept.

import type { Phrase } from '../api'
import { withLists } from '../values'
import type { DraftAnswer, MemberSignal, PartnerAnswer, PointedRow, SocketPartner, SocketSignals } from '../wire'

/** At most one signal is sent in so many milliseconds; what changes meanwhile goes with the next one. */
export const SEND_MS = 250
/** For how long somebody counts as typing after a key, and the caret of their draft blinks. */
const TYPING_MS = 6_000
/** For how long a phrase is shown. */
const SAID_MS = 8_000
/** How long a draft may be that is shown to others; the server shows no longer ones. */
const DRAFT_CHARS_MAX = 200
/** How many values a row's run may have, and how long they may be, so that it can be pointed at. */
const VALUES_MAX = 30
/** How many cells an array among them may have. */
const CELLS_MAX = 60
const VALUE_CHARS_MAX = 40

export type Said = { readonly player: string; readonly phrase: Phrase; readonly key: string }

export class Live {
  /** What each of the others shows. */
  signals = $state.raw<ReadonlyMap<string, MemberSignal>>(new Map())
  /** Those of them who typed something a moment ago. */
  typing = $state.raw<ReadonlySet<string>>(new Set())
  /** What was said a moment ago, the newest last. */
  said = $state.raw<readonly Said[]>([])
  partner = $state.raw<PartnerAnswer | null>(null)
  /** The row at which this player points. */
  row = $state.raw<PointedRow | null>(null)

  private send: ((text: string) => void) | null = null
  private draft: DraftAnswer | null = null
  private phrase: Phrase | null = null
  private isHeard = false
  private showsDrafts = true
  private sent = ''
  private timer: ReturnType<typeof setTimeout> | null = null
  private readonly resting = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly heard = new Map<string, number>()

  /** The socket was opened or closed. After it was opened, the server tells again what everybody shows. */
  connected = (send: ((text: string) => void) | null): void => {
    this.send = send
    this.sent = ''
    this.signals = new Map()
    if (!send) this.partner = null
    this.schedule()
  }

  receive = (message: SocketSignals | SocketPartner): void => {
    if (message.type === 'partner') {
      this.partner = message.partner
      return
    }
    const signals = new Map(this.signals)
    for (const signal of message.signals) {
      if (signal.draft && signal.draft.text !== signals.get(signal.player)?.draft?.text) this.types(signal.player)
      if (!signal.draft) this.rests(signal.player)
      if (signal.said && signal.said.number !== this.heard.get(signal.player)) {
        this.heard.set(signal.player, signal.said.number)
        this.hear(signal.player, signal.said.phrase)
      }
      signals.set(signal.player, signal)
    }
    this.signals = signals
  }

  private types(player: string): void {
    clearTimeout(this.resting.get(player))
    this.resting.set(
      player,
      setTimeout(() => this.rests(player), TYPING_MS),
    )
    this.typing = new Set([...this.typing, player])
  }

  private rests(player: string): void {
    clearTimeout(this.resting.get(player))
    this.resting.delete(player)
    if (this.typing.has(player)) this.typing = new Set([...this.typing].filter((typing) => typing !== player))
  }

  private hear(player: string, phrase: Phrase): void {
    const said = { player, phrase, key: `${player} ${this.heard.get(player) ?? 0} ${Date.now()}` }
    this.said = [...this.said.filter((earlier) => earlier.player !== player), said].slice(-4)
    setTimeout(() => (this.said = this.said.filter((earlier) => earlier !== said)), SAID_MS)
  }

  /** Whether anybody is there to see what this player shows, and whether they show what they type. */
  audience(isHeard: boolean, showsDrafts: boolean): void {
    this.isHeard = isHeard
    this.showsDrafts = showsDrafts
    this.schedule()
  }

  /** What this player types for a loop; an empty text is no draft. */
  shows(loop: number, text: string): void {
    const shown = text.trim()
    this.draft = shown && shown.length <= DRAFT_CHARS_MAX ? { loop, text: shown } : null
    this.schedule()
  }

  /** Point at a row, or at none. */
  point(row: PointedRow | null): void {
    this.row = row && canBeShown(row) ? row : null
    this.schedule()
  }

  say(player: string, phrase: Phrase): void {
    this.phrase = phrase
    this.heard.set(player, (this.heard.get(player) ?? 0) + 1)
    this.hear(player, phrase)
    this.schedule()
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer)
    for (const timer of this.resting.values()) clearTimeout(timer)
    this.send = null
  }

  private schedule(): void {
    if (this.timer) return
    this.timer = setTimeout(() => {
      this.timer = null
      this.tell()
    }, SEND_MS)
  }

  private tell(): void {
    if (!this.send) return
    const state = {
      draft: this.isHeard && this.showsDrafts ? this.draft : null,
      row: this.isHeard && this.row ? { ...this.row, inputs: withLists(this.row.inputs) } : null,
    }
    const text = JSON.stringify(state)
    if (!this.phrase && text === (this.sent || JSON.stringify({ draft: null, row: null }))) return
    this.send(this.phrase ? JSON.stringify({ ...state, phrase: this.phrase }) : text)
    this.sent = text
    this.phrase = null
  }
}

function canBeShown({ inputs, choices = [] }: PointedRow): boolean {
  const held = Object.values(withLists(inputs))
  const values = [...Object.keys(inputs), ...held.flat(), ...choices.flat()]
  const parts = [held.length, choices.length, ...choices.map((choice) => choice.length)]
  if (held.some((value) => typeof value !== 'string' && value.length > CELLS_MAX)) return false
  return values.every((value) => value.length <= VALUE_CHARS_MAX) && parts.every((count) => count <= VALUES_MAX)
}
