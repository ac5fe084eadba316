// What a message offers to do next.

import type { Choices, Values } from '../api'
import type { FailingRunAnswer, RefutingRun } from '../wire'
import { runKey, shownRun } from './board/runs'
import type { Context } from './why'

export type Action =
  | {
      readonly do:
        | 'another-state'
        | 'explain'
        | 'show-feedback'
        | 'next-level'
        | 'map'
        | 'edit'
        | 'retry'
        | 'stop'
        | 'default-trace'
        | 'show-win'
        | 'look'
    }
  | { readonly do: 'choose-loop'; readonly loop: number }
  | { readonly do: 'try-input'; readonly inputs: Values; readonly seed: number; readonly choices: Choices }
export type NextStep = { readonly text: string; readonly action: Action; readonly primary?: boolean }

/** How many choices of a run the server takes. */
const CHOICES_MAX = 4_000

/**
 * Shows the run in the table, unless it is there already. Where it chooses or starts variables, it is asked for with
 * these values, too. The server cannot be asked for a run of a helper alone.
 */
export function stepsToTry(
  { state, t }: Context,
  { inputs, seed, choices = [], function: helper }: RefutingRun | FailingRunAnswer,
): NextStep[] {
  if (helper || choices.length > CHOICES_MAX) return []
  const values = choices.map((choice) => Object.values(choice.values))
  if (runKey({ inputs, seed, choices: values }) === shownRun(state).key || state.trace.asking !== null) return []
  return [
    {
      text: t('action.showRun'),
      action: { do: 'try-input', inputs, seed, choices: values },
      primary: true,
    },
  ]
}
