// What the built-in agent makes of a program, in sentences: how hard the level is, the run that breaks the guarantee,
// or the state that could not be ruled out.

import type { Values } from '../api'
import type { Assessment, ErrorAnswer, ProgramAnswer, RunInputs, StateToRuleOut, TraceAnswer, Where } from '../wire'
import { type Evidence, evidence, inputsOf, type RawRow } from '../game/evidence'
import { placeText, STATED } from '../game/place'
import type { Say } from '../strings/answers'
import type { SayPages } from '../strings/pages'

/** How the text looks, as with the messages of the game. */
export type AssessmentTone = 'good' | 'bad' | 'unknown' | 'trouble'
export type AssessmentText = {
  readonly tone: AssessmentTone
  readonly headline: string
  readonly text: readonly string[]
  readonly tables: readonly Evidence[]
  /** What this means for the author of the program. */
  readonly next: string
  /** From 1 to 5; null where it is not known. */
  readonly difficulty: number | null
}
type Translators = { readonly p: SayPages; readonly t: Say }

/** How many rows of a run are shown. */
const ROWS_SHOWN_MAX = 6
/** How many characters of an input a sentence shows; longer numbers are cut in the middle. */
const VALUE_CHARS_MAX = 40

const NO_INPUTS: RunInputs = { inputs: {}, seed: 0 }

const plainText = (
  tone: AssessmentTone,
  headline: string,
  text: readonly string[],
  rest: Partial<AssessmentText> = {},
): AssessmentText => ({
  tone,
  headline,
  text,
  tables: [],
  next: '',
  difficulty: null,
  ...rest,
})

/** `run` is the run of a refutation, with its rows. */
export function assessmentText(
  translators: Translators,
  program: ProgramAnswer,
  assessment: Assessment,
  run: TraceAnswer | null,
): AssessmentText {
  switch (assessment.outcome) {
    case 'solved':
      return solved(translators, assessment)
    case 'refuted':
      return refuted(translators, program, assessment.run ?? NO_INPUTS, run)
    case 'open':
      return open(translators, program, assessment)
  }
}

function solved({ p }: Translators, assessment: Assessment): AssessmentText {
  const { invariants, degree = 1, rounds, difficulty = null } = assessment
  if (!invariants) return plainText('good', p('assess.solved'), [p('assess.nothing')], { difficulty })
  return plainText('good', p('assess.solved'), [p('assess.needed', invariants, degree, rounds)], {
    next: p('assess.people'),
    difficulty,
  })
}

// A wrong guarantee

function refuted(
  translators: Translators,
  program: ProgramAnswer,
  { inputs, seed, choices = [] }: RunInputs,
  run: TraceAnswer | null,
): AssessmentText {
  const { p } = translators
  const chosen = program.chooses ? [p('assess.choices', seed)] : []
  const text = choices.length ? [p('assess.chosen')] : chosen
  const outcome = run?.outcome
  const tables = run ? runTables(translators, program, run) : []
  if (outcome?.kind !== 'failed')
    return plainText('bad', p('assess.refuted'), [p('assess.long', written(inputs)), ...text], {
      tables,
      next: p('assess.nobody'),
    })
  const headline = isPromised(program, outcome.where) ? p('assess.refuted') : p('assess.goesWrong')
  return plainText('bad', headline, [broken(translators, program, inputs, outcome.cause, outcome.where), ...text], {
    tables,
    next: p('assess.nobody'),
  })
}

/** Whether it is the guarantee that is broken, and not another obligation of the program. */
const isPromised = (program: ProgramAnswer, { start, end }: Where): boolean =>
  program.guarantee.expressions.some(({ where }) => where.start < end && start < where.end)

function broken({ p, t }: Translators, program: ProgramAnswer, inputs: Values, cause: string, where: Where): string {
  const place = placeText(t, cause, where.line)
  // The offsets of the server count code points.
  const expression = [...program.source].slice(where.start, where.end).join('').replace(/\s+/g, ' ')
  const isStated = STATED.has(cause)
  if (!Object.keys(inputs).length) return p(isStated ? 'assess.ends' : 'assess.endsWrong', place, expression)
  return p(isStated ? 'assess.started' : 'assess.startedWrong', written(inputs), place, expression)
}

function runTables({ p, t }: Translators, program: ProgramAnswer, run: TraceAnswer): Evidence[] {
  const { outcome } = run
  const seen = run.loops.filter((loop) => loop.rows.length)
  const tables = seen.map(({ loop, columns, rows, rows_total }) => {
    // Where the server cut a long run, its end is missing, so its start is shown.
    const first = rows_total > rows.length ? 0 : Math.max(0, rows.length - ROWS_SHOWN_MAX)
    const raw = rows.slice(first, first + ROWS_SHOWN_MAX).map((row, index): RawRow => ({
      label: `${t('trace.row')} ${first + index + 1}`,
      values: Object.fromEntries(columns.map((name, column) => [name, row[column] ?? ''])),
      look: 'neutral',
    }))
    const title = program.loops.length > 1 ? p('assess.runLoop', loop) : p('assess.run')
    return evidence(program, title, loop, raw, { earlier: first })
  })
  if (outcome.kind !== 'failed' || !Object.keys(outcome.values).length) return tables
  const { values, where } = outcome
  const failing = tables.findLastIndex(
    (table, index) => seen[index]?.rows_total === seen[index]?.rows.length && endsWith(table, values),
  )
  if (failing >= 0) return tables.map((table, index) => (index === failing ? withFailingEnd(table) : table))
  const raw: RawRow = { label: `${p('assess.line', where.line)} ✗`, values, look: 'fails' }
  return [...tables, evidence(program, p('assess.place'), 1, [raw])]
}

const withFailingEnd = (table: Evidence): Evidence => ({
  ...table,
  rows: table.rows.map((row, index, all) =>
    index === all.length - 1 ? { ...row, label: `${row.label} ✗`, look: 'fails' } : row,
  ),
})

/** Whether the last row of the table shows these values already. */
const endsWith = ({ columns, rows }: Evidence, values: Values): boolean =>
  Object.entries(values).every(([name, value]) => rows.at(-1)?.values[columns.indexOf(name)] === value)

/** The inputs as part of a sentence. */
function written(inputs: Values): string {
  const short = (value: string): string =>
    value.length > VALUE_CHARS_MAX ? `${value.slice(0, VALUE_CHARS_MAX - 10)}…${value.slice(-8)}` : value
  return Object.entries(inputs)
    .map(([name, value]) => `${name} = ${short(value)}`)
    .join(', ')
}

// Neither proved nor refuted

function open(
  translators: Translators,
  program: ProgramAnswer,
  { feedback, invariants, rounds }: Assessment,
): AssessmentText {
  const { p, t } = translators
  if (feedback?.too_large)
    return plainText('unknown', t('tooLarge.headline'), [p('assess.tooLargeText', feedback.too_large)])
  const { failing, state } = feedback ?? {}
  if (failing)
    return plainText('unknown', p('assess.open'), [
      failing.function
        ? t(
            'failing.helper',
            failing.function,
            written(failing.inputs),
            placeText(t, failing.cause, failing.where.line),
          )
        : p('assess.failing', written(failing.inputs), placeText(t, failing.cause, failing.where.line)),
    ])
  const text = p('assess.openText', invariants, rounds)
  if (!state) return plainText('unknown', p('assess.open'), [text, p('assess.noState')])
  const table = evidence(
    program,
    p('assess.stateTitle'),
    state.loop,
    [{ label: t('state.row'), values: state.values, look: 'neutral' }],
    {
      test: state.inside,
      inputs: inputsOf(program, state.loop, state.values),
    },
  )
  return plainText('unknown', p('assess.open'), [text, left(translators, program, state)], {
    tables: [table],
    next: p('assess.stateLeft'),
  })
}

function left({ p, t }: Translators, program: ProgramAnswer, state: StateToRuleOut): string {
  const place = placeText(t, state.cause, state.where.line)
  const sentence = state.inside
    ? p('assess.stateInside', place)
    : p(STATED.has(state.cause) ? 'assess.state' : 'assess.stateWrong', place)
  return program.loops.length > 1 ? `${sentence} ${t('state.loop', state.loop)}` : sentence
}

// No answer

/** Why the agent could not be asked. `seconds` says when it is asked again by itself, where it is. */
export function noAnswerText(translators: Translators, problem: ErrorAnswer, seconds: number | null): AssessmentText {
  const [headline, ...text] = troubleWords(translators, problem)
  return plainText(
    'trouble',
    headline,
    seconds === null ? text : [...text, translators.t('trouble.wait', Math.max(1, seconds))],
  )
}

function troubleWords({ p, t }: Translators, problem: ErrorAnswer): readonly [string, ...string[]] {
  switch (problem.code) {
    case 'gone':
      return [t('trouble.gone')]
    case 'busy':
    case 'full':
      return [t('trouble.busy'), p('assess.kept')]
    case 'store-unavailable':
      return [t('trouble.cannotSave'), p('assess.kept')]
    case 'too-fast':
      return [t('trouble.tooFast'), p('assess.kept')]
    case 'no-engine':
      return [t('trouble.noEngine'), p('assess.kept')]
    case 'no-answer':
      return [p('assess.noAnswer'), p('assess.noAnswerText')]
    case 'not-found':
      return [p('assess.notFound'), p('assess.notFoundText')]
    default:
      return [p('assess.failed'), t('trouble.said', [problem.message, problem.hint].filter(Boolean).join('; '))]
  }
}
