import { readFileSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** After so many milliseconds a test or a hook counts as hanging. This measures nothing: a busy machine needs long. */
const HANGING_MS = 120_000

/**
 * Makes the modules `operators.json?parser` and `operators-arrays.json?parser`: what parsing and printing need of these
 * tables.
 * The explanations of the operators are left out, because only the reference shows them; it loads the whole table.
 */
function parserTable(): Plugin {
  const kept = new Set([
    'token',
    'alternatives',
    'fixity',
    'precedence',
    'associativity',
    'name',
    'arguments_min',
    'arguments_max',
  ])
  return {
    name: 'parser-table',
    enforce: 'pre',
    load(id) {
      if (!/\/operators(-arrays(-written)?)?\.json\?parser$/.test(id)) return null
      const table = JSON.parse(readFileSync(id.replace('?parser', ''), 'utf8')) as Record<
        string,
        Record<string, unknown>[]
      >
      const slim = (row: Record<string, unknown>): unknown =>
        Object.fromEntries(Object.entries(row).filter(([key]) => kept.has(key) || (key === 'example' && 'name' in row)))
      const code = JSON.stringify(
        Object.fromEntries(Object.entries(table).map(([name, rows]) => [name, rows.map(slim)])),
      )
      return { code: `export default ${code}`, moduleType: 'js' }
    },
  }
}

/** The modules of a board that are loaded at once. The game's levels and those of studies use them. */
const BOARD = new RegExp(
  String.raw`src/(styles/game\.css|game/(state|reducer|controller|ends/reducing)\.ts|` +
    String.raw`game/board/(runs|ghosts|preview|code|table)\.ts|` +
    String.raw`components/board/(Board|ProgramPanel|entry/(Gates|EntryBox))\.svelte|` +
    String.raw`components/board/table/(RunChips|TraceTable|TracePanel)\.svelte|` +
    String.raw`components/room/(LevelBar|RoomScreen)\.svelte)`,
)

/** Sentences with markup, and what loads late parts: small modules that the game, lessons and studies share. */
const TEXT = new RegExp(
  String.raw`src/(components/text/(RichText\.svelte|Code\.svelte|Term\.svelte|popup\.ts)|` +
    String.raw`components/(shell/Late\.svelte|board/arrays/load\.ts)|game/rich\.ts|strings/game\.ts)`,
)

/** The version stands in one place, in the Python package. */
function version(): string {
  const found = /^__version__ = "(.+)"$/m.exec(readFileSync(new URL('../src/idg/__init__.py', import.meta.url), 'utf8'))
  if (!found?.[1]) throw new Error('src/idg/__init__.py has no __version__')
  return found[1]
}

export default defineConfig({
  plugins: [parserTable(), svelte()],
  define: { 'import.meta.env.IDG_VERSION': JSON.stringify(version()) },
  build: {
    // Served by the coordinator at '/'; not in git.
    outDir: '../src/idg/coordinator/static',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The board is one file, whoever uses it: in parts it is larger, and a level would load later.
        codeSplitting: {
          groups: [
            { name: 'board', test: BOARD },
            { name: 'text', test: TEXT },
          ],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
  server: { fs: { allow: ['..'] } },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    // No test changes a module's state, so all of them can share the modules. That halves the time.
    pool: 'threads',
    isolate: false,
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
  },
})
