// Every vector of spec/ holds for this implementation. Only Python tests that a printed program parses to the same
// tree, because the client prints expressions, but no programs.

import { describe, expect, it } from 'vitest'
import {
  formatValue,
  hint,
  lineAndColumn,
  message,
  parseExpression,
  printExpression,
  readExpression,
  Stop,
  Trace,
} from '../../src/core'
import { ENGLISH, loadProgram } from '../../src/core/program'
import { expressionSexpr } from '../../src/core/text/sexpr'
import { programSexpr } from './sexpr'
import { problemsOf, type Row, rows, scopeOf, spanText, textOf, valueText } from './vectors'

/**
 * For each row of a file, by its name: what is expected and what was computed. So a failing test shows all rows that
 * differ at once.
 */
function compare(
  file: string,
  expected: (row: Row) => unknown,
  computed: (row: Row) => unknown,
  only: (row: Row) => boolean = () => true,
): void {
  const chosen = rows(file).filter(only)
  expect(chosen.length).toBeGreaterThan(file.includes('arrays') ? 15 : 50)
  const table = (of: (row: Row) => unknown): unknown => Object.fromEntries(chosen.map((row) => [row.name, of(row)]))
  expect(table(computed)).toEqual(table(expected))
}

describe.each(['vectors/parse', 'vectors/parse-generated', 'vectors/parse-arrays', 'vectors/parse-arrays-written'])(
  '%s',
  (file) => {
    const tree = (row: Row, text: string): string =>
      row.kind === 'program' ? programSexpr(text) : expressionSexpr(parseExpression(text))

    it('parses to the tree', () => {
      compare(
        file,
        (row) => row.sexpr,
        (row) => tree(row, textOf(row)),
      )
    })

    it('prints expressions so that they parse to the same tree', () => {
      const again = (row: Row): string => tree(row, printExpression(parseExpression(textOf(row))))
      compare(
        file,
        (row) => row.sexpr,
        again,
        (row) => row.kind === 'expression',
      )
    })
  },
)

it.each(['vectors/types', 'vectors/types-arrays', 'vectors/types-arrays-written'])('finds the types of %s', (file) => {
  const type = (row: Row): unknown => {
    const reading = readExpression(textOf(row), scopeOf(row))
    return reading.ok ? reading.type : reading.problems
  }
  compare(file, (row) => row.type, type)
})

it.each([
  'vectors/evaluate',
  'vectors/evaluate-generated',
  'vectors/evaluate-arrays',
  'vectors/evaluate-arrays-written',
])('computes the values of %s', (file) => {
  const value = (row: Row): unknown => {
    const { variables = {}, state = {}, old = {}, functions = '' } = row
    const params = Object.entries(variables).map(([name, type]) => `${name}: ${type}`)
    const loaded = loadProgram(`${functions}\nfn main(${params.join(', ')}) { while (false) { } }`)
    if (!loaded.ok) return loaded.problems
    const [loop] = loaded.program.loops
    if (!loop) return 'no loop'
    const values = loop.columns.map((name) => valueText(state[name] ?? ''))
    const entry = Object.fromEntries(
      Object.entries({ ...state, ...old }).map(([name, told]) => [name, valueText(told)]),
    )
    const trace = new Trace({ ...loaded.program.situation(loop), rows: [values], old: entry }, loaded.program.helpers)
    const [value] = trace.values(parseExpression(textOf(row)))
    if (value instanceof Stop)
      return {
        undefined: value.cause,
        span: spanText(value.helper === null ? textOf(row) : functions, value.span),
      }
    return value === undefined ? 'none' : formatValue(value)
  }
  compare(file, (row) => row.value ?? { undefined: row.undefined, span: row.span }, value)
})

it.each(['vectors/errors', 'vectors/errors-arrays', 'vectors/errors-arrays-written'])(
  'finds every problem of %s, with its code and place',
  (file) => {
    const computed = (row: Row): unknown =>
      problemsOf(row).map((problem) => ({ code: problem.code, span: spanText(textOf(row), problem.span) }))
    compare(file, (row) => row.problems, computed)
  },
)

it.each(['wrong-inputs', 'wrong-inputs-arrays', 'wrong-inputs-arrays-written'])(
  'says what is wrong in the same words: %s',
  (file) => {
    const computed = (row: Row): unknown => {
      const [first] = problemsOf(row)
      if (!first) return 'no problem'
      const [line, column] = lineAndColumn(textOf(row), first.span[0])
      return [first.code, `${line}`, `${column}`, message(first, ENGLISH), hint(first, ENGLISH)]
    }
    compare(file, (row) => [row.code, row.line, row.column, row.message, row.hint], computed)
  },
)
