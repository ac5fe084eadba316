// What the facts carry: the goal in its parts, what each fact is for and what it waits for. All of it comes from the
// engine; where that is not known, nothing is said.

import type { BoardAnswer, Fact, GoalPartAnswer } from '../../wire'
import { type Expr, parseExpression, printExpression } from '../../core'
import { type GameState, sameFact } from '../state'

export type ShownPart = Pick<GoalPartAnswer, 'number' | 'text' | 'status'> & {
  readonly uses: readonly Fact[]
  readonly waitsFor: readonly Fact[]
  /** Whether the ghost A is a state in which this part would be false. */
  readonly haunted: boolean
  /** Whether a run breaks it, so that no fact can prove it. */
  readonly broken: boolean
}

/** The parts of the goal. Until the engine has told them they are read off the program, and open. */
export function partsOf(state: GameState): readonly ShownPart[] {
  const { board, solved, feedback } = state
  if (!board)
    return conjunctsOf(state).map((text, index) => ({
      number: index + 1,
      text,
      status: solved ? 'proved' : 'open',
      uses: [],
      waitsFor: [],
      haunted: false,
      broken: false,
    }))
  return board.parts.map(({ number, text, status, uses, waits_for, where, cause, failing }) => ({
    number,
    text,
    status: solved ? 'proved' : status,
    uses,
    waitsFor: waits_for.filter((fact) => state.potential.some((listed) => sameFact(listed, fact))),
    haunted:
      status === 'open' &&
      feedback.state !== null &&
      feedback.state.cause === cause &&
      feedback.state.where.start === where.start,
    broken: failing !== null,
  }))
}

/** The conjuncts of everything that the program promises. */
function conjunctsOf({ program }: GameState): string[] {
  const conjuncts = (expr: Expr): Expr[] =>
    expr.kind === 'binary' && expr.op === '&' ? [...conjuncts(expr.left), ...conjuncts(expr.right)] : [expr]
  return program.guarantee.expressions.flatMap(({ text }) => conjuncts(parseExpression(text)).map(printExpression))
}

/** The numbers of the parts that a fact carries, or would carry once it is proved. */
export function partsFor(state: GameState, fact: Fact): readonly number[] {
  const told = [...(state.board?.proved ?? []), ...(state.board?.waiting ?? [])].find((one) => sameFact(one, fact))
  return told?.parts ?? []
}

/** The facts that a waiting fact waits for, as far as they still wait themselves. */
export function waitsFor(state: GameState, fact: Fact): readonly Fact[] {
  const told = state.board?.waiting.find((one) => sameFact(one, fact))?.waits_for ?? []
  return told.filter((one) => state.potential.some((listed) => sameFact(listed, one)))
}

/** The proved facts whose proofs use this one. */
export function helps(state: GameState, fact: Fact): readonly Fact[] {
  return (state.board?.proved ?? []).filter(
    (one) => !sameFact(one, fact) && one.uses.some((used) => sameFact(used, fact)),
  )
}

/** Whether the proof can do without a proved fact; false where that is not known. */
export const isUnneeded = (board: BoardAnswer | null, fact: Fact): boolean =>
  board?.proved.find((one) => sameFact(one, fact))?.needed === false
