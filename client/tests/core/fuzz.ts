// The client's half of the differential fuzz (tests/client/test_client_core.py). It reads one JSON line for each case
// from standard input and writes one for each case to standard output. Offsets count code points, as in Python.

import { createInterface } from 'node:readline'
import { formatValue, hint, message, readExpression, type Refusal, Stop, toCodePoints, Trace } from '../../src/core'
import { loadProgram, type CheckedProgram } from '../../src/core/program'
import { ENGLISH } from '../../src/core/program/en'
import { expressionSexpr } from '../../src/core/text/sexpr'
import { programSexpr } from './sexpr'

type Situation = { readonly program: string; readonly rows: string[][]; readonly old: Record<string, string> }
type Case =
  | { readonly situation: Situation }
  | { readonly text: string }
  | { readonly source: string }
  | { readonly messages: true }

let trace: Trace | null = null
let programText = ''

function answer(asked: Case): unknown {
  if ('situation' in asked) return enter(asked.situation)
  if ('text' in asked) return expression(asked.text)
  if ('source' in asked) {
    const loaded = loadProgram(asked.source)
    return loaded.ok
      ? { sexpr: programSexpr(asked.source), loops: loops(loaded.program) }
      : refusal(asked.source, loaded)
  }
  return ENGLISH.messages
}

const loops = (program: CheckedProgram): unknown => program.loops.map(({ columns, outer }) => [columns, outer])

function enter({ program, rows, old }: Situation): unknown {
  const loaded = loadProgram(program)
  const [loop] = loaded.ok ? loaded.program.loops : []
  if (!loaded.ok || !loop) throw new Error(`no situation: ${program}`)
  trace = new Trace({ ...loaded.program.situation(loop), rows, old }, loaded.program.helpers)
  programText = program
  return null
}

function expression(text: string): unknown {
  if (!trace) throw new Error('no situation yet')
  const reading = readExpression(text, trace.scope)
  if (!reading.ok) return refusal(text, reading)
  const values = trace.values(reading.expr).map((value) => {
    if (!(value instanceof Stop)) return formatValue(value)
    return [value.cause, ...offsets(value.helper === null ? text : programText, value.span)]
  })
  return { sexpr: expressionSexpr(reading.expr), canonical: reading.canonical, type: reading.type, values }
}

function refusal(text: string, { problems, more }: Refusal): unknown {
  return {
    problems: problems.map((problem) => [
      problem.code,
      ...offsets(text, problem.span),
      message(problem, ENGLISH),
      hint(problem, ENGLISH),
    ]),
    more,
  }
}

const offsets = (text: string, span: readonly [number, number]): number[] =>
  span.map((offset) => toCodePoints(text, offset))

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line) as Case))}\n`)
}
