// States of a program as evidence, and places of a program in words. The messages of the game use this, and so does the
// assessment of own programs.

import type { Values } from '../api'
import { cellTexts } from '../core/cells'
import type { ProgramAnswer } from '../wire'
import { countersOf } from './arrays/cells'

/** The place in the code that a state belongs to. */
export type Mark = 'head' | 'end' | 'guarantee' | 'body'
/** Whether what should hold there does hold. */
export type Look = 'holds' | 'fails' | 'neutral'
export type StateRow = {
  readonly label: string
  readonly values: readonly string[]
  readonly changed: readonly boolean[]
  readonly look: Look
  /** The number that stands beside the row and at the mark in the code; 0 for none. */
  readonly number: number
}
export type Pointer = { readonly number: number; readonly mark: Mark; readonly look: Look }
export type Evidence = {
  readonly title: string
  readonly loop: number
  readonly columns: readonly string[]
  /** For each column: the variables that mark its cells, where it is an array. */
  readonly counters: readonly (readonly string[])[]
  readonly rows: readonly StateRow[]
  /** How many rows are left out before the first one shown. */
  readonly earlier: number
  /** Each row as an expression of the language, one a line. */
  readonly sip: string
  readonly inputs: Values | null
  readonly seed: number
  readonly pointers: readonly Pointer[]
  /** Whether the loop test is true in the first state; null where that does not matter. */
  readonly test: boolean | null
  /** The place of a broken obligation that is not the guarantee, so that it has no mark [[G]]. */
  readonly broken: { readonly start: number; readonly end: number } | null
}

export type RawRow = { readonly label: string; readonly values: Values; readonly look: Look }
type Extra = Partial<Pick<Evidence, 'inputs' | 'seed' | 'pointers' | 'test' | 'broken' | 'earlier'>>

/** States as evidence: columns in the order of the program, and which values have changed since the row before. */
export function evidence(
  program: ProgramAnswer,
  title: string,
  loop: number,
  raw: readonly RawRow[],
  extra: Extra = {},
): Evidence {
  const columns = Object.keys(raw[0]?.values ?? {})
  const typed = program.loops.find((candidate) => candidate.number === loop)?.columns ?? []
  const types = new Map(typed.map((column) => [column.name, column.type]))
  const counters = columns.map((name) =>
    types.get(name)?.endsWith('[]') ? countersOf(program.source, name, typed) : [],
  )
  const rows = raw.map(({ label, values, look }, index): StateRow => {
    const before = raw[index - 1]?.values
    const cells = columns.map((name) => values[name] ?? '')
    return {
      label,
      look,
      number: index + 1,
      values: cells,
      changed: columns.map((name) => before !== undefined && before[name] !== values[name]),
    }
  })
  const sip = raw.map(({ values }) => asSip(values, types)).join('\n')
  return {
    title,
    loop,
    columns,
    counters,
    rows,
    sip,
    earlier: 0,
    inputs: null,
    seed: 0,
    pointers: [],
    test: null,
    broken: null,
    ...extra,
  }
}

/** The state as an expression of the language that holds in this state alone. */
export function asSip(values: Values, types: ReadonlyMap<string, string> = new Map()): string {
  const parts = Object.entries(values).flatMap(([name, value]) => {
    if (value.startsWith('[')) {
      const element = types.get(name)?.replace('[]', '')
      const cells = cellTexts(value).map((cell, index): [string, string] => [`${name}[${index}]`, cell])
      const inner = asSip(Object.fromEntries(cells), new Map(cells.map(([cell]) => [cell, element ?? ''])))
      return [`len(${name}) = ${cells.length}`, ...(inner ? [inner] : [])]
    }
    if (types.get(name) === 'bool' || value === 'true' || value === 'false') return value === 'true' ? name : `!${name}`
    return `${name} = ${value}`
  })
  return parts.join(' & ')
}

/** The inputs that lead to a state of a loop, or null where the state does not name all of them. */
export function inputsOf(program: ProgramAnswer, loop: number, values: Values): Values | null {
  if (helperOf(program, loop)) return null
  const inputs = program.params.map(({ name }) => {
    const value = values[`old(${name})`] ?? (program.assigned_params.includes(name) ? undefined : values[name])
    return [name, value] as const
  })
  return inputs.length && inputs.every(([, value]) => value !== undefined)
    ? (Object.fromEntries(inputs) as Values)
    : null
}

/** The name of the helper that a loop belongs to; null for a loop of the level. */
export const helperOf = (program: ProgramAnswer, loop: number): string | null =>
  program.loops.find((candidate) => candidate.number === loop)?.helper?.name ?? null
