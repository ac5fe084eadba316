// Why a fact is refuted or not proved yet: in words, and as the rows that show it.

import type { Fact, RefutingRun, Transition, UnprovedPlace } from '../wire'
import type { Say } from '../strings/game'
import { type Evidence, evidence, inputsOf, placeText, type RawRow } from './evidence'
import { type GameState, sameFact } from './state'

/** What every function of a message needs: the state of the game, and the function that says sentences. */
export type Context = { readonly state: GameState; readonly t: Say }

/** How many rows of a refuting run are shown; the last ones, because the last one refutes. */
const ROWS_SHOWN_MAX = 5

/**
 * Whether the player sees the code. The game without code speaks of the table alone: there is no guarantee, no loop
 * test and no line to point to.
 */
export const hasCode = ({ state }: Context): boolean => state.variant === 'code'

/** Why a fact is not inductive yet: what it waits for, or what the transition shows. */
export function whyNotText(context: Context, transition?: Transition | null, waitsFor?: readonly Fact[]): string {
  if (waitsFor?.length) return context.t('transition.waits', factList(context, waitsFor))
  return transition ? transitionText(context, transition) : context.t('transition.none')
}

/** What a transition shows. It says no more than is known: other loops on the way are known by their facts only. */
function transitionText(context: Context, { at_entry, broken = [], passed = [] }: Transition): string {
  const { t } = context
  const loops = joined(
    context,
    passed.map(({ loop }) => t('transition.loop', loop)),
  )
  if (at_entry) return loops ? t('transition.entryPassing', loops) : t('transition.entry')
  const facts = broken.length ? factList(context, broken) : ''
  if (loops) return facts ? t('transition.passingBroken', loops, facts) : t('transition.passing', loops)
  if (facts) return t('transition.broken', facts)
  return t(hasCode(context) ? 'transition.turn' : 'traceGame.turn')
}

/** The sentence that names what an answer rests on; none where that is nothing. */
export function restsOnText(context: Context, restsOn: readonly UnprovedPlace[] | undefined): string[] {
  if (!restsOn?.length) return []
  const { t } = context
  return [hasCode(context) ? t('rests.text', placeList(context, restsOn), restsOn.length) : t('rests.withoutCode')]
}

/** What stands beside a fact of a list that rests on something; empty where it rests on nothing. */
export function restsOnNote(context: Context, fact: Fact): string {
  const { state, t } = context
  const resting = state.feedback.resting?.find((restingFact) => sameFact(restingFact, fact))
  if (!resting) return ''
  return hasCode(context) ? t('list.rests', placeList(context, resting.rests_on)) : t('rests.listWithoutCode')
}

const placeList = (context: Context, places: readonly UnprovedPlace[]): string =>
  joined(
    context,
    places.map(({ cause, where, expression }) =>
      context.t('rests.place', placeText(context.t, cause, where.line), expression),
    ),
  )

/** The initial values of a run that nothing determines, if some are not zero: zeros go without saying. */
export const unusualStart = (run: Pick<RefutingRun, 'choices'> | null | undefined): string =>
  (run?.choices ?? [])
    .filter(({ initial }) => initial)
    .flatMap(({ values }) => Object.entries(values))
    .filter(([, value]) => value !== '0' && value !== 'false')
    .map(([name, value]) => `\`${name} = ${value}\``)
    .join(', ')

export function runEvidence(context: Context, run: RefutingRun, loop: number): Evidence {
  const { t } = context
  const first = Math.max(0, run.rows.length - ROWS_SHOWN_MAX)
  const raw = run.rows.slice(first).map((row, index, all): RawRow => ({
    label: `${t('trace.row')} ${run.first_row + first + index + 1}`,
    values: Object.fromEntries(run.columns.map((name, column) => [name, row[column] ?? ''])),
    look: index === all.length - 1 ? 'fails' : 'neutral',
  }))
  const shown = evidence(context.state.program, t('nonInvariant.run'), loop, raw, {
    earlier: run.first_row + first,
    inputs: run.function ? null : run.inputs,
    seed: run.seed,
    pointers: [{ number: 1, mark: 'head', look: 'fails' }],
  })
  return { ...shown, rows: shown.rows.map((row) => ({ ...row, number: row.look === 'fails' ? 1 : 0 })) }
}

export function transitionEvidence(context: Context, transition: Transition, loop: number): Evidence {
  const { state, t } = context
  const { before, after, at_entry, passed = [] } = transition
  if (at_entry) {
    const raw: RawRow[] = [{ label: t('transition.first'), values: after, look: 'fails' }]
    return evidence(context.state.program, t('transition.arrival'), loop, raw, {
      pointers: [{ number: 1, mark: 'head', look: 'fails' }],
      inputs: inputsOf(state.program, loop, after),
    })
  }
  const raw: RawRow[] = [
    { label: t('transition.before'), values: before, look: 'holds' },
    ...passed.map(({ loop: left, state: values }): RawRow => ({
      label: t('transition.left', left),
      values,
      look: 'neutral',
    })),
    { label: t('transition.after'), values: after, look: 'fails' },
  ]
  return evidence(context.state.program, t(passed.length ? 'transition.possible' : 'transition.table'), loop, raw, {
    test: hasCode(context) ? true : null,
    inputs: inputsOf(state.program, loop, before),
    pointers: [
      { number: 1, mark: 'head', look: 'holds' },
      { number: 2, mark: 'end', look: 'fails' },
    ],
  })
}

// In words

export function factList(context: Context, facts: readonly Fact[]): string {
  const { state, t } = context
  return joined(
    context,
    facts.map(({ expression, loop }) =>
      state.program.loops.length > 1 ? t('fact.loop', expression, loop) : `\`${expression}\``,
    ),
  )
}

export function joined({ t }: Context, texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')}${t('list.and')}${texts.at(-1)}`
}
