// Arrays and quantifiers in expressions: loading this module makes the language know them.

import { enter } from '../extension'
import { FUNCTIONS, KEYWORDS } from '../operators'
import { call, code } from './running'
import { callType, compared, scalarType, typeOf } from './checking'
import { args, BUILTINS, candidates, foreign, FUNCTION_NAMES, operand, print, QUANTIFIERS, range, sexpr } from './text'

for (const builtin of BUILTINS) FUNCTIONS.set(builtin.name, builtin)
for (const word of QUANTIFIERS) KEYWORDS.set(word, word)
enter({
  operand,
  range,
  typeOf,
  scalarType,
  callType,
  compared,
  code,
  call,
  print,
  args,
  sexpr,
  functions: FUNCTION_NAMES,
  foreign,
  candidates,
})
