// Ghosts: the states to rule out. An exit ghost is a state from which the program would break its promise. A step ghost
// is a state from which one turn breaks a fact that is not proved yet. What rules a ghost out is read off the lists of
// the engine; what a draft would do is a preview.

import type { Values } from '../../api'
import type { Fact, OwnedFact, StateToRuleOut, Transition } from '../../wire'
import { type Helpers, lacksArrays, parseExpression, readExpression, type Trace } from '../../core'
import { stateTrace } from './table'
import { factKey, type GameState } from '../state'

export type GhostName = 'A' | 'B' | 'C'
export type Ghost = {
  readonly name: GhostName
  readonly loop: number
  /** The state to rule out. */
  readonly values: Values
  /** The state after one turn; null for an exit ghost and for a first arrival. */
  readonly after: Values | null
  /** The names whose values in `after` are wrong. */
  readonly wrong: readonly string[]
  /** For a step ghost: the waiting fact that the turn breaks. */
  readonly breaks: Fact | null
  /** For the turn in which a measure may not fall: the measure. */
  readonly falls: Fact | null
  /** For a step ghost: whether this is a first arrival at the loop and no turn. */
  readonly atEntry: boolean
  /** For a step ghost: whether other loops lie on the way. The turn is possible only as far as these are known. */
  readonly passing: boolean
  /** For an exit ghost: where the program would break its promise. */
  readonly exit: StateToRuleOut | null
  /** The waiting facts that are false in the state: they hold the ghost until they are proved. */
  readonly heldBy: readonly Fact[]
  readonly trace: Trace
}

/** What a draft would do to a ghost. It is a preview; only the engine's lists rule a ghost out. */
export type Fate = 'stays' | 'goes' | 'unknown'

export function fateOf(ghost: Ghost, text: string): Fate {
  const value = valueAt(ghost.trace, text)
  return value === null ? 'unknown' : value ? 'stays' : 'goes'
}

/** Whether a text is true in the state of a trace with one row; null where that cannot be said here. */
export function valueAt(trace: Trace, text: string): boolean | null {
  const read = readExpression(text, trace.scope)
  if (!read.ok || read.type !== 'bool' || !trace.knowsOlds(read.expr)) return null
  const value = trace.evaluator(read.expr)(0)
  return typeof value === 'boolean' ? value : null
}

type Candidate = Omit<Ghost, 'heldBy' | 'trace' | 'name'>

/**
 * The ghosts of the room, at whatever loop they are: A at most one exit ghost, B at most one step ghost, C at most one
 * turn in which a measure may not fall.
 */
export function ghostsOf(state: GameState, helpers?: Helpers): readonly Ghost[] {
  return [...(state.solved ? [] : factGhosts(state, helpers)), ...turnGhost(state, helpers)]
}

/** The turn that a waiting measure has to survive; none where every run is known to end, or one never to. */
function turnGhost(state: GameState, helpers?: Helpers): readonly Ghost[] {
  if (state.ends) return []
  const waiting = state.measures.filter((measure) => !measure.proved).reverse()
  const living = waiting.flatMap((measure) => {
    const turn = state.turns[factKey(measure)]
    if (!turn) return []
    const { before: values, after } = turn
    const passing = (turn.passed ?? []).length > 0
    const candidate = {
      loop: measure.loop,
      values,
      after,
      wrong: [],
      breaks: null,
      atEntry: false,
      passing,
      exit: null,
    }
    return ghost(state, 'C', { ...candidate, falls: measure }, helpers) ?? []
  })
  const shown = living.find(({ loop }) => loop === state.loop) ?? living[0]
  return shown ? [shown] : []
}

function factGhosts(state: GameState, helpers?: Helpers): readonly Ghost[] {
  // The game without code does not speak of a goal.
  const exit = state.variant === 'code' ? exitCandidate(state) : null
  const steps = stepCandidates(state)
  const found: Ghost[] = []
  const a = exit && ghost(state, 'A', exit, helpers)
  if (a) found.push(a)
  const living = steps.flatMap((step) => ghost(state, 'B', step, helpers) ?? [])
  // The player's loop first; there, what was chosen or came last.
  const b = living.find(({ loop }) => loop === state.loop) ?? living[0]
  if (b) found.push(b)
  return found
}

function exitCandidate({ feedback }: GameState): Candidate | null {
  const { state: exit } = feedback
  if (!exit) return null
  return {
    loop: exit.loop,
    values: exit.values,
    after: null,
    wrong: [],
    breaks: null,
    falls: null,
    atEntry: false,
    passing: false,
    exit,
  }
}

/** The steps that break waiting facts, the chosen one first, then the latest. */
function stepCandidates(state: GameState): Candidate[] {
  const waiting = [...state.potential].reverse()
  const chosen = waiting.filter((fact) => factKey(fact) === state.chosenStep)
  return [...chosen, ...waiting].flatMap((fact) => {
    const transition = state.steps[factKey(fact)]
    return transition ? [stepCandidate(fact, transition)] : []
  })
}

function stepCandidate(fact: Fact, { before, after, at_entry, passed = [] }: Transition): Candidate {
  const values = at_entry ? after : before
  const moved = at_entry ? null : after
  const wrong = moved ? wrongNames(fact.expression, before, moved) : []
  const passing = passed.length > 0
  return {
    loop: fact.loop,
    values,
    after: moved,
    wrong,
    breaks: fact,
    falls: null,
    atEntry: at_entry,
    passing,
    exit: null,
  }
}

/** The ghost, unless a proved fact rules it out already. */
function ghost(state: GameState, name: GhostName, candidate: Candidate, helpers?: Helpers): Ghost | null {
  const trace = stateTrace(state.program, candidate.loop, candidate.values, helpers)
  if (!trace) return null
  const rulesOut = ({ loop, expression }: OwnedFact): boolean =>
    loop === candidate.loop && valueAt(trace, expression) === false
  if (state.inductive.some(rulesOut)) return null
  return { ...candidate, name, trace, heldBy: state.potential.filter(rulesOut) }
}

/** Whose value a step gets wrong: the name that an equation defines, or else what the fact names and a turn changes. */
function wrongNames(expression: string, before: Values, after: Values): readonly string[] {
  const expr = lacksArrays(expression) ? null : parseExpression(expression)
  const changed = (name: string): boolean => before[name] !== after[name]
  if (expr?.kind === 'compare' && expr.ops.length === 1 && expr.ops[0] === '=') {
    const defined = expr.operands.flatMap((side) => (side.kind === 'name' && changed(side.name) ? [side.name] : []))
    if (defined[0]) return [defined[0]]
  }
  const names = new Set(expression.match(/[A-Za-z_]\w*/g) ?? [])
  return Object.keys(after).filter((name) => names.has(name) && changed(name))
}
