// Whole programs in the browser, for the errors that the editor shows while somebody types, and for helpers that
// expressions call. This part of the language is loaded when it is needed.

import '../arrays'
import type { Hidden } from '../checking/checker'
import type { Type } from '../syntax'
import { SipError } from '../problems'
import type { Helpers, Refusal, TraceData } from '../running/trace'
import { checkFunctions, type FunctionInfo, type LoopInfo, type ProgramInfo } from './analysis'
import { CompiledHelpers } from './helpers'
import { parseProgram } from './parser'
import type { SipFunction } from './syntax'

export type { LoopInfo } from './analysis'
export { ENGLISH } from './en'
export { parseProgram } from './parser'
export type { SipFunction } from './syntax'

/** A checked program. */
export class CheckedProgram {
  readonly helpers: Helpers
  /** All loops: those of the level in the order of the text, then those of its helpers. */
  readonly loops: readonly LoopInfo[]
  private readonly levelInfo: FunctionInfo

  constructor(
    readonly text: string,
    private readonly info: ProgramInfo,
  ) {
    this.levelInfo = info.functions.get(info.level) as FunctionInfo
    this.helpers = new CompiledHelpers(info)
    const inOrder = [this.levelInfo, ...[...info.functions.values()].filter((other) => other !== this.levelInfo)]
    const loops: LoopInfo[] = []
    for (const { loops: own } of inOrder) {
      const before = loops.length
      for (const loop of own)
        loops.push({ ...loop, number: loop.number + before, outer: loop.outer === null ? null : loop.outer + before })
    }
    this.loops = loops
  }

  /** The function that players reason about: the last one. */
  get level(): SipFunction {
    return this.levelInfo.function
  }

  /** What a proposal for this loop may refer to: the data of a trace without its values. */
  situation(loop: LoopInfo): Omit<TraceData, 'rows' | 'old'> {
    const { columns } = loop
    const { variables, function: own } = this.info.functions.get(loop.function) as FunctionInfo
    const unseen = [...variables.keys()].filter((name) => !columns.includes(name))
    return {
      columns,
      types: Object.fromEntries(columns.map((name) => [name, variables.get(name) as Type])),
      params: Object.fromEntries(own.params.map(({ name, type }) => [name, type])),
      uncalled: loop.function === this.info.level ? '' : this.info.level,
      hidden: Object.fromEntries(
        unseen.map((name): [string, Hidden] => [name, name === 'result' ? 'no-result-here' : 'out-of-scope']),
      ),
    }
  }
}

/** Reads a text as a checked program, or returns everything that is wrong with it. */
export function loadProgram(text: string): { readonly ok: true; readonly program: CheckedProgram } | Refusal {
  try {
    const { info, problems } = checkFunctions(parseProgram(text))
    if (problems.length) throw new SipError(problems)
    return { ok: true, program: new CheckedProgram(text, info) }
  } catch (error) {
    if (!(error instanceof SipError)) throw error
    return { ok: false, problems: error.problems, more: error.more }
  }
}
