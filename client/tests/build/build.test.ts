// What a browser loads, measured on the build: the start page, a level, the editor.

import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

/** Bytes in a kilobyte. */
const KB = 1_000
let files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[] = []

beforeAll(async () => {
  // Vitest sets this to 'test', and libraries then include their checks for developers.
  process.env.NODE_ENV = 'production'
  const made = await build({ logLevel: 'error', build: { write: false } })
  files = 'output' in made ? made.output : []
})

const chunks = (): Rolldown.OutputChunk[] => files.filter((file) => file.type === 'chunk')
const gzip = (file: Rolldown.OutputChunk | Rolldown.OutputAsset): number =>
  gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length
const containing = (module: string): Rolldown.OutputChunk => {
  const chunk = chunks().find((chunk) => chunk.moduleIds.some((id) => id.endsWith(module)))
  if (!chunk) throw new Error(`${module} is in no chunk`)
  return chunk
}

/** The chunks that are loaded together with these. */
function closure(...start: Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const reached = new Set<Rolldown.OutputChunk>()
  const visit = (chunk: Rolldown.OutputChunk): void => {
    if (reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) {
      const next = chunks().find((candidate) => candidate.fileName === name)
      if (next) visit(next)
    }
  }
  start.forEach(visit)
  return reached
}

function load(...modules: string[]): { js: number; css: number } {
  const loaded = [...closure(...modules.map(containing))]
  const styles = new Set(
    loaded.flatMap((chunk) => [
      ...((chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss ?? []),
    ]),
  )
  const css = files.filter((file) => styles.has(file.fileName)).reduce((sum, file) => sum + gzip(file), 0)
  return { js: loaded.reduce((sum, chunk) => sum + gzip(chunk), 0), css }
}

describe('gzip sizes', () => {
  it('of the start page, which does not load the language', () => {
    const { js, css } = load('/src/main.ts', '/src/pages/Map.svelte')
    expect(js).toBeLessThan(45 * KB)
    expect(css).toBeLessThan(8 * KB)
  })

  it('of a level that is opened by its link', () => {
    const { js, css } = load('/src/main.ts', '/src/pages/Level.svelte', '/src/components/room/RoomScreen.svelte')
    expect(js).toBeLessThan(75 * KB)
    for (const part of [
      '/core/arrays/index.ts',
      '/board/arrays/Cells.svelte',
      '/core/text/completion.ts',
      '/board/table/RunForm.svelte',
      '/room/ResetDialog.svelte',
      '/text/TermText.svelte',
      '/src/calls.ts',
    ])
      expect(closure(containing('/src/components/room/RoomScreen.svelte')).has(containing(part))).toBe(false)
    expect(css).toBeLessThan(8 * KB)
  })

  it('of the editor, which is loaded where it is needed', () => {
    const editor = chunks().filter((chunk) => chunk.moduleIds.some((id) => id.includes('/@codemirror/')))
    expect(editor.every((chunk) => !closure(containing('/src/main.ts')).has(chunk))).toBe(true)
    expect(editor.reduce((sum, chunk) => sum + gzip(chunk), 0)).toBeLessThan(125 * KB)
  })
})

it('has no style or script that the content security policy forbids', () => {
  const page = files.find((file) => file.fileName === 'index.html')
  const html = page?.type === 'asset' ? String(page.source) : ''
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)| on\w+=/)
  for (const chunk of chunks()) expect(chunk.code, chunk.fileName).not.toMatch(/\beval\(|new Function\(/)
})
