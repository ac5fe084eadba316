// What a guess means on the rows that the beginning shows: runs, whose rows should be true, and ghosts, which should be
// false. Everything here is a preview that the browser computes; only the server judges.

import type { ProgramAnswer } from '../wire'
import {
  Stop,
  colour,
  formatValue,
  type Problem,
  proposalProblems,
  readExpression,
  type Trace,
  type Value,
} from '../core'
import { traceOf } from '../game/board/table'

/** Rows of one run, or one ghost. */
export type Sheet = {
  readonly kind: 'run' | 'ghost' | 'before' | 'after'
  readonly title: string
  readonly rows: readonly (readonly string[])[]
  readonly trace: Trace
}

export function sheet(
  program: ProgramAnswer,
  kind: Sheet['kind'],
  title: string,
  rows: readonly (readonly string[])[],
  inputs: Readonly<Record<string, string>>,
): Sheet {
  const columns = columnsOf(program)
  const loop = { loop: 1, columns, rows, rows_total: rows.length }
  const run = { inputs, loops: [loop], outcome: { kind: 'finished' } } as unknown as Parameters<typeof traceOf>[1]
  return { kind, title, rows, trace: traceOf(program, run, 1) }
}

export const columnsOf = (program: ProgramAnswer): readonly string[] =>
  program.loops[0]?.columns.map((column) => column.name) ?? []

/** The state of a ghost as a sheet of one row. */
export function ghostSheet(
  program: ProgramAnswer,
  kind: Sheet['kind'],
  title: string,
  values: Readonly<Record<string, string>>,
): Sheet {
  const row = columnsOf(program).map((name) => values[name] ?? '0')
  const inputs = Object.fromEntries(program.params.map(({ name }) => [name, values[name] ?? '0']))
  return sheet(program, kind, title, [row], inputs)
}

/** What a guess is in one row: true, false, or without a value; and the two sides, where it has sides. */
export type Cell = { readonly truth: boolean | null; readonly shown: string }
export type Guess =
  | { readonly is: 'empty' }
  | { readonly is: 'wrong'; readonly problem: Problem }
  /** It is a number and not a sentence. */
  | { readonly is: 'number' }
  /** It speaks of the column that it should explain. */
  | { readonly is: 'circular' }
  | { readonly is: 'read'; readonly text: string; readonly cells: readonly (readonly Cell[])[] }

/** The relation that an entry begins with, such as `eggs =`; null where the whole fact is typed. */
export type Prefix = { readonly left: string; readonly relation: '=' | '<=' } | null

const SIGNS = { '=': ['=', '≠'], '<=': ['≤', '>'] } as const

export function guess(sheets: readonly Sheet[], typed: string, prefix: Prefix): Guess {
  const first = sheets[0]
  if (!typed.trim() || !first) return { is: 'empty' }
  const alone = readExpression(typed, first.trace.scope)
  if (prefix) {
    if (!alone.ok) return wrong(alone.problems)
    // Whoever types the whole fact into the blank means it, too.
    if (alone.type === 'bool') return guess(sheets, typed, null)
    if (new RegExp(`\\b${prefix.left}\\b`).test(alone.canonical)) return { is: 'circular' }
  }
  const text = prefix ? `${prefix.left} ${prefix.relation} ${typed.trim()}` : typed.trim()
  const whole = readExpression(text, first.trace.scope)
  if (!whole.ok) return wrong(whole.problems)
  if (proposalProblems(whole).length) return { is: 'number' }
  return { is: 'read', text: whole.canonical, cells: sheets.map((shown) => cells(shown, text, typed, prefix)) }
}

const wrong = (problems: readonly Problem[]): Guess =>
  problems[0] ? { is: 'wrong', problem: problems[0] } : { is: 'empty' }

function cells(shown: Sheet, text: string, typed: string, prefix: Prefix): Cell[] {
  const truth = colour(shown.trace, text)
  if (!truth.ok) return []
  const left = prefix ? colour(shown.trace, prefix.left) : null
  const right = prefix ? colour(shown.trace, typed) : null
  return truth.values.map((value, index) => {
    const isTrue = value instanceof Stop ? null : value === true
    if (!prefix || !left?.ok || !right?.ok) return { truth: isTrue, shown: '' }
    const [good, bad] = SIGNS[prefix.relation]
    return { truth: isTrue, shown: `${told(left.values[index])} ${isTrue ? good : bad} ${told(right.values[index])}` }
  })
}

const told = (value: Value | Stop | undefined): string =>
  value === undefined || value instanceof Stop ? '?' : formatValue(value)

/** How many rows of a sheet are true. */
export const fitting = (row: readonly Cell[]): number => row.filter((cell) => cell.truth === true).length
export const fitsAll = (row: readonly Cell[]): boolean => fitting(row) === row.length
