// Canonical S-expressions of expressions, as spec/README.md describes them. Tests compare trees by them.

import { arrayPart } from '../extension'
import { formatValue } from '../running/numbers'
import type { Expr } from '../syntax'

export const form = (head: string, ...parts: readonly string[]): string => `(${[head, ...parts].join(' ')})`

export function expressionSexpr(expr: Expr): string {
  switch (expr.kind) {
    case 'number':
      return formatValue(expr.value)
    case 'boolean':
      return `${expr.value}`
    case 'name':
      return expr.name
    case 'old':
      return form('old', expr.name)
    case 'unary':
      return form(expr.op === '-' ? 'neg' : 'not', expressionSexpr(expr.operand))
    case 'binary':
      return form(expr.op, expressionSexpr(expr.left), expressionSexpr(expr.right))
    case 'compare': {
      const [first = '', ...others] = expr.operands.map(expressionSexpr)
      return form('chain', first, ...others.map((operand, index) => `${expr.ops[index]} ${operand}`))
    }
    case 'call':
      return form('call', expr.name, ...expr.args.map(expressionSexpr))
    default:
      return arrayPart()?.sexpr(expr) ?? ''
  }
}
