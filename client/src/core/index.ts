// What the rest of the client uses of the language: expressions. Three parts are not exported here because they are
// loaded only when they are needed: sentences (./en), explanations of operators (./reference), whole programs and
// helpers (./program).

export { FACT, type Hidden, type Scope } from './checking/checker'
export { type Cause, Stop } from './running/compiler'
export { type Candidate, type Completion, complete } from './text/completion'
export { formatValue, shortValue, type Value } from './running/numbers'
export { FUNCTIONS, OPERATORS } from './operators'
export { parseExpression } from './text/parser'
export { printExpression } from './text/printer'
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
} from './problems'
export { type Highlight, highlight } from './text/tokens'
export {
  type Coloured,
  colour,
  duplicate,
  fails,
  type Helpers,
  nextFailing,
  type Subexpression,
  proposalProblems,
  type CheckedExpression,
  type Refusal,
  readExpression,
  subexpressions,
  Trace,
  type TraceData,
} from './running/trace'
