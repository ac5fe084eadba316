// What each operator, built-in function and word means, in English and with an example. The reference and the glossary
// show it. It is not part of the first load.

import table from '../../../spec/operators.json'
import reading from '../../../spec/operators-arrays.json'
import writing from '../../../spec/operators-arrays-written.json'

export type Explained = { readonly token: string; readonly explanation: string; readonly example: string }
export type OperatorReference = (typeof table.operators)[number]
export type FunctionReference = (typeof table.functions)[number]

export const OPERATORS: readonly OperatorReference[] = table.operators
export const FUNCTIONS: readonly FunctionReference[] = [...table.functions, ...reading.functions, ...writing.functions]
export const WORDS: readonly Explained[] = [...table.words, ...reading.words, ...writing.words]
