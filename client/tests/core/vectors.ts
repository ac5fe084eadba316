// Reads the rows of spec/ and computes what this implementation answers. spec/README.md describes the rows.

import { readFileSync } from 'node:fs'
import { type Problem, readExpression, type Scope, toCodePoints, type Type } from '../../src/core'
import { loadProgram, parseProgram } from '../../src/core/program'

type Types = Record<string, Type>
/** A value as spec/ writes it: an array is a list of texts. */
type Told = string | readonly string[]
export type Row = {
  readonly name: string
  readonly kind?: 'expression' | 'program'
  readonly text?: string
  readonly parts?: readonly { readonly text: string; readonly times: string }[]
  readonly variables?: Types
  readonly params?: Types
  readonly functions?: string
  readonly sexpr?: string
  readonly type?: Type
  readonly state?: Record<string, Told>
  readonly old?: Record<string, Told>
  readonly value?: string
  readonly undefined?: string
  readonly span?: string
  readonly problems?: readonly { readonly code: string; readonly span: string }[]
  readonly code?: string
  readonly line?: string
  readonly column?: string
  readonly message?: string
  readonly hint?: string
}

export function rows(file: string): Row[] {
  return JSON.parse(readFileSync(new URL(`../../../spec/${file}.json`, import.meta.url), 'utf8')) as Row[]
}

export function textOf(row: Row): string {
  return row.text ?? (row.parts ?? []).map((part) => part.text.repeat(Number(part.times))).join('')
}

export function scopeOf(row: Row): Scope {
  const functions = row.functions ? parseProgram(row.functions) : []
  return {
    variables: new Map(Object.entries(row.variables ?? {})),
    params: new Map(Object.entries(row.params ?? {})),
    functions: new Map(functions.map((function_) => [function_.name, function_])),
    choosing: new Set(),
    hidden: new Map(),
    level: '',
  }
}

export function problemsOf(row: Row): readonly Problem[] {
  const result = row.kind === 'program' ? loadProgram(textOf(row)) : readExpression(textOf(row), scopeOf(row))
  return result.ok ? [] : result.problems
}

/** A value as the client has it. */
export const valueText = (value: Told): string => (typeof value === 'string' ? value : `[${value.join(', ')}]`)

/** A span as spec/ writes it: in code points. */
export function spanText(text: string, [start, end]: readonly [number, number]): string {
  return `${toCodePoints(text, start)}-${toCodePoints(text, end)}`
}
