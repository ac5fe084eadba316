// The beginning's own game on the server: a program of its own, so that neither its room nor what was found there gets
// in the way of the level. Every verdict is the engine's.

import type { Variant } from '../api'
import type { FeedbackAnswer, OpenedRoom, ProgramAnswer, ProposalAnswer } from '../wire'
import { isFactVerdict } from '../game/state'
import * as calls from '../calls'
import * as net from '../net'
import { BEGINNING_LEVEL } from './steps'

/** The first line of the program. It makes it another program than the level's. */
export const MARK = '# The beginning.'
/** The inputs of the first run, and of the run that a guess meets which fits only the first. */
export const FIRST = { size: '6', want: '5' }
export const SECOND = { size: '4', want: '3' }

export type Lesson = {
  readonly opened: OpenedRoom
  readonly program: ProgramAnswer
  readonly first: readonly (readonly string[])[]
  readonly second: readonly (readonly string[])[]
}

/** Opens the room of the beginning. Whoever starts gets a fresh one, unless nothing was said in the old one. */
export async function openLesson(variant: Variant, fresh: boolean, options: net.RequestOptions): Promise<Lesson> {
  const level = await net.level(BEGINNING_LEVEL, options)
  const submitted = await calls.submitProgram(`${MARK}\n${level.source}`, 'The beginning')
  const query = { program: submitted.program, variant }
  let opened = await net.openRoom(query, options)
  const { room } = opened
  if (fresh && (room.solved || room.inductive.length + room.potential.length > 0))
    opened = await net.openRoom({ ...query, resume: false }, options)
  const rows = async (inputs: Readonly<Record<string, string>>): Promise<readonly (readonly string[])[]> =>
    (await net.trace(submitted.program, { inputs }, options)).loops[0]?.rows ?? []
  return { opened, program: opened.program, first: await rows(FIRST), second: await rows(SECOND) }
}

/** What the engine says of a proposal, as the beginning tells it apart. */
export type Outcome = 'solved' | 'proved' | 'waits' | 'false' | 'known' | 'always' | 'undecided'

export function outcomeOf(verdict: ProposalAnswer): Outcome {
  if (verdict.solved) return 'solved'
  if (verdict.limited) return 'undecided'
  switch (verdict.kind) {
    case 'inductive':
      return 'proved'
    case 'potential':
      return 'waits'
    case 'unknown':
      return 'undecided'
    case 'non-invariant':
      return 'false'
    case 'displaced':
    case 'displaced-potential':
      return 'known'
    case 'type-tautology':
      return 'always'
  }
}

export async function ask(room: string, expression: string): Promise<ProposalAnswer> {
  const { event } = await net.propose(room, { loop: 1, expression }, net.newRequestId())
  const { body } = event
  if (!isFactVerdict(body)) throw new Error('a fact was answered as something else')
  return body
}

/** The state of the ghost that is left; null where there is none. */
export const ghostOf = (feedback: FeedbackAnswer): Readonly<Record<string, string>> | null =>
  feedback.state?.loop === 1 ? feedback.state.values : null

/**
 * Lights the lamp of the level with the fact that lit it here. The level's own room judges it again. A level that was
 * played before stays as it is.
 */
export async function carryOver(expression: string): Promise<void> {
  const { room } = await net.openRoom({ level: BEGINNING_LEVEL, variant: 'code' })
  if (!room.solved && !room.inductive.length && !room.potential.length) await ask(room.room, expression)
}
