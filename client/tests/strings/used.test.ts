// Every sentence is said somewhere, and every class and token of the style sheets is used.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EN_ANSWERS } from '../../src/strings/en/answers'
import { EN_ARRAYS } from '../../src/game/arrays/en'
import { EN_BEGINNING } from '../../src/strings/en/beginning'
import { EN_CLASSES } from '../../src/classes/en'
import { EN_GAME } from '../../src/strings/en/game'
import { EN_MAP } from '../../src/strings/en/map'
import { EN_MORE } from '../../src/strings/en/more'
import { EN_OWN } from '../../src/strings/en/own'
import { EN_PAGES } from '../../src/strings/en/pages'
import { EN_ROOM } from '../../src/strings/en/room'
import { EN } from '../../src/strings/en/shell'

const SOURCE = new URL('../../src', import.meta.url).pathname
/** The tables, and the functions that say their sentences. */
const TABLES = {
  shell: { table: EN, says: ['t'] },
  game: { table: EN_GAME, says: ['t'] },
  answers: { table: EN_ANSWERS, says: ['t'] },
  more: { table: EN_MORE, says: ['more'] },
  map: { table: EN_MAP, says: ['m'] },
  room: { table: EN_ROOM, says: ['r'] },
  beginning: { table: EN_BEGINNING, says: ['b'] },
  own: { table: EN_OWN, says: ['o'] },
  arrays: { table: EN_ARRAYS, says: ['a'] },
  pages: { table: EN_PAGES, says: ['p'] },
  classes: { table: EN_CLASSES, says: ['c'] },
} as const

const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
const read = (path: string): string => readFileSync(join(SOURCE, path), 'utf8')
const code = paths
  .filter(
    (path) => /\.(ts|svelte)$/.test(path) && !/^(strings\/(en|de)\/|(classes|game\/arrays)\/(en|de)\.ts)/.test(path),
  )
  .map(read)
  .join('\n')
const withoutStyles = code.replace(/<style>[\s\S]*?<\/style>/g, '')
const styles = paths.filter((path) => path.endsWith('.css')).map((path) => read(path).replace(/\/\*[\s\S]*?\*\//g, ''))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** What a template such as `room.kind.${kind}` can become, for all templates that a function is called with. */
const templates = (says: string): RegExp[] =>
  [...code.matchAll(new RegExp(`\\b${says}\\(\\s*\`([^\`]*\\$\\{[^\`]*)\``, 'g'))].map(
    ([, template = '']) =>
      new RegExp(
        `^${template
          .split(/\$\{[^}]*\}/)
          .map(escaped)
          .join('[\\w-]+')}$`,
      ),
  )

describe.each(Object.entries(TABLES))('the sentences of %s', (_, { table, says }) => {
  const made = says.flatMap(templates)
  it('are all said', () => {
    const unsaid = Object.keys(table).filter(
      (key) => !new RegExp(`(['"\`])${escaped(key)}\\1`).test(code) && !made.some((template) => template.test(key)),
    )
    expect(unsaid).toEqual([])
  })
  it('call a loop head and the goal by the signs that the board shows', () => {
    const old = Object.values(table).filter((sentence) => String(sentence).includes('[['))
    expect(old).toEqual([])
  })
})

it('no part is loaded late without saying so where it cannot be loaded', () => {
  expect(withoutStyles.match(/\{#await import\(.*/g) ?? []).toEqual([])
})

describe('the style sheets', () => {
  it('style only what is there', () => {
    const names = new Set(
      styles
        .flatMap((style) => style.match(/[^{}]+(?=\{)/g) ?? [])
        .flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map((match) => match[1] ?? '')),
    )
    // A class is a word of an attribute, of `class:name`, or begins like `line-{…}`.
    const isUsed = (name: string): boolean =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(withoutStyles) ||
      [...name.matchAll(/-/g)].some(({ index }) =>
        new RegExp(`(?<![\\w-])${name.slice(0, index + 1)}\\$?\\{`).test(withoutStyles),
      )
    expect([...names].filter((name) => !isUsed(name))).toEqual([])
  })

  it('have no token that nothing takes', () => {
    const all = [...styles, code].join('\n')
    const tokens = new Set([...styles.join('\n').matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)].map((match) => match[1] ?? ''))
    expect([...tokens].filter((token) => !new RegExp(`var\\(\\s*${token}\\b(?!-)`).test(all))).toEqual([])
  })
})
