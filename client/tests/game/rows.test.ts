// How many rows of a run come: what was asked for, and the last few rows with them.
import { afterEach, expect, test, vi } from 'vitest'
import { lacksFew, trace, type TraceQuery } from '../../src/net'

const QUERY: TraceQuery = { inputs: {} }

/** A server whose run has so many rows. Returns the offset and the limit of each page that was asked for. */
function serve(total: number): [number, number][] {
  const asked: [number, number][] = []
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const { offset = 0, limit = 0 } = JSON.parse(String(init.body)) as TraceQuery
    asked.push([offset, limit])
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_row, index) => [offset + index])
    const loops = [{ loop: 1, columns: [], rows, rows_total: total, offset }]
    const answer = { inputs: {}, outcome: { kind: 'returned', message: '' }, printed: [], loops }
    return Promise.resolve(new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } }))
  })
  return asked
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  [1_000, 1_000, 1],
  [1_001, 1_001, 2],
  [1_100, 1_100, 2],
  [1_101, 1_000, 1],
  [50_000, 1_000, 1],
])('of %i rows, %i come in %i pages', async (total, shown, pages) => {
  const asked = serve(total)
  const { loops } = await trace('p', QUERY, undefined, 1_000)
  expect(loops[0]?.rows.length).toBe(shown)
  expect(asked.length).toBe(pages)
})

test('no page begins after the most rows that the server tells', async () => {
  const asked = serve(100_050)
  const { loops } = await trace('p', QUERY, undefined, 100_000)
  expect(loops[0]?.rows.length).toBe(100_000)
  expect(Math.max(...asked.map(([offset, limit]) => offset + limit))).toBe(100_000)
})

test('a table lacks a few rows, many, or none', () => {
  const loop = (rows: number, total: number) => ({
    loop: 1,
    columns: [],
    rows: Array.from({ length: rows }, () => []),
    rows_total: total,
    offset: 0,
  })
  expect([loop(1_000, 1_001), loop(1_000, 1_000), loop(1_000, 1_101)].map(lacksFew)).toEqual([true, false, false])
})
