// Which step a hint gives next. Five steps lead to a fact, three to a measure, two to a run that never ends.

import type { HintStep } from '../../api'
import type { GameState } from '../state'

const WAYS: readonly (readonly HintStep[])[] = [
  ['variable', 'together', 'shape', 'template', 'invariant'],
  ['falls', 'measure-template', 'measure'],
  ['endless', 'endless-run'],
]

/** Whether there is something to hint at: the goal is not proved, or the second lamp is wanted and dark. */
export const wantsHints = ({ solved, ends, program, measures }: GameState): boolean =>
  !solved || (!ends && Boolean(program.ending || measures.length))

/** The step that comes next, as far as it is known before it is asked for. */
export function nextHintStep(state: GameState): HintStep {
  const last = state.hints.at(-1)
  if (last && last.left > 0) {
    const way = WAYS.find((steps) => steps.includes(last.step))
    return way?.[way.length - last.left] ?? 'variable'
  }
  if (!state.solved) return 'variable'
  return state.program.ending === 'never ends' ? 'endless' : 'falls'
}
