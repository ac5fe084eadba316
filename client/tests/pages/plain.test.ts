import { describe, expect, it } from 'vitest'
import { inWords } from '../../src/own/plain'
import { DE_MORE } from '../../src/strings/de/more'
import { EN_MORE } from '../../src/strings/en/more'
import type { SayMore } from '../../src/game/board/more'

const say = (table: typeof EN_MORE | typeof DE_MORE): SayMore =>
  ((key: keyof typeof EN_MORE, ...args: never[]) => {
    const sentence = table[key] as string | ((...args: never[]) => string)
    return typeof sentence === 'string' ? sentence : sentence(...args)
  }) as SayMore

describe('what a guarantee says in words', () => {
  it.each([
    ['res = n * m', '`res` equals `n * m`', '`res` ist gleich `n * m`'],
    [
      'r * r <= n & n < (r + 1)^2',
      '`r * r` is at most `n`, and `n` is less than `(r + 1)^2`',
      '`r * r` ist höchstens `n`, und `n` ist kleiner als `(r + 1)^2`',
    ],
    ['0 <= i <= n', '`0` is at most `i`, and `i` is at most `n`', '`0` ist höchstens `i`, und `i` ist höchstens `n`'],
    ['x % 6 = 0', '`x` is a multiple of `6`', '`x` ist ein Vielfaches von `6`'],
    ['x % y = r', '`x` divided by `y` leaves the remainder `r`', '`x` geteilt durch `y` lässt den Rest `r`'],
    ['ispow(p, 2)', '`p` is a power of `2`', '`p` ist eine Potenz von `2`'],
    ['done', '`done` is true', '`done` ist wahr'],
    ['!done', 'it is not so that `done` is true', 'es gilt nicht: `done` ist wahr'],
    [
      'a > 0 -> b != 0',
      'if `a` is greater than `0`, then `b` differs from `0`',
      'wenn gilt: `a` ist größer als `0`, dann gilt: `b` ist verschieden von `0`',
    ],
    [
      '(a >= 1 | b = 2) & c = 3',
      '(`a` is at least `1`, or `b` equals `2`), and `c` equals `3`',
      '(`a` ist mindestens `1`, oder `b` ist gleich `2`), und `c` ist gleich `3`',
    ],
    ['!(a = 1 & b = 2)', 'it is not so that (`a` equals `1`, and `b` equals `2`)', null],
    ['a = 1 | b = 2 & c = 3', '`a` equals `1`, or (`b` equals `2`, and `c` equals `3`)', null],
    ['(a -> b) -> c', 'if (if `a` is true, then `b` is true), then `c` is true', null],
    ['gcd(a, b) = g', '`gcd(a, b)` equals `g`', null],
    ['n >', '`n >`', '`n >`'],
  ])('%s', (text, english, german) => {
    expect(inWords(text, say(EN_MORE))).toBe(english)
    if (german !== null) expect(inWords(text, say(DE_MORE))).toBe(german)
  })
})
