// What each operator, built-in function and word means, in English and with an example. The reference and the glossary
// show it. It is not part of the first load.

import table from '../../../spec/operators.json'

export type Explained = { readonly token: string; readonly explanation: string; readonly example: string }
export type OperatorReference = (typeof table.operators)[number]
export type FunctionReference = (typeof table.functions)[number]

export const OPERATORS: readonly OperatorReference[] = table.operators
export const FUNCTIONS: readonly FunctionReference[] = table.functions
export const WORDS: readonly Explained[] = table.words
