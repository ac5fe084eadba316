// Each request of the browser has an id of its own, by which it is found in the logs of coordinators and nodes.

import { afterEach, expect, test, vi } from 'vitest'
import { request } from '../../src/net'

afterEach(() => vi.unstubAllGlobals())

test('each request has an id that the server takes over, and each try another one', async () => {
  const ids: string[] = []
  const statuses = [503, 200, 200]
  vi.stubGlobal('window', { addEventListener: () => {}, removeEventListener: () => {} })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    ids.push((init.headers as Record<string, string>)['X-Request-Id'] ?? '')
    const busy = { code: 'busy', message: 'later', where: null, hint: '' }
    const status = statuses.shift() ?? 200
    return Promise.resolve(new Response(JSON.stringify(status === 200 ? {} : busy), { status }))
  })
  await request('GET', '/levels', undefined, { patient: true })
  await request('GET', '/levels')
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
})
