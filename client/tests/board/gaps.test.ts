// What is said of a text that is not finished.

import { expect, it } from 'vitest'
import { parseExpression, SipError } from '../../src/core'
import { gapText } from '../../src/game/words/gaps'
import { DE_ANSWERS } from '../../src/strings/de/answers'
import { EN_ANSWERS } from '../../src/strings/en/answers'
import type { Say } from '../../src/strings/answers'

const say = (table: Record<string, unknown>): Say =>
  ((key: string, ...args: unknown[]) => {
    const sentence = table[key]
    return typeof sentence === 'function' ? (sentence as (...given: unknown[]) => string)(...args) : sentence
  }) as Say

function gap(text: string, table: Record<string, unknown> = EN_ANSWERS): string {
  try {
    parseExpression(text)
  } catch (error) {
    if (!(error instanceof SipError) || !error.problems[0]) throw error
    return gapText(error.problems[0], text, say(table))
  }
  throw new Error(`${text} is finished`)
}

it.each([
  ['cnt <', 'Something is missing after `<`.'],
  ['cnt <= m &  ', 'Something is missing after `&`.'],
  ['(', 'Something is missing after `(`.'],
  ['2 * (cnt + 1', 'A `)` is missing.'],
  ['-> cnt = 1', 'Something is missing before `->`.'],
  ['cnt + * 2', 'Something is missing between `+` and `*`.'],
])('says of %s what is missing', (text, said) => expect(gap(text)).toBe(said))

it('leaves other problems to the language', () => {
  for (const text of ['cnt ? 1', 'sqrt x y', '2x +', 'cnt <= )']) expect(gap(text), text).not.toContain('undefined')
  expect(gap('cnt $ 1')).toBe('')
})

it('speaks German', () => {
  expect(gap('cnt <', DE_ANSWERS)).toBe('Nach `<` fehlt noch etwas.')
})
