// Why a fact is refuted or not proved yet: in words, and as the rows that show it.

import type { Fact, RefutingRun, Transition, UnprovedPlace } from '../wire'
import type { Say } from '../strings/answers'
import { placeText } from './place'
import { type GameState, sameFact } from './state'

/** What every function of a message needs: the state of the game, and the function that says sentences. */
export type Context = { readonly state: GameState; readonly t: Say }

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
