// What the types cannot hold: there is German for everything in the table of the language and for all levels of the
// server.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROGRAM_EN } from '../../src/core/program/en'
import { FUNCTIONS, OPERATORS, WORDS } from '../../src/core/reference'
import { DE_DAILY } from '../../src/strings/de/levels/daily'
import { DE_LEVELS } from '../../src/strings/de/levels/levels'
import { PROGRAM_DE } from '../../src/strings/de/program'
import { DE_REFERENCE } from '../../src/strings/de/reference'

it('explains every sign, function and word', () => {
  const english = [...OPERATORS, ...FUNCTIONS, ...WORDS].map((row) => row.explanation)
  expect(Object.keys(DE_REFERENCE).sort()).toEqual([...new Set(english)].sort())
})

it('names every level and world', () => {
  const toml = readFileSync(new URL('../../../src/idg/levels/levels.toml', import.meta.url), 'utf8')
  const ids = (kind: string): string[] =>
    [...toml.matchAll(new RegExp(`^\\[\\[${kind}\\]\\]\\nid = "([^"]+)"`, 'gm'))].map((match) => match[1] ?? '')
  expect(ids('level').length).toBeGreaterThan(20)
  expect(Object.keys(DE_LEVELS.levels).sort()).toEqual(ids('level').sort())
  expect(Object.keys(DE_LEVELS.worlds).sort()).toEqual(ids('world').sort())
})

it('names every variation that can be the level of the day', () => {
  const toml = readFileSync(new URL('../../../src/idg/levels/daily.toml', import.meta.url), 'utf8')
  const ids = [...toml.matchAll(/^\[\[variation\]\]\nid = "([^"]+)"/gm)].map((match) => match[1] ?? '')
  expect(ids.length).toBeGreaterThan(9)
  expect(Object.keys(DE_DAILY).sort()).toEqual(ids.sort())
  for (const { proved } of Object.values(DE_DAILY)) expect(proved).toMatch(/^Wenn die Schleife endet, .*\.$/)
})

it('keeps the places of messages about programs', () => {
  const places = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort()
  for (const part of ['messages', 'phrases'] as const) {
    const german: Readonly<Record<string, string>> = PROGRAM_DE[part]
    for (const [key, english] of Object.entries(PROGRAM_EN[part]))
      expect([key, [...new Set(places(german[key] ?? ''))]]).toEqual([key, [...new Set(places(english))]])
  }
})
