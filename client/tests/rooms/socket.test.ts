// Following a room: what happens to its socket when the player goes.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { follow } from '../../src/net'

class FakeSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 3
  static made: FakeSocket[] = []
  readyState = FakeSocket.CONNECTING
  closedWhile: number[] = []
  onopen: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor(readonly address: string) {
    FakeSocket.made.push(this)
  }
  close(): void {
    this.closedWhile.push(this.readyState)
  }
  open(): void {
    this.readyState = FakeSocket.OPEN
    this.onopen?.()
  }
}

beforeEach(() => {
  FakeSocket.made = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { protocol: 'http:', host: 'game' })
  vi.stubGlobal('window', { addEventListener: () => {}, removeEventListener: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

const listener = () => ({ onMessage: vi.fn(), onConnection: vi.fn(), onSocket: vi.fn(), after: () => 4 })

it('is closed when it opens, where the player has gone before: closing it at once is a warning in the console', () => {
  const room = listener()
  const leave = follow('R', room)
  const [socket] = FakeSocket.made
  leave()
  expect(socket!.closedWhile).toEqual([])
  socket!.open()
  expect(socket!.closedWhile).toEqual([FakeSocket.OPEN])
  expect(room.onSocket.mock.calls).toEqual([[null]])
})

it('is closed at once where it is open', () => {
  const leave = follow('R', listener())
  const [socket] = FakeSocket.made
  socket!.open()
  leave()
  expect(socket!.closedWhile).toEqual([FakeSocket.OPEN])
})
