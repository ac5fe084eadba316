// Makes the message of a verdict: what the verdict means, the evidence, what to do next. Messages are made from data,
// in the language that the player has chosen, never from the server's English sentences. There is one function for each
// topic and one for each kind.

import type { Kind } from '../api'
import type {
  ErrorAnswer,
  Fact,
  FallenFact,
  FeedbackAnswer,
  JudgedAgain,
  ProposalAnswer,
  StateToRuleOut,
  TransitionAnswer,
} from '../wire'
import type { Say } from '../strings/game'
import {
  asSip,
  type Evidence,
  evidence,
  helperOf,
  inputsOf,
  isGuarantee,
  type Pointer,
  placeText,
  STATED,
} from './evidence'
import { type NextStep, stepsToTry } from './steps'
import { type GameState, nameOf, type Topic, type Trouble } from './state'
import {
  type Context,
  factList,
  hasCode,
  joined,
  restsOnText,
  runEvidence,
  transitionEvidence,
  unusualStart,
  whyNotText,
} from './why'

/** How a message looks. Not proved ('open'), false ('bad') and unknown are three different tones. */
export type Tone = 'neutral' | 'good' | 'open' | 'bad' | 'unknown' | 'won' | 'trouble'
export const SIGNS: Readonly<Record<Tone, string>> = {
  neutral: '→',
  good: '✓',
  open: '…',
  bad: '✗',
  unknown: '?',
  won: '★',
  trouble: '!',
}

export type Message = {
  /** What the message is about, for tests and styles: the kind of a verdict, or another word. */
  readonly kind: string
  readonly tone: Tone
  readonly headline: string
  readonly text: readonly string[]
  readonly evidence: Evidence | null
  readonly next: string
  readonly steps: readonly NextStep[]
  /** What is left to do in the level; shown below a verdict. */
  readonly below: Message | null
}

export function messageOf(state: GameState, t: Say): Message {
  const context = { state, t }
  const message = topicMessage(context, state.topic)
  return message.steps.length || message.below?.steps.length ? message : { ...message, steps: [wayOut(context)] }
}

/** The step that is offered where there is no other, so that no message is a dead end. */
const wayOut = ({ t }: Context): NextStep => ({ text: t('action.map'), action: { do: 'map' } })

function topicMessage(context: Context, topic: Topic): Message {
  const { state, t } = context
  switch (topic.about) {
    case 'new': {
      const below = feedbackMessage(context, state.feedback)
      if (state.solved || below.kind === 'failing' || below.kind === 'too-large') return below
      if (!hasCode(context)) return below
      const [headline, text] = topic.resumed
        ? [t('new.headlineResumed'), t('new.textResumed')]
        : [t('new.headline'), t('new.text')]
      return plainMessage('new', 'neutral', headline, [text], { below })
    }
    case 'verdict':
      return verdictMessage(context, topic)
    case 'batch': {
      const count = (kind: Kind): number => topic.verdict.kinds.filter((judgedFact) => judgedFact.kind === kind).length
      const name = nameOf(state, topic.player) ?? t('message.someone')
      const headline = t('batch.headline', name, topic.verdict.kinds.length)
      const text = [
        t('batch.kinds', count('inductive'), count('potential'), count('unknown')),
        ...removals(context, topic.verdict.removed),
      ]
      return plainMessage('batch', 'neutral', headline, text, { below: feedbackMessage(context, state.feedback) })
    }
    case 'transition':
      return transitionMessage(context, topic.answer)
    case 'feedback': {
      const message = feedbackMessage(context, state.feedback)
      return topic.same ? { ...message, text: [...message.text, t('state.noOther')] } : message
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
      const steps = state.solved ? [nextLevel(context)] : [back(context)]
      return plainMessage('explanation', topic.explanation.solved ? 'won' : 'neutral', t('explain.headline'), lines, {
        steps,
      })
    }
    case 'judging-again':
      return plainMessage('judging-again', 'neutral', t('rejudged.now'), [t('rejudged.nowText')])
    case 'rejudged':
      return rejudgedMessage(context, topic.again)
    case 'trouble':
      return troubleMessage(context, topic.trouble, topic.doing !== null && state.asking !== null)
  }
}

type Rest = Partial<Pick<Message, 'evidence' | 'next' | 'steps' | 'below'>>
const plainMessage = (
  kind: string,
  tone: Tone,
  headline: string,
  text: readonly string[],
  rest: Rest = {},
): Message => ({
  kind,
  tone,
  headline,
  text,
  evidence: null,
  next: '',
  steps: [],
  below: null,
  ...rest,
})

// Verdicts

function verdictMessage(context: Context, topic: Topic & { about: 'verdict' }): Message {
  const { state, t } = context
  const { verdict, player, earned } = topic
  const message = verdict.limited ? limited(context, verdict) : KINDS[verdict.kind](context, verdict)
  const text = [...message.text, ...restsOnText(context, verdict.rests_on)]
  const others = player !== state.player.player ? nameOf(state, player) : null
  if (others) text.unshift(t('message.by', others))
  if (earned?.coins) text.push(t('earned.coins', earned.coins))
  if (verdict.solved && verdict.promoted.length) return solvedMessage(context, { ...message, text }, earned)
  return { ...message, text, below: feedbackMessage(context, state.feedback, true) }
}

type View = (context: Context, verdict: ProposalAnswer) => Message
const KINDS: Readonly<Record<Kind, View>> = {
  'type-tautology': (context, { expression }) => {
    const { t } = context
    const next = t(hasCode(context) ? 'tautology.next' : 'traceGame.moveTogether')
    return plainMessage('type-tautology', 'neutral', t('tautology.headline', expression), [t('tautology.text')], {
      next,
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
    return plainMessage('displaced', 'neutral', headline, [why], {
      next: t('displaced.next'),
    })
  },

  'displaced-potential': (context, { loop, expression, implied_by: by = [] }) => {
    const { t } = context
    const why = itself(by, loop, expression)
      ? t('displacedPotential.same')
      : t('displacedPotential.by', factList(context, by))
    return plainMessage('displaced-potential', 'open', t('displacedPotential.headline', expression), [why], {
      next: t('displacedPotential.next'),
    })
  },

  'non-invariant': (context, { expression, loop, run }) => {
    const { t } = context
    const turns = run ? [run.row === 0 ? t('nonInvariant.entry') : t('nonInvariant.turns', run.row)] : []
    const initial = unusualStart(run)
    if (initial) turns.push(t('nonInvariant.initial', initial))
    if (run?.function) turns.push(t('nonInvariant.helper', run.function))
    const steps: NextStep[] = [{ text: t('action.edit'), action: { do: 'edit' } }]
    if (run) steps.unshift(...stepsToTry(context, run))
    return plainMessage('non-invariant', 'bad', t('nonInvariant.headline', expression), turns, {
      evidence: run ? runEvidence(context, run, loop) : null,
      next: t('nonInvariant.next'),
      steps,
    })
  },

  inductive: (context, verdict) => {
    const { t } = context
    const others = verdict.promoted.filter(
      (fact) => fact.loop !== verdict.loop || fact.expression !== verdict.expression,
    )
    return plainMessage('inductive', 'good', t('inductive.headline', verdict.expression), [
      t(verdict.rests_on?.length ? 'inductive.textResting' : 'inductive.text'),
      ...(others.length ? [t('inductive.promoted', factList(context, others), others.length)] : []),
      ...removals(context, verdict.removed),
    ])
  },

  potential: (context, { expression, loop, transition, waits_for }) => {
    const { t } = context
    const text = [t('potential.text'), whyNotText(context, transition, waits_for)]
    return plainMessage('potential', 'open', t('potential.headline', expression), text, {
      evidence: transition ? transitionEvidence(context, transition, loop) : null,
      next: t(transition?.at_entry ? 'potential.nextEntry' : 'potential.next'),
    })
  },

  unknown: ({ t }, { expression, tried, because }) => {
    const text = [t('unknown.text'), t('unknown.kept')]
    if (because) text.push(t('unknown.because', because))
    if (tried?.length) text.push(t('unknown.tried', tried.join(', ')))
    return plainMessage('unknown', 'unknown', t('unknown.headline', expression), text, { next: t('unknown.next') })
  },
}

function limited({ t }: Context, verdict: ProposalAnswer): Message {
  const text = [t(`limited.${verdict.limited || 'time'}`), t('limited.text')]
  return plainMessage('limited', 'unknown', t('limited.headline', verdict.expression), text, {
    next: t('unknown.next'),
    steps: [{ text: t('trouble.retry'), action: { do: 'retry' } }],
  })
}

const itself = (by: readonly Fact[], loop: number, expression: string): boolean =>
  by.length === 1 && by[0]?.loop === loop && by[0].expression === expression

const removals = (context: Context, removed: ProposalAnswer['removed']): string[] =>
  removed.flatMap(({ expression, by, rests_on }) => [
    by.length ? context.t('removed.text', expression, factList(context, by)) : context.t('removed.code', expression),
    ...restsOnText(context, rests_on),
  ])

function solvedMessage(
  context: Context,
  verdict: Message,
  earned: { gem: boolean; medals: readonly string[] } | null,
): Message {
  const { state, t } = context
  const text = [verdict.headline, ...verdict.text, solvedText(context)]
  if (earned?.gem) text.push(t('solved.gem'))
  const credited = state.events.findLast((event) => event.kind === 'solved')?.body.credited ?? []
  if (credited.length > 1)
    text.push(
      t(
        'solved.credited',
        joined(
          context,
          credited.map((player) => nameOf(state, player) ?? t('message.someone')),
        ),
      ),
    )
  return plainMessage('solved', 'won', solvedHeadline(context), text, {
    next: t('solved.goOn'),
    steps: solvedSteps(context),
  })
}

const back = (context: Context): NextStep => ({
  text: context.t(hasCode(context) ? 'action.back' : 'action.backToTable'),
  action: { do: 'show-feedback' },
})

const nextLevel = ({ t }: Context): NextStep => ({
  text: t('action.nextLevel'),
  action: { do: 'next-level' },
  primary: true,
})
const solvedSteps = (context: Context): NextStep[] => [
  nextLevel(context),
  ...(hasCode(context) ? [{ text: context.t('solved.explain'), action: { do: 'explain' } } as const] : []),
]
const solvedHeadline = (context: Context): string =>
  context.t(hasCode(context) ? 'solved.headline' : 'traceGame.solved')
const solvedText = (context: Context): string => context.t(hasCode(context) ? 'solved.text' : 'traceGame.solvedText')

function transitionMessage(context: Context, answer: TransitionAnswer): Message {
  const { t } = context
  const { expression, loop, transition, waits_for, rests_on } = answer
  const text = [
    whyNotText(context, transition, waits_for),
    ...restsOnText(context, rests_on),
    ...(transition ? [t(transition.at_entry ? 'transition.noteEntry' : 'transition.note')] : []),
  ]
  const known = transition || waits_for?.length
  return plainMessage('transition', known ? 'open' : 'unknown', t('transition.headline', expression), text, {
    evidence: transition ? transitionEvidence(context, transition, loop) : null,
    steps: [back(context)],
  })
}

/** The sentence that says what became of a fact that an engine of another version had accepted. */
export const fallenSentence = ({ was, kind }: FallenFact): 'rejudged.wrong' | 'rejudged.open' | 'rejudged.gone' =>
  kind === 'non-invariant' ? 'rejudged.wrong' : was === 'inductive' ? 'rejudged.open' : 'rejudged.gone'

/** What another engine makes of the room: what fell, what stayed, whether the level is still solved. */
function rejudgedMessage(context: Context, again: JudgedAgain): Message {
  const { state, t } = context
  const text = again.fallen.map((fact) => t(fallenSentence(fact), factList(context, [fact])))
  if (again.gained.length) text.push(t('rejudged.gained', factList(context, again.gained), again.gained.length))
  if (again.kept) text.push(t('rejudged.kept', again.kept))
  if (again.was_solved && !again.solved) text.push(t('rejudged.unsolved'))
  return plainMessage('rejudged', again.fallen.length ? 'open' : 'neutral', t('rejudged.headline'), text, {
    below: feedbackMessage(context, state.feedback, true),
  })
}

// What is left to do in the level

export function feedbackMessage(context: Context, feedback: FeedbackAnswer, still = false): Message {
  const { state, t } = context
  if (state.solved || feedback.solved)
    return plainMessage('solved', 'won', solvedHeadline(context), [solvedText(context)], {
      next: t('solved.goOn'),
      steps: solvedSteps(context),
    })
  if (feedback.too_large)
    return plainMessage('too-large', 'unknown', t('tooLarge.headline'), [t('tooLarge.text', feedback.too_large)], {
      next: t('tooLarge.next'),
      steps: [wayOut(context)],
    })
  if (feedback.failing) return failingMessage(context, feedback.failing)
  if (!hasCode(context))
    return plainMessage(
      'trace-game',
      'neutral',
      t(still ? 'traceGame.still' : 'traceGame.headline'),
      still ? [] : [t('traceGame.text')],
      { steps: [wayOut(context)] },
    )
  if (feedback.nothing_to_prove)
    return plainMessage('open', 'unknown', t('nothing.headline'), [t('nothing.text')], { steps: [wayOut(context)] })
  if (feedback.potential_suffices) {
    const text = [t('suffices.text', factList(context, feedback.waits_for ?? state.potential))]
    const missing = feedback.state ? stateMessage(context, feedback.state, false) : null
    return plainMessage('suffices', 'open', t('suffices.headline'), [...text, ...(missing?.text ?? [])], {
      evidence: missing?.evidence ?? null,
      steps: [explain(context), ...(missing ? [another(context)] : [])],
    })
  }
  if (!feedback.state)
    return plainMessage('open', 'unknown', t('open.headline'), [t('open.text')], {
      steps: [explain(context), another(context)],
    })
  return stateMessage(context, feedback.state, still)
}

const explain = ({ t }: Context): NextStep => ({ text: t('open.explain'), action: { do: 'explain' } })
const another = ({ t }: Context): NextStep => ({ text: t('state.another'), action: { do: 'another-state' } })

function failingMessage(context: Context, failing: NonNullable<FeedbackAnswer['failing']>): Message {
  const { t } = context
  const { inputs, cause, where, function: helper } = failing
  const place = placeText(t, cause, where.line)
  if (helper)
    return plainMessage('failing', 'bad', t('failing.helperHeadline', helper), [
      t('failing.helper', helper, asSip(inputs), place),
      t('failing.helperNext'),
    ])
  const initial = unusualStart(failing)
  const text = [t('failing.text', place)]
  if (initial) text.push(t('nonInvariant.initial', initial))
  return plainMessage('failing', 'bad', t('failing.headline'), text, {
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
    next: t('failing.next'),
    steps: stepsToTry(context, failing),
  })
}

function stateMessage(context: Context, toRuleOut: StateToRuleOut, still: boolean): Message {
  const { state, t } = context
  const place = placeText(t, toRuleOut.cause, toRuleOut.where.line)
  const ends = STATED.has(toRuleOut.cause) ? 'state.ends' : 'state.endsWrong'
  const text = [
    toRuleOut.proved_only
      ? t(toRuleOut.inside ? 'state.provedInside' : 'state.provedEnds', place)
      : t(toRuleOut.inside ? 'state.inside' : ends, place),
  ]
  const helper = helperOf(state.program, toRuleOut.loop)
  if (helper) text.push(t('state.helperLoop', toRuleOut.loop, helper))
  else if (state.program.loops.length > 1) text.push(t('state.loop', toRuleOut.loop))
  text.push(t(toRuleOut.proved_only ? 'state.waiting' : 'state.never'))
  const goal: Pointer = { number: 1, mark: isGuarantee(toRuleOut.cause) ? 'guarantee' : 'body', look: 'fails' }
  const shown = evidence(
    context.state.program,
    t('state.headline'),
    toRuleOut.loop,
    [{ label: t('state.row'), values: toRuleOut.values, look: 'neutral' }],
    {
      pointers: [{ number: 1, mark: 'head', look: 'holds' }, goal],
      test: toRuleOut.inside,
      broken: goal.mark === 'body' ? toRuleOut.where : null,
      inputs: inputsOf(state.program, toRuleOut.loop, toRuleOut.values),
    },
  )
  const steps: NextStep[] = [another(context)]
  if (shown.inputs)
    steps.push({ text: t('action.tryInput'), action: { do: 'try-input', inputs: shown.inputs, seed: 0, choices: [] } })
  return plainMessage('state', 'neutral', still ? t('state.still') : t('state.headline'), text, {
    evidence: shown,
    steps,
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
  return plainMessage(problem.code, 'trouble', headline, text, { steps })
}

// In words

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
