// The proof as a picture: which fact carries which part of the goal, and which helps to prove which.

import type { Fact } from '../../wire'
import { isUnneeded, partsFor } from './proof'
import { factKey, type GameState, sameFact } from '../state'

export type PictureFact = {
  readonly key: string
  readonly fact: Fact
  /** The numbers of the parts that it carries. */
  readonly carries: readonly number[]
  /** The keys of the facts that it helps to prove. */
  readonly helps: readonly string[]
  readonly needed: boolean
}

/** The proved facts: first those that carry a part, then what helps to prove these, at last what is not needed. */
export function pictureOf(state: GameState): readonly PictureFact[] {
  const { inductive, board } = state
  const proofs = board?.proved ?? []
  const facts = inductive.map((fact): PictureFact => ({
    key: factKey(fact),
    fact,
    carries: partsFor(state, fact),
    helps: proofs.filter((one) => one.uses.some((used) => sameFact(used, fact))).map(factKey),
    needed: !isUnneeded(board, fact),
  }))
  const depth = depths(facts)
  const order = (fact: PictureFact): number =>
    (depth.get(fact.key) ?? 0) * facts.length + Math.min(facts.length - 1, lowest(fact))
  return [...facts].sort((a, b) => order(a) - order(b))
}

/** Where the parts that a fact carries stand in the picture: the highest number of them, so that lines cross little. */
const lowest = ({ carries }: PictureFact): number => Math.max(0, ...carries)

/** How far a fact is from the goal: 0 for one that carries a part; those that are not needed come last. */
function depths(facts: readonly PictureFact[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  let layer = facts.filter((fact) => fact.needed && fact.carries.length)
  for (let depth = 0; layer.length; depth++) {
    for (const { key } of layer) found.set(key, depth)
    layer = facts.filter((fact) => fact.needed && !found.has(fact.key) && fact.helps.some((key) => found.has(key)))
  }
  for (const { key, needed } of facts) if (!found.has(key)) found.set(key, needed ? facts.length : facts.length + 1)
  return found
}
