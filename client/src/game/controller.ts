// One game: the requests, the room's socket and the local save around the reducer. Components show `state` and call
// methods.

import type { Choices, TraceOrigin, Values } from '../api'
import type { Fact, OpenedRoom, RoomEvent, SocketPartner, SocketSignals, TraceAnswer } from '../wire'
import type * as Net from '../net'
import { inputsToKeep, type GameEvent, opened, reduce } from './reducer'
import { canBeRun, keptRuns, runKey, type RunStart, shownRun } from './board/runs'
import { type LocalRoom, localRoomKey } from './save'
import { type Asking, defaultInputs, type GameState, isShared, sameFact, type Trouble } from './state'

/** How many rows of a trace are asked for at first; more than a player looks through, and quick to send. */
const FIRST_ROWS_MAX = 1_000
/** How many rows are asked for when the player wants to see all of them: the most that the server gives. */
const ALL_ROWS_MAX = 100_000
/** How many events from before this page was opened are asked for. */
const HISTORY_EVENTS = 200

/** What a game needs of the rest of the client. Tests give their own. */
export type Services = {
  readonly net: typeof Net
  readonly localRoom: (key: string) => LocalRoom
  readonly keepLocalRoom: (key: string, localRoom: LocalRoom) => void
  readonly onScore: () => void
  /** Hears what the others show and what the computer does, and tells what this player shows. */
  readonly live?: {
    readonly receive: (message: SocketSignals | SocketPartner) => void
    readonly connected: (send: ((text: string) => void) | null) => void
  }
}

type StateListener = (state: GameState) => void
type AskingOf<W> = Extract<Asking, { what: W }>

export class Game {
  state: GameState
  private readonly key: string
  private readonly listeners = new Set<StateListener>()
  private readonly stopFollowing: () => void
  private abort = new AbortController()
  private traceAbort = new AbortController()
  private readonly closing = new AbortController()
  /** The keys of the kept runs whose rows were asked for. */
  private readonly fetched = new Set<string>()
  private boardAsked = -1
  private rowsMax = FIRST_ROWS_MAX

  constructor(
    openedRoom: OpenedRoom,
    private readonly services: Services,
  ) {
    this.key = localRoomKey(openedRoom.room)
    const localRoom = services.localRoom(this.key)
    this.state = opened(openedRoom, localRoom)
    this.stopFollowing = services.net.follow(this.state.room, {
      after: () => this.state.lastEvent,
      onConnection: (connection) => this.dispatch({ type: 'connection', connection }),
      onSocket: (send) => services.live?.connected(send),
      onMessage: (message) => {
        if (message.type === 'signals' || message.type === 'partner') {
          services.live?.receive(message)
          return
        }
        this.dispatch(
          message.type === 'event'
            ? { type: 'happened', event: message.event }
            : { type: message.type, members: message.members },
        )
        if (message.type === 'event') this.after(message.event)
      },
    })
    if (localRoom.inputs) void this.showRun({ inputs: localRoom.inputs, seed: 0, choices: [] })
    else if (openedRoom.trace.loops.some(services.net.lacksFew)) void this.showWhole(openedRoom.trace.inputs)
    if (isShared(this.state) || openedRoom.room.last_event > 1) void this.fetchHistory()
    void this.fetchBoard()
  }

  subscribe(listener: StateListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    this.stopFollowing()
    this.closing.abort()
    this.abort.abort()
    this.traceAbort.abort()
    this.listeners.clear()
  }

  private dispatch(event: GameEvent): void {
    const before = this.state
    this.state = reduce(before, event)
    if (this.state === before) return
    this.keep(before)
    for (const listener of this.listeners) listener(this.state)
    if (this.state.booksEvent !== before.booksEvent) void this.fetchBoard()
    if (this.state.events !== before.events) this.fetchKeptRuns()
  }

  /** What other players' events change and do not tell: the score of everybody who has a part in a proof. */
  private after(event: RoomEvent): void {
    if (event.kind === 'rejudged' || event.kind === 'solved' || event.kind === 'ended') void this.fetchScore()
  }

  /** Keeps what the player has typed or chosen, as soon as it changes. */
  private keep(before: GameState): void {
    const { drafts, loop, history, columns, trace } = this.state
    const same =
      drafts === before.drafts &&
      loop === before.loop &&
      history === before.history &&
      columns === before.columns &&
      trace.run === before.trace.run
    if (!same)
      this.services.keepLocalRoom(this.key, {
        drafts,
        loop,
        history,
        columns,
        inputs: inputsToKeep(this.state),
        used: Date.now(),
      })
  }

  // What the player does without the server

  type(text: string): void {
    this.dispatch({ type: 'typed', loop: this.state.loop, text })
  }

  chooseLoop(loop: number): void {
    this.dispatch({ type: 'loop-chosen', loop })
  }

  chooseColumns(columns: readonly string[]): void {
    this.dispatch({ type: 'columns-chosen', columns })
  }

  showFeedback(): void {
    this.dispatch({ type: 'show-feedback' })
  }

  /** Shows the proof of a goal that is proved already. */
  showWin(): void {
    this.dispatch({ type: 'win-shown' })
  }

  /** Goes back from the proved goal to the board. */
  leaveWin(): void {
    this.dispatch({ type: 'win-left' })
  }

  /** Shows the step that breaks this waiting fact as the ghost B, where one is known. */
  chooseStep(fact: Fact): void {
    this.dispatch({ type: 'step-chosen', fact })
  }

  // Questions to the server

  /**
   * Asks one question at a time: a new one aborts the request of the one before. A proposal whose request was aborted
   * is judged all the same, and its verdict comes through the socket.
   */
  private async ask(asking: Asking, answer: (options: Net.RequestOptions) => Promise<GameEvent>): Promise<void> {
    this.abort.abort()
    this.abort = new AbortController()
    const { signal } = this.abort
    this.dispatch({ type: 'asked', asking })
    const onWait = ({ problem, seconds }: Net.Waiting): void =>
      this.dispatch({ type: 'waiting', id: asking.id, trouble: { problem, retrySeconds: seconds } })
    try {
      this.dispatch(await answer({ signal, onWait }))
    } catch (error) {
      if (signal.aborted) return
      this.dispatch({ type: 'refused', id: asking.id, trouble: this.trouble(error) })
    }
  }

  /** Why there is no answer, as data. An error that is not a failed request is a bug and is thrown again. */
  private trouble(error: unknown): Trouble {
    if (!(error instanceof this.services.net.NetError)) throw error
    return { problem: error.problem, retrySeconds: error.retryAfterSeconds }
  }

  /** A fresh request id, with the version of the game that the question is about. */
  private id(): { id: string; version: number } {
    return { id: this.services.net.newRequestId(), version: this.state.version }
  }

  /** Proposes a fact. While another one is judged it waits for its turn; the same one is not proposed twice. */
  async propose(text: string, canonical: string): Promise<void> {
    const { asking, queue, loop } = this.state
    const fact = { loop, expression: canonical }
    if (asking?.what !== 'proposal') return this.send({ what: 'proposal', ...this.id(), fact, text })
    if (![asking, ...queue].some((waiting) => sameFact(waiting.fact, fact)))
      this.dispatch({ type: 'queued', fact, text })
  }

  private async send(asking: AskingOf<'proposal'>): Promise<void> {
    await this.ask(asking, async (options) => {
      const { event, earned, score } = await this.services.net.propose(this.state.room, asking.fact, asking.id, options)
      return { type: 'judged', id: asking.id, event, earned, score }
    })
    this.services.onScore()
    const next = this.state.asking ? undefined : this.state.queue[0]
    if (!next) return
    this.dispatch({ type: 'next-sent' })
    await this.send({ what: 'proposal', ...this.id(), ...next })
  }

  why(fact: Fact): Promise<void> {
    const asking = { what: 'transition', ...this.id(), fact: { loop: fact.loop, expression: fact.expression } } as const
    return this.ask(asking, async (options) =>
      this.answered(asking, await this.services.net.transition(this.state.room, asking.fact, options)),
    )
  }

  anotherState(): Promise<void> {
    const asking = { what: 'state', ...this.id() } as const
    return this.ask(asking, async (options) =>
      this.answered(asking, await this.services.net.anotherState(this.state.room, options)),
    )
  }

  explain(): Promise<void> {
    const asking = { what: 'explanation', ...this.id() } as const
    return this.ask(asking, async (options) => {
      return {
        type: 'explained',
        id: asking.id,
        explanation: await this.services.net.explanation(this.state.room, options),
      }
    })
  }

  /** Asks for the next step of a hint, which costs coins. */
  async hint(): Promise<void> {
    const asking = { what: 'hint', ...this.id() } as const
    await this.ask(asking, async (options) =>
      this.answered(asking, await this.services.net.hint(this.state.room, options)),
    )
    this.services.onScore()
  }

  reset(): Promise<void> {
    const asking = { what: 'reset', ...this.id() } as const
    return this.ask(asking, async (options) =>
      this.answered(asking, await this.services.net.resetRoom(this.state.room, options)),
    )
  }

  private answered(asking: Asking, event: RoomEvent): GameEvent {
    return { type: 'answered', id: asking.id, event }
  }

  /** Asks again what failed. A proposal keeps its request id, so that the server does not judge it twice. */
  retry(): void {
    const { topic } = this.state
    if (topic.about === 'verdict' || topic.about === 'measure' || topic.about === 'endless') {
      void this.propose(topic.verdict.expression, topic.verdict.expression)
      return
    }
    const doing = topic.about === 'trouble' ? topic.doing : null
    if (doing?.what === 'proposal') void this.send({ ...doing, version: this.state.version })
    else if (doing?.what === 'transition') void this.why(doing.fact)
    else if (doing?.what === 'explanation') void this.explain()
    else if (doing?.what === 'reset') void this.reset()
    else if (doing?.what === 'hint') void this.hint()
    else void this.anotherState()
  }

  stopWaiting(): void {
    this.abort.abort()
    this.dispatch({ type: 'stopped-waiting' })
  }

  // Traces

  /** Runs the program. The `choices` are those that a refuting run made; without them the seed alone decides. */
  async run(inputs: Values, origin: TraceOrigin, seed = 0, choices: Choices = []): Promise<void> {
    this.traceAbort.abort()
    this.traceAbort = new AbortController()
    const { signal } = this.traceAbort
    const id = this.services.net.newRequestId()
    this.dispatch({ type: 'trace-asked', id })
    try {
      const query = { inputs, seed, choices, room: this.state.room, origin }
      const options = { signal, onWait: () => {} }
      const run = await this.services.net.trace(this.state.program.program, query, options, this.rowsMax)
      this.dispatch({ type: 'traced', id, run, seed, choices })
    } catch (error) {
      if (!signal.aborted) this.dispatch({ type: 'trace-refused', id, trouble: this.trouble(error) })
    }
  }

  /**
   * Shows a run in the table. Nobody asked for a new run, so the room's log does not hear of it. The rows of kept runs
   * are here already, mostly.
   */
  async showRun(start: RunStart): Promise<void> {
    const key = runKey(start)
    const known = this.state.traces[key] ?? (await this.fetchRun(start, key))
    if (known) this.dispatch({ type: 'run-shown', run: known, seed: start.seed, choices: start.choices })
  }

  /** Shows the run that the room was opened with, as soon as its last rows are here. */
  private async showWhole(inputs: Values): Promise<void> {
    const start: RunStart = { inputs, seed: 0, choices: [] }
    const run = await this.fetchRun(start, runKey(start))
    if (run && !this.state.trace.asking && shownRun(this.state).key === runKey(start))
      this.dispatch({ type: 'run-shown', run, seed: start.seed, choices: start.choices })
  }

  private async fetchRun(start: RunStart, key: string): Promise<TraceAnswer | null> {
    const options = { signal: this.closing.signal, onWait: () => {} }
    try {
      const run = await this.services.net.trace(
        this.state.program.program,
        { inputs: start.inputs, seed: start.seed, choices: start.choices },
        options,
        FIRST_ROWS_MAX,
      )
      this.dispatch({ type: 'run-known', key, run })
      return run
    } catch (error) {
      if (!this.closing.signal.aborted) this.trouble(error)
      return null
    }
  }

  /** Fetches the rows of the runs that refuted something, so that drafts are tested on all of them. */
  private fetchKeptRuns(): void {
    for (const kept of keptRuns(this.state.events)) {
      if (this.fetched.has(kept.key) || !canBeRun(kept)) continue
      this.fetched.add(kept.key)
      void this.fetchRun(kept, kept.key)
    }
  }

  defaultTrace(): Promise<void> {
    this.rowsMax = FIRST_ROWS_MAX
    return this.run(defaultInputs(this.state), 'default')
  }

  /** Asks for as many rows as the server gives. */
  moreRows(): Promise<void> {
    this.rowsMax = ALL_ROWS_MAX
    const { run, seed, choices } = this.state.trace
    return this.run(run.inputs, 'restored', seed, choices)
  }

  // Rooms

  /** Makes the code by which others can join, and returns it. */
  async share(): Promise<string> {
    const { code } = await this.services.net.shareRoom(this.state.room)
    this.dispatch({ type: 'shared', code })
    return code
  }

  /** Fetches what happened in the room before this page was opened. */
  async fetchHistory(): Promise<void> {
    try {
      const after = Math.max(0, this.state.lastEvent - HISTORY_EVENTS)
      const { events } = await this.services.net.history(this.state.room, after, HISTORY_EVENTS)
      for (const event of events) this.dispatch({ type: 'happened', event })
      this.remind(events)
    } catch (error) {
      this.trouble(error)
    }
  }

  /** Tells that the room was judged again, where the player has done nothing in it since. */
  private remind(events: readonly RoomEvent[]): void {
    const event = events.findLast(({ kind }) => kind === 'rejudged')
    if (event?.kind !== 'rejudged') return
    const { player } = this.state.player
    if (!events.some((later) => later.number > event.number && later.player === player))
      this.dispatch({ type: 'reminded', event })
  }

  /**
   * Fetches what the facts carry and wait for. It can be slow, so the game goes on without it. An answer about older
   * books is followed by a new question.
   */
  private async fetchBoard(): Promise<void> {
    if (this.state.variant === 'trace' || this.boardAsked >= 0) return
    this.boardAsked = this.state.booksEvent
    const options = { signal: this.closing.signal, onWait: () => {} }
    try {
      const board = await this.services.net.board(this.state.room, options)
      if (this.boardAsked === this.state.booksEvent) this.dispatch({ type: 'board', event: this.boardAsked, board })
    } catch (error) {
      if (!this.closing.signal.aborted) this.trouble(error)
      return
    } finally {
      const asked = this.boardAsked
      this.boardAsked = -1
      if (asked !== this.state.booksEvent && !this.closing.signal.aborted) void this.fetchBoard()
    }
  }

  /** Fetches the score of this program, because an event that nobody caused has changed it. */
  private async fetchScore(): Promise<void> {
    const { level, program } = this.state
    try {
      const { levels, programs } = await this.services.net.scores()
      const score = level ? levels[level] : programs[program.program]
      if (score) this.dispatch({ type: 'scored', score })
    } catch (error) {
      this.trouble(error)
    }
    this.services.onScore()
  }
}
