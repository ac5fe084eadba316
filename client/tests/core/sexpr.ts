// Canonical S-expressions of programs, as spec/README.md describes them.

import { parseProgram, type SipFunction } from '../../src/core/program'
import type { Block, Stmt } from '../../src/core/program/syntax'
import type { Expr } from '../../src/core/syntax'
import { expressionSexpr, form } from '../../src/core/text/sexpr'

export const programSexpr = (text: string): string => form('program', ...parseProgram(text).map(functionSexpr))

function functionSexpr(function_: SipFunction): string {
  return form(
    'fn',
    function_.name,
    form('params', ...function_.params.map(({ name, type }) => `(${name} ${type})`)),
    ...(function_.result ? [form('result', function_.result)] : []),
    ...function_.pres.map((pre) => form('pre', expressionSexpr(pre))),
    ...function_.posts.map((post) => form('post', expressionSexpr(post))),
    ...measureSexpr(function_.measure),
    form('body', ...blockSexpr(function_.body)),
  )
}

const measureSexpr = (measure: readonly Expr[]): string[] =>
  measure.length ? [form('decreases', ...measure.map(expressionSexpr))] : []
const blockSexpr = (block: Block): string[] => block.statements.map(statementSexpr)
const namesSexpr = (names: readonly { name: string }[]): string => `(${names.map(({ name }) => name).join(' ')})`

function statementSexpr(statement: Stmt): string {
  switch (statement.kind) {
    case 'var':
      return form(
        'var',
        namesSexpr(statement.names),
        statement.type,
        ...(statement.length ? [form('length', expressionSexpr(statement.length))] : []),
        ...(statement.value ? [expressionSexpr(statement.value)] : []),
      )
    case 'assign':
      return form('assign', statement.target.name, expressionSexpr(statement.value))
    case 'set':
      return form('set', statement.array.name, expressionSexpr(statement.index), expressionSexpr(statement.value))
    case 'swap':
      return form('swap', statement.array.name, expressionSexpr(statement.left), expressionSexpr(statement.right))
    case 'if': {
      const cases = statement.branches.map(({ test, body }) => form('case', expressionSexpr(test), ...blockSexpr(body)))
      return form(
        'if',
        ...cases,
        ...(statement.otherwise.statements.length ? [form('else', ...blockSexpr(statement.otherwise))] : []),
      )
    }
    case 'while': {
      const given = statement.invariant ? [form('invariant', expressionSexpr(statement.invariant))] : []
      return form(
        'while',
        ...given,
        form('test', expressionSexpr(statement.test)),
        ...measureSexpr(statement.measure),
        form('body', ...blockSexpr(statement.body)),
      )
    }
    case 'print':
      return form('print', ...statement.values.map(expressionSexpr))
    case 'cassign':
      return form('cassign', namesSexpr(statement.targets), expressionSexpr(statement.condition))
    case 'return':
      return form('return', expressionSexpr(statement.value))
    case 'break':
      return form('break')
    default:
      return form(statement.kind, expressionSexpr(statement.condition))
  }
}
