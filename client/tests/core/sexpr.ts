// Canonical S-expressions of programs, as spec/README.md describes them.

import { parseProgram, type SipFunction } from '../../src/core/program'
import type { Block, Stmt } from '../../src/core/program/syntax'
import { expressionSexpr, form } from '../../src/core/text/sexpr'

export const programSexpr = (text: string): string => form('program', ...parseProgram(text).map(functionSexpr))

function functionSexpr(each: SipFunction): string {
  return form(
    'fn',
    each.name,
    form('params', ...each.params.map(({ name, type }) => `(${name} ${type})`)),
    ...(each.result ? [form('result', each.result)] : []),
    ...each.pres.map((pre) => form('pre', expressionSexpr(pre))),
    ...each.posts.map((post) => form('post', expressionSexpr(post))),
    form('body', ...blockSexpr(each.body)),
  )
}

const blockSexpr = (block: Block): string[] => block.statements.map(statementSexpr)
const namesSexpr = (names: readonly { name: string }[]): string => `(${names.map(({ name }) => name).join(' ')})`

function statementSexpr(each: Stmt): string {
  switch (each.kind) {
    case 'var':
      return form('var', namesSexpr(each.names), each.type, ...(each.value ? [expressionSexpr(each.value)] : []))
    case 'assign':
      return form('assign', each.target.name, expressionSexpr(each.value))
    case 'if': {
      const cases = each.branches.map(({ test, body }) => form('case', expressionSexpr(test), ...blockSexpr(body)))
      return form(
        'if',
        ...cases,
        ...(each.otherwise.statements.length ? [form('else', ...blockSexpr(each.otherwise))] : []),
      )
    }
    case 'while': {
      const given = each.invariant ? [form('invariant', expressionSexpr(each.invariant))] : []
      return form('while', ...given, form('test', expressionSexpr(each.test)), form('body', ...blockSexpr(each.body)))
    }
    case 'print':
      return form('print', ...each.values.map(expressionSexpr))
    case 'cassign':
      return form('cassign', namesSexpr(each.targets), expressionSexpr(each.condition))
    case 'return':
      return form('return', expressionSexpr(each.value))
    default:
      return form(each.kind, expressionSexpr(each.condition))
  }
}
