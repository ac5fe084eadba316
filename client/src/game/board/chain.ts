// The chain of promotions at a verdict: which fact let which waiting one be proved, one after the other. What is said
// of it comes from the proofs that the engine told; until these are there, the facts stand in the order of the verdict.

import type { Fact } from '../../wire'
import { type GameState, sameFact } from '../state'

export type Link = {
  readonly fact: Fact
  /** Whether its proof uses a fact that stands before it in the chain, and that could be proved without it. */
  readonly follows: boolean
}

/** The facts that a verdict promoted and that are still listed, each after those that its proof uses. */
export function chainOf(state: GameState, promoted: readonly Fact[], proposed: Fact | null): readonly Link[] {
  const listed = promoted.filter((fact) => state.inductive.some((one) => sameFact(one, fact)))
  const isFirst = (fact: Fact): boolean => proposed !== null && sameFact(fact, proposed)
  const left = [...listed.filter(isFirst), ...listed.filter((fact) => !isFirst(fact))]
  const uses = (fact: Fact): readonly Fact[] =>
    (state.board?.proved.find((one) => sameFact(one, fact))?.uses ?? []).filter((used) => !sameFact(used, fact))
  const waitsFor = (fact: Fact): boolean => uses(fact).some((used) => left.some((one) => sameFact(one, used)))
  const links: Link[] = []
  while (left.length) {
    // Facts that need each other stand as they were.
    const free = left.findIndex((one) => !waitsFor(one))
    const [fact] = left.splice(Math.max(0, free), 1)
    if (!fact) break
    const before = uses(fact).filter((used) => links.some((link) => sameFact(link.fact, used)))
    links.push({ fact, follows: before.some((used) => !needs(used, fact, uses)) })
  }
  return links
}

/** Whether the proof of a fact uses another one, if only by way of further facts. */
function needs(fact: Fact, other: Fact, uses: (fact: Fact) => readonly Fact[]): boolean {
  const seen: Fact[] = [fact]
  for (const next of seen) for (const used of uses(next)) if (!seen.some((one) => sameFact(one, used))) seen.push(used)
  return seen.some((one) => sameFact(one, other))
}

/** Whether the engine has told how the facts that are listed now are proved. */
export const isToldNow = ({ board, boardEvent, booksEvent }: GameState): boolean =>
  board !== null && boardEvent >= booksEvent

/** The number of the try that brought a fact, counted from 1; 0 where it is not known. */
export function tryOf({ events }: GameState, fact: Fact): number {
  const tries = events.flatMap((event) => (event.kind === 'judged' ? [event.body] : []))
  return tries.findIndex((body) => 'kind' in body && sameFact(body, fact)) + 1
}
