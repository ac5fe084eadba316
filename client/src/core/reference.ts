// What each operator, built-in function and word means, with an example, in English: for the reference and for what completion
// shows beside a candidate. Not part of the first load.

import table from '../../../spec/operators.json'

export type Explained = { readonly token: string; readonly explanation: string; readonly example: string }
export type OperatorReference = (typeof table.operators)[number]
export type FunctionReference = (typeof table.functions)[number]

export const OPERATORS: readonly OperatorReference[] = table.operators
export const FUNCTIONS: readonly FunctionReference[] = table.functions
export const WORDS: readonly Explained[] = table.words
