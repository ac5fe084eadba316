// Arrays and quantifiers in expressions: loading this module makes the language know them.

import { enter } from '../extension'
import { FUNCTIONS, KEYWORDS } from '../operators'
import { call, code } from './running'
import { callType, scalarType, typeOf } from './checking'
import { candidates, FUNCTION_NAMES, operand, print, QUANTIFIERS, sexpr, TABLE } from './text'

for (const builtin of TABLE.functions) FUNCTIONS.set(builtin.name, builtin)
for (const word of QUANTIFIERS) KEYWORDS.set(word, word)
enter({ operand, typeOf, scalarType, callType, code, call, print, sexpr, functions: FUNCTION_NAMES, candidates })
