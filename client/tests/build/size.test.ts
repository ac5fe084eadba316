// The core is part of the first load of a level, so its size is a promise.

import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

/** How many bytes the compressed core may have. */
const GZIP_BYTES_MAX = 12_300

it('is small', async () => {
  const input = new URL('../../src/core/index.ts', import.meta.url).pathname
  const made = await build({
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: { includeDependenciesRecursively: true } },
      },
    },
  })
  const output = 'output' in made ? made.output : []
  const bytes = output.map((file) => ('code' in file ? gzipSync(file.code, { level: 9 }).length : 0))
  expect(bytes).toHaveLength(1)
  expect(bytes[0]).toBeLessThan(GZIP_BYTES_MAX)
})
