// Makes the message of a verdict: what the verdict means, the evidence, what to do next. Messages are made from data,
// in the language that the player has chosen, never from the server's English sentences. There is one function for each
// topic and one for each kind.

import type { Kind } from '../api'
import { isPattern, PATTERNS } from '../map/pattern-names'
import type {
  Earned,
  ErrorAnswer,
  Fact,
  FallenFact,
  FeedbackAnswer,
  JudgedAgain,
  ProposalAnswer,
  StateToRuleOut,
  TransitionAnswer,
} from '../wire'
import type { Say } from '../strings/answers'
import { asSip, type Evidence, evidence } from './evidence'
import { lookText, numberForInput } from './look'
import { refutationOf, runLabel, startOf } from './board/runs'
import { endlessMessage, measureMessage } from './ends/told'
import { exitText, isGuarantee, placeText } from './place'
import { type NextStep, stepsToTry } from './steps'
import { type GameState, nameOf, type Topic, type Trouble } from './state'
import { type Context, factList, hasCode, restsOnText, unusualStart, whyNotText } from './why'

/** How a message looks. Not proved, false and not decided are three different signs. */
export type MessageSign = 'ghost' | 'proved' | 'wait' | 'false' | 'known' | 'always' | 'unknown' | 'lamp' | 'trouble'

export type Message = {
  /** What the message is about, for tests and styles: the kind of a verdict, or another word. */
  readonly kind: string
  readonly sign: MessageSign
  /** At most six words and a fact. */
  readonly headline: string
  /** What it means, in a sentence or two. */
  readonly text: readonly string[]
  /** What is shown on demand. */
  readonly details: readonly string[]
  readonly evidence: Evidence | null
  readonly steps: readonly NextStep[]
}

/**
 * The message of the current topic. A newcomer, or whoever asks how to begin, is told what the rows show, and which
 * number of a refuted fact an input could replace. In a study without hints nobody is (`begins` is null).
 */
export function messageOf(state: GameState, t: Say, begins: boolean | null = false): Message {
  const message = topicMessage({ state, t }, state.topic)
  if (begins && message.kind === 'non-invariant' && state.topic.about === 'verdict') {
    const value = numberForInput(state, state.topic.verdict.expression)
    return value ? { ...message, text: [...message.text, t('look.number', value)] } : message
  }
  if (begins === null || message.kind !== 'new' || (state.topic.about === 'new' && state.topic.resumed)) return message
  return begins
    ? { ...message, text: [...message.text.slice(0, 1), lookText(state, t)] }
    : { ...message, steps: [...message.steps, { text: t('look.ask'), action: { do: 'look' } }] }
}

/** The step that is offered where there is nothing else to do. */
const wayOut = ({ t }: Context): NextStep => ({ text: t('action.map'), action: { do: 'map' } })

function topicMessage(context: Context, topic: Topic): Message {
  const { state, t } = context
  switch (topic.about) {
    case 'new': {
      const message = feedbackMessage(context, state.feedback)
      if (state.solved || message.kind === 'failing' || message.kind === 'too-large' || !hasCode(context))
        return message
      const [headline, text] = topic.resumed
        ? [t('new.headlineResumed'), t('new.textResumed')]
        : [t('new.headline'), t('new.text')]
      return { ...message, kind: 'new', headline, text: [text, ...message.text] }
    }
    case 'verdict':
      return verdictMessage(context, topic)
    case 'batch': {
      const count = (kind: Kind): number => topic.verdict.kinds.filter((judgedFact) => judgedFact.kind === kind).length
      const name = nameOf(state, topic.player) ?? t('message.someone')
      return plainMessage('batch', 'known', t('batch.headline', name, topic.verdict.kinds.length), {
        text: [t('batch.kinds', count('inductive'), count('potential'), count('unknown'))],
        details: removals(context, topic.verdict.removed),
      })
    }
    case 'measure':
    case 'endless': {
      const { details = [], ...said } =
        topic.about === 'measure' ? measureMessage(context, topic.verdict) : endlessMessage(context, topic.verdict)
      const others = topic.player !== state.player.player ? nameOf(state, topic.player) : null
      const refutation = refutationOf(topic.verdict)
      return {
        ...plainMessage(said.kind, said.sign, said.headline),
        text: [...(others ? [t('message.by', others)] : []), ...said.text],
        details,
        steps: said.kind === 'limited' ? [retry(context)] : refutation ? stepsToTry(context, refutation.run) : [],
      }
    }
    case 'transition':
      return transitionMessage(context, topic.answer)
    case 'feedback': {
      const message = feedbackMessage(context, state.feedback)
      return topic.same ? { ...message, text: [t('state.noOther')] } : message
    }
    case 'explanation': {
      const lines = topic.explanation.obligations.map((obligation) => {
        const place = capital(placeText(t, obligation.cause, obligation.where.line))
        if (obligation.status !== 'proved')
          return t(obligation.status === 'refuted' ? 'explain.refuted' : 'explain.unknown', place)
        const uses = obligation.uses.length ? t('explain.uses', factList(context, obligation.uses)) : ''
        const [rests] = restsOnText(context, obligation.rests_on)
        return t('explain.proved', place) + uses + (rests ? `. ${rests}` : '')
      })
      return plainMessage('explanation', topic.explanation.solved ? 'lamp' : 'known', t('explain.headline'), {
        text: lines,
        steps: state.solved ? [nextLevel(context)] : [back(context)],
      })
    }
    case 'judging-again':
      return plainMessage('judging-again', 'wait', t('rejudged.now'), { text: [t('rejudged.nowText')] })
    case 'rejudged':
      return rejudgedMessage(context, topic.again)
    case 'trouble':
      return troubleMessage(context, topic.trouble, topic.doing !== null && state.asking !== null)
  }
}

type Rest = Partial<Pick<Message, 'text' | 'details' | 'evidence' | 'steps'>>
const plainMessage = (kind: string, sign: MessageSign, headline: string, rest: Rest = {}): Message => ({
  kind,
  sign,
  headline,
  text: [],
  details: [],
  evidence: null,
  steps: [],
  ...rest,
})

// Verdicts

function verdictMessage(context: Context, topic: Topic & { about: 'verdict' }): Message {
  const { state, t } = context
  const { verdict, player, earned } = topic
  if (verdict.solved && verdict.promoted.length) return solvedMessage(context)
  const proved = (verdict.measures_proved ?? []).map(({ text }) => t('measure.nowProved', text))
  const message = verdict.limited ? limited(context, verdict) : KINDS[verdict.kind](context, verdict)
  const others = player !== state.player.player ? nameOf(state, player) : null
  return {
    ...message,
    text: [...(others ? [t('message.by', others)] : []), ...message.text, ...proved, ...earnedText(context, earned)],
    details: [...message.details, ...(verdict.kind === 'inductive' ? [] : restsOnText(context, verdict.rests_on))],
  }
}

/** The coins of a verdict, and that they were doubled because the fact has a form that is new in the level. */
function earnedText({ t }: Context, earned: Earned | null): readonly string[] {
  if (!earned?.coins) return []
  const [form] = (earned.patterns ?? []).filter(isPattern).map((pattern) => PATTERNS[pattern].form)
  return [form ? t('earned.doubled', earned.coins, form) : t('earned.coins', earned.coins)]
}

type View = (context: Context, verdict: ProposalAnswer) => Message
const KINDS: Readonly<Record<Kind, View>> = {
  'type-tautology': (context, { expression }) => {
    const { t } = context
    return plainMessage('type-tautology', 'always', t('tautology.headline', expression), {
      text: [t('tautology.text')],
      details: [t(hasCode(context) ? 'tautology.next' : 'traceGame.moveTogether'), t('tautology.technical')],
    })
  },

  displaced: (context, { loop, expression, implied_by: by = [], rests_on }) => {
    const { t } = context
    const headline = rests_on?.length ? t('displaced.headlineResting', expression) : t('displaced.headline', expression)
    const why = itself(by, loop, expression)
      ? t('displaced.same')
      : by.length
        ? t('displaced.by', factList(context, by))
        : t(hasCode(context) ? 'displaced.code' : 'traceGame.start')
    return plainMessage('displaced', 'known', headline, {
      text: [why],
      details: [t('displaced.next'), t('displaced.technical')],
    })
  },

  'displaced-potential': (context, { loop, expression, implied_by: by = [] }) => {
    const { t } = context
    const why = itself(by, loop, expression)
      ? t('displacedPotential.same')
      : t('displacedPotential.by', factList(context, by))
    return plainMessage('displaced-potential', 'known', t('displacedPotential.headline', expression), {
      text: [why],
      details: [t('displacedPotential.next')],
    })
  },

  'non-invariant': (context, { expression, run }) => {
    const { t } = context
    const initial = unusualStart(run)
    return plainMessage('non-invariant', 'false', t('nonInvariant.headline', expression), {
      text: run
        ? [
            run.row === 0
              ? t('nonInvariant.entry', runLabel(startOf(run)))
              : t('nonInvariant.turns', runLabel(startOf(run)), run.row),
            ...(run.function ? [t('nonInvariant.helper', run.function)] : []),
          ]
        : [],
      details: [...(initial ? [t('nonInvariant.initial', initial)] : []), t('nonInvariant.next')],
      steps: run ? stepsToTry(context, run) : [],
    })
  },

  inductive: (context, verdict) => {
    const { t } = context
    const others = verdict.promoted.filter(
      (fact) => fact.loop !== verdict.loop || fact.expression !== verdict.expression,
    )
    const promoted = others.length ? [t('inductive.promoted', factList(context, others), others.length)] : []
    const removed = removals(context, verdict.removed)
    // What rests on something unproved is not called proved.
    if (verdict.rests_on?.length)
      return plainMessage('inductive', 'wait', t('inductive.headlineResting', verdict.expression), {
        text: [t('inductive.textResting'), ...restsOnText(context, verdict.rests_on), ...promoted, ...removed],
      })
    const text = t('inductive.text')
    return plainMessage('inductive', 'proved', t('inductive.headline', verdict.expression), {
      text: [...(promoted.length ? promoted : [text]), ...removed],
      details: [...(promoted.length ? [text] : []), t('inductive.technical')],
    })
  },

  potential: (context, { expression, transition, waits_for }) => {
    const { t } = context
    return plainMessage('potential', 'wait', t('potential.headline', expression), {
      text: [whyNotText(context, transition, waits_for)],
      details: [
        t('potential.text'),
        ...(transition ? [t(transition.at_entry ? 'potential.nextEntry' : 'potential.next')] : []),
      ],
    })
  },

  unknown: ({ t }, { expression, tried, because }) =>
    plainMessage('unknown', 'unknown', t('unknown.headline', expression), {
      text: [t('unknown.text')],
      details: [
        t('unknown.kept'),
        ...(because ? [t('unknown.because', because)] : []),
        ...(tried?.length ? [t('unknown.tried', tried.join(', '))] : []),
        t('unknown.next'),
      ],
    }),
}

const limited = ({ t }: Context, verdict: ProposalAnswer): Message =>
  plainMessage('limited', 'unknown', t('limited.headline', verdict.expression), {
    text: [t(`limited.${verdict.limited || 'time'}`), t('limited.text')],
    details: [t('unknown.next')],
    steps: [retry({ t })],
  })

const retry = ({ t }: Pick<Context, 't'>): NextStep => ({ text: t('trouble.retry'), action: { do: 'retry' } })

const itself = (by: readonly Fact[], loop: number, expression: string): boolean =>
  by.length === 1 && by[0]?.loop === loop && by[0].expression === expression

const removals = (context: Context, removed: ProposalAnswer['removed']): string[] =>
  removed.flatMap(({ expression, by, rests_on }) => [
    by.length ? context.t('removed.text', expression, factList(context, by)) : context.t('removed.code', expression),
    ...restsOnText(context, rests_on),
  ])

const back = (context: Context): NextStep => ({
  text: context.t(hasCode(context) ? 'action.back' : 'action.backToTable'),
  action: { do: 'show-feedback' },
})

const nextLevel = ({ t }: Context): NextStep => ({
  text: t('action.nextLevel'),
  action: { do: 'next-level' },
  primary: true,
})

/** What is left of a level that asks for its second lamp. */
function secondLamp({ state, t }: Context): string[] {
  if (!state.program.ending || state.ends) return []
  return [t(state.program.ending === 'ends' ? 'ending.asksMeasure' : 'ending.asksRun')]
}

function solvedMessage(context: Context): Message {
  const { t } = context
  const code = hasCode(context)
  return plainMessage('solved', 'lamp', t(code ? 'solved.headline' : 'traceGame.solved'), {
    text: [t(code ? 'solved.text' : 'traceGame.solvedText'), ...secondLamp(context)],
    details: [t('solved.goOn')],
    steps: [nextLevel(context), ...(code ? [{ text: t('solved.show'), action: { do: 'show-win' } } as const] : [])],
  })
}

function transitionMessage(context: Context, answer: TransitionAnswer): Message {
  const { t } = context
  const { expression, transition, waits_for, rests_on } = answer
  const known = transition || waits_for?.length
  return plainMessage('transition', known ? 'wait' : 'unknown', t('potential.headline', expression), {
    text: [whyNotText(context, transition, waits_for)],
    details: [
      ...restsOnText(context, rests_on),
      ...(transition ? [t(transition.at_entry ? 'transition.noteEntry' : 'transition.note')] : []),
    ],
    steps: [back(context)],
  })
}

/** The sentence that says what became of a fact that an engine of another version had accepted. */
export const fallenSentence = ({ was, kind }: FallenFact): 'rejudged.wrong' | 'rejudged.open' | 'rejudged.gone' =>
  kind === 'non-invariant' ? 'rejudged.wrong' : was === 'inductive' ? 'rejudged.open' : 'rejudged.gone'

/** What another engine makes of the room: what fell, what stayed, whether the level is still solved. */
function rejudgedMessage(context: Context, again: JudgedAgain): Message {
  const { t } = context
  const text = again.fallen.map((fact) => t(fallenSentence(fact), factList(context, [fact])))
  if (again.gained.length) text.push(t('rejudged.gained', factList(context, again.gained), again.gained.length))
  if (again.kept) text.push(t('rejudged.kept', again.kept))
  if (again.was_solved && !again.solved) text.push(t('rejudged.unsolved'))
  return plainMessage('rejudged', again.fallen.length ? 'wait' : 'known', t('rejudged.headline'), { text })
}

// What is left to do in the level

export function feedbackMessage(context: Context, feedback: FeedbackAnswer): Message {
  const { state, t } = context
  if (state.solved || feedback.solved) return solvedMessage(context)
  if (feedback.too_large)
    return plainMessage('too-large', 'unknown', t('tooLarge.headline'), {
      text: [t('tooLarge.text', feedback.too_large)],
      details: [t('tooLarge.next')],
      steps: [wayOut(context)],
    })
  if (feedback.failing) return failingMessage(context, feedback.failing)
  if (!hasCode(context))
    return plainMessage('trace-game', 'known', t('traceGame.headline'), { text: [t('traceGame.text')] })
  if (feedback.nothing_to_prove)
    return plainMessage('open', 'unknown', t('nothing.headline'), {
      text: [t('nothing.text')],
      steps: [wayOut(context)],
    })
  if (feedback.potential_suffices)
    return plainMessage('suffices', 'wait', t('suffices.headline'), {
      text: [t('suffices.text', factList(context, feedback.waits_for ?? state.potential))],
    })
  if (!feedback.state)
    return plainMessage('open', 'unknown', t('open.headline'), { text: [t('open.text')], steps: [explain(context)] })
  return stateMessage(context, feedback.state)
}

const explain = ({ t }: Context): NextStep => ({ text: t('open.explain'), action: { do: 'explain' } })

function failingMessage(context: Context, failing: NonNullable<FeedbackAnswer['failing']>): Message {
  const { t } = context
  const { inputs, cause, where, function: helper } = failing
  const place = placeText(t, cause, where.line)
  if (helper)
    return plainMessage('failing', 'false', t('failing.helperHeadline', helper), {
      text: [t('failing.helper', helper, asSip(inputs), place)],
      details: [t('failing.helperNext')],
      steps: [wayOut(context)],
    })
  const initial = unusualStart(failing)
  return plainMessage('failing', 'false', t('failing.headline'), {
    text: [t('failing.text', asSip(inputs), place), ...(initial ? [t('nonInvariant.initial', initial)] : [])],
    details: [t('failing.next')],
    evidence: evidence(
      context.state.program,
      t('failing.inputs'),
      1,
      [{ label: '', values: inputs, look: 'neutral' }],
      {
        inputs,
        pointers: isGuarantee(cause) ? [{ number: 1, mark: 'guarantee', look: 'fails' }] : [],
        broken: isGuarantee(cause) ? null : where,
      },
    ),
    steps: stepsToTry(context, failing),
  })
}

/** The exit ghost in words. */
function stateMessage(context: Context, toRuleOut: StateToRuleOut): Message {
  const { state, t } = context
  const away = toRuleOut.loop !== state.loop
  return plainMessage('state', 'ghost', t('state.headline'), {
    text: [exitText(state, t, toRuleOut), t(toRuleOut.proved_only ? 'state.waiting' : 'state.never')],
    details: [t('state.technical')],
    steps: away
      ? [
          {
            text: t('ghost.goThere', toRuleOut.loop),
            action: { do: 'choose-loop', loop: toRuleOut.loop },
            primary: true,
          },
        ]
      : [],
  })
}

// Trouble

const TROUBLES = {
  gone: ['trouble.gone', 'trouble.goneText'],
  busy: ['trouble.busy', 'trouble.busyText'],
  full: ['trouble.busy', 'trouble.busyText'],
  'too-fast': ['trouble.tooFast', 'trouble.tooFastText'],
  'store-unavailable': ['trouble.cannotSave', 'trouble.cannotSaveText'],
  'no-answer': ['trouble.noAnswer', 'trouble.noAnswerText'],
  'no-engine': ['trouble.noEngine', 'trouble.noEngineText'],
  'bad-text': ['trouble.badText', null],
  'bad-inputs': ['trouble.badInputs', null],
  'not-potential': ['trouble.notPotential', null],
  'request-reused': ['trouble.reused', null],
  'not-found': ['trouble.left', null],
  'too-many': ['trouble.tooMany', null],
} as const

const isKnownTrouble = (code: string): code is keyof typeof TROUBLES => Object.hasOwn(TROUBLES, code)

export function troubleText(t: Say, problem: ErrorAnswer): { headline: string; text: string[] } {
  const [headline, text] = isKnownTrouble(problem.code) ? TROUBLES[problem.code] : (['trouble.other', null] as const)
  return {
    headline: t(headline),
    text: text ? [t(text)] : [t('trouble.said', [problem.message, problem.hint].filter(Boolean).join('; '))],
  }
}

function troubleMessage(context: Context, { problem, retrySeconds }: Trouble, goesOn: boolean): Message {
  const { t } = context
  const { headline, text } = troubleText(t, problem)
  if (goesOn && retrySeconds !== null) text.push(t('trouble.wait', retrySeconds))
  const steps: NextStep[] = goesOn
    ? [{ text: t('entry.cancel'), action: { do: 'stop' } }]
    : [{ text: t('trouble.retry'), action: { do: 'retry' }, primary: true }, back(context)]
  return plainMessage(problem.code, 'trouble', headline, { text, steps })
}

// In words

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
