// What the rest of the client uses of the language: expressions. Four parts are not exported here because they are
// loaded only when they are needed: sentences (./en), explanations of operators (./reference), what could stand at the
// caret (./text/completion), whole programs and helpers (./program).

export { type Scope } from './checking/checker'
export { lacksArrays } from './extension'
export { Stop } from './running/compiler'
export { cellTexts } from './cells'
export { formatValue, type Scalar, shortValue, type Value } from './running/numbers'
export { FUNCTIONS, OPERATORS } from './operators'
export { parseExpression } from './text/parser'
export { printExpression } from './text/printer'
export { elementOf, type Expr, type Span, type Type } from './syntax'
export {
  fromCodePoints,
  hint,
  type Language,
  lineAndColumn,
  message,
  type Problem,
  SipError,
  toCodePoints,
} from './problems'
export { highlight } from './text/tokens'
export {
  type Coloured,
  colour,
  fails,
  type Helpers,
  nextFailing,
  proposalProblems,
  type Refusal,
  readExpression,
  type Subexpression,
  subexpressions,
  Trace,
  type TraceData,
} from './running/trace'
