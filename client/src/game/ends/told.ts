// The messages about the end of the program's runs: verdicts on measures, and on runs that are said never to end.

import type { EndingReport, EndlessJudged, MeasureJudged, TurnReport } from '../../wire'
import type { Message, MessageSign } from '../messages'
import { runLabel } from '../board/runs'
import { type Context, factList, restsOnText } from '../why'

type Told = Pick<Message, 'kind' | 'sign' | 'headline' | 'text'> & { readonly details?: readonly string[] }
const told = (
  kind: string,
  sign: MessageSign,
  headline: string,
  text: readonly string[],
  details: string[] = [],
): Told => ({
  kind,
  sign,
  headline,
  text,
  details,
})

/** What a proposed measure is. */
export function measureMessage(context: Context, verdict: MeasureJudged): Told {
  const { t } = context
  const { kind, report, ending, limited } = verdict
  const text = report.measure
  if (limited)
    return told('limited', 'unknown', t('measure.unknown', text), [t(`limited.${limited}`), t('measure.unknownText')])
  switch (kind) {
    case 'falls':
      return told(
        kind,
        ending.status === 'ends' ? 'lamp' : 'proved',
        t('measure.falls', text),
        [
          t('measure.fallsText'),
          ...(report.uses?.length ? [t('measure.uses', factList(context, report.uses))] : []),
          ...restsOnText(context, report.rests_on),
          ...endingText(context, ending),
        ],
        [t('measure.technical')],
      )
    case 'does-not-fall':
      return told(
        kind,
        'false',
        t('measure.doesNotFall', text),
        report.turn
          ? [t('measure.inRun', runLabel(runOf(report.turn)), (report.turn.row ?? 0) + 1), change(context, report.turn)]
          : [],
        [t('measure.doesNotFallNext'), t('measure.technical')],
      )
    case 'may-not-fall':
      return told(kind, 'wait', t('measure.mayNotFall', text), [
        report.waits_for?.length
          ? t('measure.waitsFor', factList(context, report.waits_for))
          : report.turn
            ? `${t('measure.mayNotFallText')} ${change(context, report.turn)}`
            : t('measure.mayNotFallPlain'),
        ...(report.turn ? [t('measure.mayNotFallNext')] : []),
      ])
    case 'unknown':
      return told(kind, 'unknown', t('measure.unknown', text), [
        t('measure.unknownText'),
        ...(report.because ? [t('unknown.because', report.because)] : []),
      ])
  }
}

const runOf = ({ inputs, seed = 0 }: TurnReport) => ({ inputs: inputs ?? {}, seed, choices: [] })

/** How the measure changes in the turn that is shown. */
function change({ t }: Context, { measure_before: before, measure_after: after }: TurnReport): string {
  const shown = (values: readonly string[]): string =>
    values.length === 1 ? (values[0] ?? '') : `(${values.join(', ')})`
  if ([...before, ...after].includes('')) return t('measure.noValue')
  if (shown(before) === shown(after)) return t('measure.stays', shown(before))
  const first = before.findIndex((value, index) => value !== after[index])
  // A fall counts from 0 on only.
  if (before[first]?.startsWith('-') && after[first]?.startsWith('-'))
    return t('measure.below', shown(before), shown(after))
  return t('measure.goes', shown(before), shown(after))
}

/** What is known of the end of all runs. */
export function endingText({ state, t }: Context, ending: EndingReport): string[] {
  const oneProof = ending.second_check === 'not decided' ? [t('ending.oneProof')] : []
  if (ending.status === 'ends') return [t('ending.ends'), ...oneProof]
  if (ending.status === 'never ends') return [t('ending.never'), ...oneProof]
  if (ending.loops.length && state.program.loops.length > 1) return [t('ending.loops', ending.loops.join(', '))]
  if (ending.functions.length) return [t('ending.functions', ending.functions.join(', '))]
  return []
}

/** What is said of a run of which somebody says that it never ends. */
export function endlessMessage(context: Context, verdict: EndlessJudged): Told {
  const { t } = context
  const { kind, limited, because, outcome } = verdict
  const run = runLabel({ inputs: verdict.inputs, seed: 0, choices: [] })
  if (limited) return told('limited', 'unknown', t('endless.notShown', run), [t(`limited.${limited}`)])
  switch (kind) {
    case 'never-ends': {
      const never = verdict.ending.run
      const facts = (never?.stays ?? []).map((text) => `\`${text}\``).join(t('list.and'))
      const why = never?.function
        ? never.is_same_call
          ? t('endless.calls', never.function)
          : t('endless.callsAgain', never.function, facts)
        : never?.again
          ? t('endless.repeats', never.row + 1, never.again + 1)
          : t('endless.stays', facts, (never?.row ?? 0) + 1)
      return told(kind, 'lamp', t('endless.never', run), [why, ...endingText(context, verdict.ending)])
    }
    case 'run-ends':
      return told(kind, 'false', t('endless.ends', run), outcome ? [t('endless.outcome')] : [])
    case 'not-shown':
      return told(kind, 'unknown', t('endless.notShown', run), [
        because ? t('endless.choices') : t('endless.notShownText'),
      ])
  }
}
