// What the server sends and takes: the types of its answers that the client uses. Numbers of programs are strings.

import type { Type } from './core'

/** Offsets count code points; core's fromCodePoints converts them. */
export type Where = { readonly line: number; readonly column: number; readonly start: number; readonly end: number }
export type Place = { readonly text: string; readonly where: Where }
export type Typed = { readonly name: string; readonly type: Type }
export type Variant = 'code' | 'trace'
export type Values = Readonly<Record<string, string>>

export type Problem = {
  readonly code: string
  readonly message: string
  readonly where?: Partial<Where>
  readonly hint?: string
}
/** The one shape of errors. */
export type ApiProblem = {
  readonly code: string
  readonly message: string
  readonly where: (Partial<Where> & { readonly field?: string }) | null
  readonly hint: string
  readonly problems?: readonly Problem[] | null
}

export type Player = { readonly player: string; readonly name: string; readonly agent: boolean }
export type PlayerToken = Player & { readonly token: string }
export type CodeView = { readonly code: string; readonly expires?: number | null }

export type Medal = 'fewest-invariants' | 'fewest-proposals' | 'no-hint'
export type Earned = { readonly coins: number; readonly gem: boolean; readonly medals: readonly Medal[] }
export type Score = Earned & { readonly spent: number }
export type Total = { readonly coins: number; readonly gems: number; readonly medals: number }
export type Scores = {
  readonly levels: Readonly<Record<string, Score>>
  readonly programs: Readonly<Record<string, Score>>
  readonly total: Total
}

export type World = { readonly id: string; readonly title: string; readonly text: string }
export type LevelEntry = {
  readonly level: string
  readonly title: string
  readonly world: string
  readonly difficulty: number
  readonly story: string
  readonly loops: number
  readonly program: string
}
export type Levels = { readonly worlds: readonly World[]; readonly levels: readonly LevelEntry[] }

export type Loop = {
  readonly number: number
  readonly outer: number | null
  readonly columns: readonly Typed[]
  readonly where: Where
  readonly test: Place
  readonly body: Where
}
export type Program = {
  readonly program: string
  readonly title: string
  readonly source: string
  readonly level: string | null
  readonly params: readonly Typed[]
  readonly assigned_params: readonly string[]
  readonly chooses: boolean
  readonly helpers: readonly string[]
  readonly loops: readonly Loop[]
  readonly guarantee: { readonly expressions: readonly Place[]; readonly where: Where }
  readonly pres: readonly Place[]
  readonly guarantee_text: string
  readonly inputs: Values
  /** Of levels only. */
  readonly story?: string
  readonly difficulty?: number
  readonly world?: string
  readonly tries?: readonly Values[]
}

export type Outcome = {
  readonly kind: 'returned' | 'failed' | 'bound' | 'ignored'
  readonly message: string
  readonly value?: string | null
  readonly cause?: string
  readonly where?: Where
  /** Of the variables in what failed. */
  readonly values?: Values
}
export type LoopRows = {
  readonly loop: number
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly rows_total: number
}
export type TraceRun = {
  readonly inputs: Values
  readonly seed?: number
  readonly outcome: Outcome
  readonly printed: readonly unknown[]
  readonly loops: readonly LoopRows[]
}
/** What `GET /api/programs/{hash}`, `GET /api/levels/{id}` and `POST /api/programs` give. */
export type ProgramWithTrace = Program & { readonly trace: TraceRun }

export type Kind =
  'type-tautology' | 'displaced' | 'displaced-potential' | 'non-invariant' | 'inductive' | 'potential' | 'unknown'
export type Fact = { readonly loop: number; readonly expression: string }
export type OwnedFact = Fact & { readonly player?: string | null }
export type Removal = Fact & { readonly by: readonly Fact[] }
export type StateToRuleOut = {
  readonly loop: number
  readonly values: Values
  readonly cause: string
  readonly where: Where
  readonly inside: boolean
}
export type Feedback = {
  readonly solved: boolean
  readonly potential_suffices: boolean
  readonly state: StateToRuleOut | null
  readonly failing?: { readonly inputs: Values; readonly seed: number; readonly cause: string; readonly where: Where }
  readonly too_large?: string
  readonly message: string
}
/** What the built-in agent makes of a program. */
export type Assessment = { readonly rounds: number; readonly invariants: number } & (
  | { readonly outcome: 'solved'; readonly degree: number; readonly difficulty: number }
  | { readonly outcome: 'refuted'; readonly run: { readonly inputs: Values; readonly seed: number } }
  | { readonly outcome: 'open'; readonly feedback: Feedback }
)
export type Transition = {
  readonly loop: number
  readonly before: Values
  readonly after: Values
  readonly at_entry: boolean
}
export type Run = {
  readonly inputs: Values
  readonly seed: number
  readonly row: number
  readonly columns: readonly string[]
  readonly first_row: number
  readonly rows: readonly (readonly string[])[]
}
type Books = {
  readonly promoted: readonly Fact[]
  readonly removed: readonly Removal[]
  readonly inductive: readonly Fact[]
  readonly potential: readonly Fact[]
  readonly solved: boolean
  readonly feedback: Feedback
  /** No verdict within the server's limits. */
  readonly limited?: 'time' | 'memory' | 'died' | 'error'
}
export type Verdict = Books &
  Fact & {
    readonly kind: Kind
    readonly message: string
    readonly implied_by?: readonly Fact[]
    readonly run?: Run
    readonly transition?: Transition
    readonly tried?: readonly string[]
  }
/** Many proposals at once, as agents make them. */
export type BatchVerdict = Books & { readonly kinds: readonly (Fact & { readonly kind: Kind })[] }
export type Breaking = Fact & { readonly transition: Transition | null; readonly message: string }

type EventHead = {
  readonly number: number
  readonly player: string | null
  readonly time: number
  readonly request?: string | null
  readonly answers?: number | null
}
type EventOf<K extends string, B> = EventHead & { readonly kind: K; readonly body: B }
export type RoomEvent =
  | EventOf<'loaded', { readonly level: string | null; readonly program: string }>
  | EventOf<'joined', object>
  | EventOf<'left', object>
  | EventOf<
      'proposed',
      (Fact & { readonly text: string }) | { readonly proposals: readonly Fact[]; readonly imported?: boolean }
    >
  | EventOf<'judged', Verdict | BatchVerdict>
  | EventOf<'solved', { readonly credited: readonly string[]; readonly inductive: readonly Fact[] }>
  | EventOf<'feedback', Feedback>
  | EventOf<'transition', Breaking>
  | EventOf<'hint', Hint>
  | EventOf<'reset', { readonly feedback: Feedback }>
  | EventOf<'traced', { readonly inputs: Values; readonly loop: number | null; readonly seed: number }>
export type EventWith<K extends RoomEvent['kind']> = Extract<RoomEvent, { kind: K }>

export type HintStep = 'variable' | 'together' | 'shape' | 'template' | 'invariant'
export type HintShape = 'equation' | 'bound' | 'remainder' | 'different' | 'condition' | 'cases' | 'power' | 'fact'
type HintOf<S extends HintStep, T> = T & {
  readonly step: S
  readonly loop: number
  readonly left: number
  readonly coins: number
}
/** One step towards a fact that helps; `left` more follow about the same fact. */
export type Hint =
  | HintOf<'variable', { readonly variable: string }>
  | HintOf<'together', { readonly variables: readonly string[] }>
  | HintOf<'shape', { readonly shape: HintShape; readonly degree: number }>
  | HintOf<'template', { readonly template: string }>
  | HintOf<'invariant', { readonly expression: string }>

export type Member = {
  readonly player: string
  readonly name: string
  readonly agent: boolean
  readonly here: boolean
  readonly left: boolean
}
export type Room = {
  readonly room: string
  readonly code: string | null
  readonly program: string
  readonly level: string | null
  readonly variant: Variant
  readonly owner: string
  readonly engine: string
  readonly version: number
  readonly last_event: number
  readonly inductive: readonly OwnedFact[]
  readonly potential: readonly OwnedFact[]
  readonly solved: boolean
  readonly feedback: Feedback
  readonly hints: readonly Hint[]
  readonly hint_coins: Readonly<Record<HintStep, number>>
  readonly members: readonly Member[]
}
/** Everything for a level, in one answer. */
export type OpenedRoom = {
  readonly room: Room
  readonly program: Program
  readonly trace: TraceRun
  readonly player: Player
  readonly score: Score
}
export type ListedRoom = {
  readonly room: string
  readonly code: string | null
  readonly program: string
  readonly level: string | null
  readonly variant: Variant
  readonly time: number
  readonly solved: boolean
  readonly version: number
}
export type Judged = { readonly event: EventWith<'judged'>; readonly earned: Earned; readonly score: Score }
export type History = { readonly events: readonly RoomEvent[]; readonly last_event: number }
export type Obligation = {
  readonly cause: string
  readonly where: Where
  readonly function: string
  readonly status: 'proved' | 'refuted' | 'unknown'
  readonly uses: readonly Fact[]
}
export type Explanation = {
  readonly solved: boolean
  readonly obligations: readonly Obligation[]
  readonly message: string
}

export type LogKind =
  'focus' | 'blur' | 'typing' | 'pause' | 'active' | 'screen' | 'tutorial' | 'setting' | 'error' | 'answer'
export type LogRow = {
  readonly kind: LogKind
  readonly time: number
  readonly body: Readonly<Record<string, string | number | boolean>>
}

/** The file of `GET /api/players/me/progress`, taken back by POST. */
export type ProgressFile = Readonly<Record<string, unknown>> & { readonly format: 'idg-progress'; readonly version: 1 }
export type ImportedRoom = {
  readonly room: string
  readonly level: string | null
  readonly program: string
  readonly kinds: readonly (Fact & { readonly kind: Kind })[]
  readonly solved: boolean
}

/** What comes through a room's WebSocket. */
export type SocketMessage =
  { readonly type: 'event'; readonly event: RoomEvent } | { readonly type: 'here'; readonly members: readonly Member[] }
