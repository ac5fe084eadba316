// The door to the language for everything else in the client: expressions. Loaded apart, when needed: a table of sentences
// (./en), explanations of operators (./reference), whole programs and helpers (./program).

export { FACT, type Hidden, type Scope } from './checker'
export { type Cause, Stop } from './compile'
export { type Candidate, type Completion, complete } from './complete'
export { formatValue, shortValue, type Value } from './numbers'
export { FUNCTIONS, OPERATORS } from './operators'
export { parseExpression } from './parser'
export { printExpression } from './printer'
export type { Expr, Signature, Span, Type } from './syntax'
export {
  fromCodePoints,
  hint,
  type Language,
  lineAndColumn,
  message,
  type Problem,
  SipError,
  say,
  type Text,
  toCodePoints,
} from './text'
export { type Highlight, highlight } from './tokens'
export {
  type Coloured,
  colour,
  duplicate,
  fails,
  type Helpers,
  nextFailing,
  type Part,
  proposalProblems,
  type Reading,
  type Refusal,
  read,
  subexpressions,
  Trace,
  type TraceData,
} from './trace'
