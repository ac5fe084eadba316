// Every network call of the client. A request that is made again after a failure carries the same request id, so that
// the server does nothing twice.

import type { Choices, EventWith, LogRow, SocketMessage, TraceOrigin, Values, Variant } from './api'
import type {
  BoardAnswer,
  CodeAnswer,
  DailyAnswer,
  ErrorAnswer,
  EventPage,
  Explanation,
  Fact,
  JudgedMove,
  LevelList,
  LoopTrace,
  OpenedRoom,
  PlayerScores,
  PlayerToken,
  ProgramAnswer,
  RoomAnswer,
  RoomList,
  TraceAnswer,
} from './wire'
import { withLists, withTexts } from './values'

/** How often a patient request is tried again while the server is busy, full or limits the rate. */
const RETRIES_MAX = 6
/** The pause before the first retry, in milliseconds. Each further pause is twice as long as the one before … */
const BACK_OFF_FIRST_MS = 500
/** … but no longer than this. */
const BACK_OFF_MOST_MS = 15_000
/** The codes of failures after which a patient request is tried again. */
const RETRIED_CODES = new Set(['busy', 'too-fast', 'full', 'store-unavailable', 'gone'])
/** Those of them that can last for long: there is no last try, and a proposal waits until the server can take it. */
const LASTING_CODES = new Set(['store-unavailable', 'gone'])

/**
 * Why there is no answer. The code `gone` means that the server could not be reached. All other codes are the server's;
 * docs/api.md lists them.
 */
export class NetError extends Error {
  readonly code: string
  constructor(
    readonly problem: ErrorAnswer,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(problem.message)
    this.code = problem.code
  }
}

export type Waiting = { readonly problem: ErrorAnswer; readonly seconds: number }
export type RequestOptions = {
  /**
   * Whether to try again when the server is gone, cannot save, is busy or limits the rate. While the server is gone or
   * cannot save there is no last try.
   */
  readonly patient?: boolean
  readonly signal?: AbortSignal
  /** Called before each pause between two tries. */
  readonly onWait?: (waiting: Waiting) => void
  /** The page is closing, so the browser must send the request by itself. */
  readonly last?: boolean
}

const randomId = (): string => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(36)).join('')

/** Under which name a tab keeps its session. */
const SESSION_KEY = 'idg.session'

/** Names this tab in the server's log: the name stays when the page is loaded again, and each tab has its own. */
export const SESSION = sessionName()

function sessionName(): string {
  const name = randomId()
  try {
    const kept = sessionStorage.getItem(SESSION_KEY)
    if (kept && /^[A-Za-z0-9_-]{1,64}$/.test(kept)) return kept
    sessionStorage.setItem(SESSION_KEY, name)
  } catch {
    // The browser forbids storage, or there is none: the name lasts as long as the page.
  }
  return name
}
export const newRequestId = (): string => `c-${randomId()}`

const GONE: ErrorAnswer = { code: 'gone', message: 'the server cannot be reached', where: null, hint: '' }

async function once<T>(method: string, path: string, body: unknown, options: RequestOptions): Promise<T> {
  const headers: Record<string, string> = { 'X-IDG-Session': SESSION }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const init: RequestInit = { method, headers, signal: options.signal ?? null, keepalive: options.last ?? false }
  if (body !== undefined) init.body = JSON.stringify(body)
  let response: Response
  let text: string
  try {
    response = await fetch(`/api${path}`, init)
    text = await response.text()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new NetError(GONE)
  }
  const answer = parse(text)
  if (response.ok && answer !== undefined) return answer as T
  const after = Number(response.headers.get('Retry-After') ?? Number.NaN)
  throw new NetError(isProblem(answer) ? answer : GONE, Number.isFinite(after) ? after : null)
}

function parse(text: string): unknown {
  try {
    return withTexts(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

const isProblem = (value: unknown): value is ErrorAnswer =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as ErrorAnswer).code === 'string' &&
  typeof (value as ErrorAnswer).message === 'string'

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      window.removeEventListener('online', done)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    window.addEventListener('online', done, { once: true })
  })

const backOff = (tries: number): number => Math.min(BACK_OFF_MOST_MS, BACK_OFF_FIRST_MS * 2 ** tries)

/** A request to the API. Those of studies are in study/requests.ts, and those of classes in classes/calls.ts. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<T> {
  let stranger = false
  for (let tries = 0; ; tries++) {
    try {
      return await once<T>(method, path, body, options)
    } catch (error) {
      if (!(error instanceof NetError)) throw error
      if (error.code === 'wrong-token' && !stranger) {
        // The server no longer knows this browser's cookie. The browser becomes a new player.
        stranger = true
        await once<PlayerToken>('POST', '/players', {}, options)
        continue
      }
      const more = LASTING_CODES.has(error.code) || tries < RETRIES_MAX
      const again = options.patient && RETRIED_CODES.has(error.code) && more
      if (!again) throw error
      const ms = Math.max((error.retryAfterSeconds ?? 0) * 1000, backOff(tries))
      options.onWait?.({ problem: error.problem, seconds: ms / 1000 })
      await pause(ms, options.signal)
    }
  }
}

// Levels and programs

export const levels = (options?: RequestOptions): Promise<LevelList> =>
  request('GET', '/levels', undefined, { patient: true, ...options })
export const level = (id: string, options?: RequestOptions): Promise<ProgramAnswer> =>
  request('GET', `/levels/${id}`, undefined, { patient: true, ...options })
export const daily = (options?: RequestOptions): Promise<DailyAnswer> => request('GET', '/daily', undefined, options)

export type TraceQuery = {
  readonly inputs: Values
  readonly loop?: number
  readonly seed?: number
  readonly choices?: Choices
  readonly offset?: number
  readonly limit?: number
  readonly room?: string
  readonly origin?: TraceOrigin
}
const tracePage = (hash: string, query: TraceQuery, options?: RequestOptions): Promise<TraceAnswer> =>
  request(
    'POST',
    `/programs/${hash}/traces`,
    { ...query, inputs: withLists(query.inputs) },
    { patient: true, ...options },
  )

/** The most rows of a loop that the server tells at once. */
const TRACE_PAGE_ROWS_MAX = 10_000

/** Up to so many rows beyond those that were asked for come, too, if they are the last: 1,000 turns have 1,001 rows. */
const LAST_ROWS_MAX = 100

/** Whether only a few last rows of a loop are missing. */
export const lacksFew = ({ rows, rows_total: total }: LoopTrace): boolean =>
  rows.length < total && total - rows.length <= LAST_ROWS_MAX

/** A run with up to so many rows of each loop, or a few more if these are all, fetched page by page. */
export async function trace(
  hash: string,
  query: TraceQuery,
  options?: RequestOptions,
  rowsMax = TRACE_PAGE_ROWS_MAX,
): Promise<TraceAnswer> {
  const first = await tracePage(hash, { ...query, limit: Math.min(rowsMax, TRACE_PAGE_ROWS_MAX) }, options)
  const loops: LoopTrace[] = []
  for (const loop of first.loops) loops.push(await wholeLoop(hash, query, loop, rowsMax, options))
  return { ...first, loops }
}

async function wholeLoop(
  hash: string,
  query: TraceQuery,
  first: LoopTrace,
  rowsMax: number,
  options?: RequestOptions,
): Promise<LoopTrace> {
  const { room: _, origin: __, ...run } = query
  const rows = [...first.rows]
  const outerRows = [...(first.outer_rows ?? [])]
  const total = first.rows_total
  const most = rowsMax < TRACE_PAGE_ROWS_MAX ? rowsMax + LAST_ROWS_MAX : rowsMax
  const wanted = total <= most ? total : rowsMax
  while (rows.length < wanted) {
    const limit = Math.min(wanted - rows.length, TRACE_PAGE_ROWS_MAX)
    const page = await tracePage(hash, { ...run, loop: first.loop, offset: rows.length, limit }, options)
    const next = page.loops[0]
    if (!next || next.rows.length === 0) break
    rows.push(...next.rows)
    outerRows.push(...(next.outer_rows ?? []))
  }
  return { ...first, rows, ...(first.outer_rows ? { outer_rows: outerRows } : {}) }
}

// Rooms

export type RoomQuery = {
  readonly level?: string
  readonly program?: string
  readonly variant?: Variant
  readonly shared?: boolean
  readonly resume?: boolean
  /** A room of the tutorial of a study, which counts nowhere. */
  readonly purpose?: 'tutorial'
}
export const openRoom = (query: RoomQuery, options?: RequestOptions): Promise<OpenedRoom> =>
  request('POST', '/rooms', query, { patient: true, ...options })
export const joinRoom = (code: string, options?: RequestOptions): Promise<OpenedRoom> =>
  request('POST', '/rooms/join', { code }, { patient: true, ...options })
export const room = (id: string): Promise<RoomAnswer> => request('GET', `/rooms/${id}`)
export const rooms = (): Promise<RoomList> => request('GET', '/rooms')
export const shareRoom = (id: string): Promise<CodeAnswer> => request('POST', `/rooms/${id}/share`)
export const history = (id: string, after = 0, limit = 100): Promise<EventPage> =>
  request('GET', `/rooms/${id}/events?after=${after}&limit=${limit}`)
export const propose = (
  id: string,
  fact: Fact,
  requestId: string,
  options?: RequestOptions,
): Promise<JudgedMove & { readonly event: EventWith<'judged'> }> =>
  request('POST', `/rooms/${id}/proposals`, { ...fact, request: requestId }, { patient: true, ...options })
export const transition = (id: string, fact: Fact, options?: RequestOptions): Promise<EventWith<'transition'>> =>
  request('POST', `/rooms/${id}/transitions`, fact, { patient: true, ...options })
export const anotherState = (id: string, options?: RequestOptions): Promise<EventWith<'feedback'>> =>
  request('POST', `/rooms/${id}/feedback`, undefined, { patient: true, ...options })
export const hint = (id: string, options?: RequestOptions): Promise<EventWith<'hint'>> =>
  request('POST', `/rooms/${id}/hints`, undefined, { patient: true, ...options })
export const explanation = (id: string, options?: RequestOptions): Promise<Explanation> =>
  request('GET', `/rooms/${id}/explanation`, undefined, { patient: true, ...options })
export const board = (id: string, options?: RequestOptions): Promise<BoardAnswer> =>
  request('GET', `/rooms/${id}/board`, undefined, { patient: true, ...options })
export const resetRoom = (id: string, options?: RequestOptions): Promise<EventWith<'reset'>> =>
  request('POST', `/rooms/${id}/reset`, undefined, { patient: true, ...options })

// The player

export const scores = (options?: RequestOptions): Promise<PlayerScores> =>
  request('GET', '/players/me/scores', undefined, options)
export const sendLogs = (rows: readonly LogRow[], last = false): Promise<object> =>
  request('POST', '/logs', { rows, sent: Date.now() / 1000 }, { last })

// The WebSocket of a room

export type Connection = 'connecting' | 'live' | 'gone' | 'refused'
/**
 * The codes with which the server closes a socket for good: there is no such room for this player, or the query is
 * wrong.
 */
const CLOSED_FOR_GOOD = new Set([4404, 4400])

export type RoomListener = {
  readonly onMessage: (message: SocketMessage) => void
  readonly onConnection: (connection: Connection) => void
  /** Gets a function that sends on the socket while it is open, and null when it closes. */
  readonly onSocket?: (send: ((text: string) => void) | null) => void
  /** The number of the last event that is known. The server sends those after it. */
  readonly after: () => number
}

/**
 * Follows a room until the returned function is called. After a broken connection it connects again by itself and goes
 * on after the last event that was seen.
 */
export function follow(id: string, listener: RoomListener): () => void {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let ended = false

  function connect(): void {
    clearTimeout(timer)
    if (ended) return
    listener.onConnection(tries ? 'gone' : 'connecting')
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const opened = new WebSocket(`${scheme}://${location.host}/api/rooms/${id}/socket?after=${listener.after()}`)
    socket = opened
    opened.onopen = () => {
      if (ended) opened.close()
      else if (socket === opened) listener.onSocket?.((text) => opened.send(text))
    }
    opened.onmessage = (event) => {
      const message = parse(String(event.data)) as SocketMessage | undefined
      if (ended || socket !== opened || !message) return
      tries = 0
      listener.onConnection('live')
      listener.onMessage(message)
    }
    opened.onclose = (event) => {
      if (ended || socket !== opened) return
      listener.onSocket?.(null)
      if (CLOSED_FOR_GOOD.has(event.code)) {
        listener.onConnection('refused')
        return
      }
      listener.onConnection('gone')
      timer = setTimeout(connect, backOff(tries++) * (0.75 + Math.random() / 2))
    }
  }
  const soon = (): void => {
    if (socket?.readyState === WebSocket.CLOSED) connect()
  }
  window.addEventListener('online', soon)
  connect()
  return () => {
    ended = true
    listener.onSocket?.(null)
    clearTimeout(timer)
    window.removeEventListener('online', soon)
    // A socket that is closed before it has opened is a warning in the browser's console; it is closed when it opens.
    if (socket?.readyState !== WebSocket.CONNECTING) socket?.close()
  }
}
