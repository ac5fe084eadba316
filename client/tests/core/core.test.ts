import { describe, expect, it } from 'vitest'
import {
  colour,
  formatValue,
  fromCodePoints,
  highlight,
  hint,
  lineAndColumn,
  message,
  nextFailing,
  proposalProblems,
  readExpression,
  Stop,
  subexpressions,
  toCodePoints,
  Trace,
  type TraceData,
} from '../../src/core'
import { complete } from '../../src/core/text/completion'
import { EN } from '../../src/core/en'
import { loadProgram } from '../../src/core/program'
import { OPERATORS } from '../../src/core/reference'

const DATA: TraceData = {
  columns: ['cnt', 'sqr', 'r'],
  types: { cnt: 'nat', sqr: 'int', r: 'rat' },
  rows: [
    ['0', '1', '1/2'],
    ['1', '4', '-7/3'],
    ['2', '9', '0'],
    ['94906267', '9007199515875289', '3'],
  ],
  params: { n: 'nat' },
  old: { n: '12345678901234567890' },
  hidden: { inner: 'out-of-scope' },
}
const trace = new Trace(DATA)

function shown(text: string): unknown {
  const coloured = colour(trace, text)
  if (!coloured.ok) return coloured.problems.map((problem) => `${message(problem, EN)} (${hint(problem, EN)})`)
  return coloured.values.map((value) => (value instanceof Stop ? value.cause : formatValue(value)))
}

describe('colouring', () => {
  it('says where an expression holds', () => {
    expect(colour(trace, 'sqr = (cnt+1)^2')).toMatchObject({
      ok: true,
      type: 'bool',
      canonical: 'sqr = (cnt + 1)^2',
      holds: 3,
      firstFailing: 3,
    })
    expect(colour(trace, 'sqr >= cnt')).toMatchObject({ holds: 4, firstFailing: -1 })
  })

  it('computes numbers exactly, whatever their size', () => {
    expect(shown('cnt^2 + old(n)')).toEqual([
      '12345678901234567890',
      '12345678901234567891',
      '12345678901234567894',
      '12354686100750443179',
    ])
    expect(shown('r / 3')).toEqual(['1/6', '-7/9', '0', '1'])
  })

  it('says why a row has no value, and counts it as failing', () => {
    expect(shown('1 / cnt >= 0')).toEqual(['zero-divisor', 'true', 'true', 'true'])
    expect(colour(trace, '1 / cnt >= 0')).toMatchObject({ holds: 3, firstFailing: 0 })
    expect(shown('2^(cnt * 2^9)')).toHaveLength(4)
  })

  it('says what is wrong with a text', () => {
    expect(shown('cmt = 1')).toEqual(["'cmt' is not declared (did you mean 'cnt'?)"])
    expect(shown('inner = 1')).toEqual([
      "'inner' is declared inside a block and not visible here (declare it before the block, at the top of " +
        'the function)',
    ])
  })

  it('finds the next failing row, from the start again at the end', () => {
    const values = [true, false, true, new Stop('zero-divisor', [0, 1], null)]
    expect([-1, 1, 3].map((after) => nextFailing(values, after))).toEqual([1, 3, 1])
    expect(nextFailing([true], 0)).toBe(-1)
  })

  it('refuses a number as a proposal', () => {
    const reading = readExpression('cnt', trace.scope)
    if (!reading.ok) throw new Error('cnt can be read')
    expect(proposalProblems(reading).map((problem) => message(problem, EN))).toEqual([
      "a proposal must be a Boolean, but 'cnt' is a nat",
    ])
  })

  it('calls helpers of the program', () => {
    const loaded = loadProgram(
      'fn half(x: int): int { return x / 2; }\nfn main(n: nat) { while (n > 0) { n := n - 1; } }',
    )
    if (!loaded.ok) throw new Error('the program is right')
    const [loop] = loaded.program.loops
    if (!loop) throw new Error('it has a loop')
    const rows = [['4'], ['3']]
    const coloured = colour(
      new Trace({ ...loaded.program.situation(loop), rows, old: { n: '4' } }, loaded.program.helpers),
      'half(n) <= old(n)',
    )
    expect(coloured.ok && coloured.values[0]).toBe(true)
    expect(coloured.ok && coloured.values[1]).toMatchObject({ cause: 'narrowing', helper: 'half' })
  })
})

it('lists the parts worth a column, each once', () => {
  const reading = readExpression('(cnt + 1)^2 = sqr & (1 + cnt) * 2 > cnt + 1 & old(n) > 0', trace.scope)
  expect(reading.ok && subexpressions(reading.expr, trace.scope).map((part) => `${part.text}: ${part.type}`)).toEqual([
    '(cnt + 1)^2 = sqr & (1 + cnt) * 2 > cnt + 1: bool',
    '(cnt + 1)^2 = sqr: bool',
    '(cnt + 1)^2: nat',
    'cnt + 1: nat',
    '(1 + cnt) * 2 > cnt + 1: bool',
    '(1 + cnt) * 2: nat',
    '1 + cnt: nat',
    'old(n) > 0: bool',
    'old(n): nat',
  ])
})

it('recognises a fact that is already there in another spelling', () => {
  const reading = readExpression('0≤cnt and  (sqr == 1)', trace.scope)
  expect(reading.ok && reading.canonical).toBe('0 <= cnt & sqr = 1')
})

describe('completion', () => {
  const texts = (text: string, caret = text.length): string[] =>
    complete(text, caret, trace.scope).candidates.map((candidate) => candidate.text)

  it('offers names where a value may stand', () => {
    expect(texts('sqr = ').slice(0, 4)).toEqual(['cnt', 'sqr', 'r', 'abs('])
    expect(texts('c')).toEqual(['cnt'])
    expect(complete('sqr = S', 7, trace.scope)).toMatchObject({
      from: 6,
      to: 7,
      candidates: [{ text: 'sqr', kind: 'variable', type: 'int' }],
    })
    expect(texts('old(')).toEqual(['n'])
    expect(texts('o')).toEqual(['old(n)'])
  })

  it('offers operators after a value', () => {
    expect(texts('sqr ')).toContain('<=')
    expect(texts('(sqr) ')).not.toContain('cnt')
  })

  it('replaces the whole word under the caret', () => {
    expect(complete('sqx = 1', 2, trace.scope)).toMatchObject({ from: 0, to: 3 })
  })

  it('offers nothing inside numbers and comments', () => {
    expect(texts('sqr = 12')).toEqual([])
    expect(texts('sqr # c')).toEqual([])
  })
})

describe('colours of tokens', () => {
  const colours = (text: string, program: boolean): string[] =>
    highlight(text, program).map((range) => `${text.slice(range.start, range.end)}:${range.colour}`)

  it('knows every kind', () => {
    expect(colours('fn f(x: nat) { y := abs(2) // 3; } # c', true)).toEqual(
      [
        'fn:word f:function (:bracket x:name ::operator nat:type ):bracket {:bracket y:name :=:operator',
        'abs:function (:bracket 2:number ):bracket //:operator 3:number ;:bracket }:bracket',
      ]
        .flatMap((line) => line.split(' '))
        .concat('# c:comment'),
    )
  })

  it('goes on after what is wrong', () => {
    expect(colours('x § 1.2.3', false)).toEqual(['x:name', '§:bad', '1.2.3:number'])
  })
})

it('counts offsets as the server does', () => {
  const text = 'x # 😀\n + 😀'
  const reading = readExpression(text, trace.scope)
  const start = reading.ok ? -1 : (reading.problems[0]?.span[0] ?? -1)
  expect([start, toCodePoints(text, start), fromCodePoints(text, 9), lineAndColumn(text, start)]).toEqual([
    10,
    9,
    10,
    [2, 4],
  ])
})

it('explains every operator', () => {
  expect(OPERATORS.every((operator) => operator.explanation && operator.example)).toBe(true)
})
