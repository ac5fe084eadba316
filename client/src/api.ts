// Names for parts of what the server answers (wire.ts), and what the client sends.

import type {
  GivenHint,
  PartnerAnswer,
  ProposalAnswer,
  RoomAnswer,
  RoomEvent,
  SaidPhrase,
  Score,
  SocketEvent,
  SocketMembers,
  SocketPartner,
  SocketSignals,
  TraceAnswer,
} from './wire'

/** The two ways to play: with the program in view, or with its trace only. */
export type Variant = RoomAnswer['variant']
/** The name of a variable → its value, as a text. */
export type Values = Readonly<Record<string, string>>
/** The first choices of a run, in order: the values of each declaration without a value and of each cassign. */
export type Choices = readonly (readonly string[])[]
/** What a proposal turned out to be. */
export type Kind = ProposalAnswer['kind']
export type Medal = Score['medals'][number]
/** The steps of a hint, each of which says more than the one before. */
export type HintStep = GivenHint['step']
/** What the computer does as a partner in a room. */
export type PartnerMode = PartnerAnswer['mode']
/** What members of a room can say with one click. */
export type Phrase = SaidPhrase['phrase']
/** How a run ended. */
export type Outcome = TraceAnswer['outcome']
/** An event of this kind. */
export type EventWith<K extends RoomEvent['kind']> = Extract<RoomEvent, { kind: K }>
/**
 * Where the inputs of a run come from: the player typed them, they are the program's own, a verdict or the choices of
 * the program offered them, or a run is shown again. In a study only typed ones are requests.
 */
export type TraceOrigin = 'typed' | 'default' | 'tried' | 'restored'
/** What comes through a room's WebSocket. */
export type SocketMessage = SocketEvent | SocketMembers | SocketSignals | SocketPartner

export type LogKind =
  'focus' | 'blur' | 'typing' | 'pause' | 'active' | 'screen' | 'tutorial' | 'setting' | 'error' | 'shown'
/** A row of the client's log. The time is in seconds since 1970. */
export type LogRow = {
  readonly kind: LogKind
  readonly time: number
  readonly body: Readonly<Record<string, string | number | boolean>>
}

/** The file of `GET /api/players/me/progress`, which `POST` takes back. The client does not look into it. */
export type ProgressFile = Readonly<Record<string, unknown>> & { readonly format: 'idg-progress'; readonly version: 1 }
