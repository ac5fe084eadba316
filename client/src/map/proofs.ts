// The patterns of the player's proofs. Which forms the facts of a proof have is found out here, once for each proof,
// and kept in the browser. The recogniser needs the parser, so it is loaded when there is a proof to look at.

import type { ListedLevel, ListedRoom, RoomAnswer } from '../wire'
import { isPattern, type Pattern } from './pattern-names'

/** A proof that was looked at: the room's level and version, and the patterns of its facts. */
export type SeenProof = { readonly level: string; readonly version: number; readonly patterns: readonly string[] }
export type SeenProofs = Readonly<Record<string, SeenProof>>

/** How many proofs are looked at on one visit of the map, the newest first. */
export const PROOFS_A_VISIT = 24

/** The solved rooms whose proofs have not been looked at, or have changed since. */
export const unseen = (rooms: readonly ListedRoom[], seen: SeenProofs): readonly ListedRoom[] =>
  rooms
    .filter((room) => room.solved && room.level && seen[room.room]?.version !== room.version)
    .sort((a, b) => b.time - a.time)
    .slice(0, PROOFS_A_VISIT)

/** Looks at the proof of a room. */
export async function lookAt(room: RoomAnswer, levels: readonly ListedLevel[]): Promise<SeenProof> {
  const { patternsOf } = await import('./patterns')
  const fixed = new Set(levels.find((entry) => entry.level === room.level)?.fixed)
  const facts = room.inductive.map(({ loop, expression }) => ({ loop, text: expression }))
  return { level: room.level ?? '', version: room.version, patterns: [...patternsOf(facts, fixed)] }
}

/** How many levels each pattern has helped to prove. */
export function patternUses(seen: SeenProofs): ReadonlyMap<Pattern, number> {
  const levels = new Map<Pattern, Set<string>>()
  for (const { level, patterns } of Object.values(seen))
    for (const name of patterns) if (isPattern(name)) levels.set(name, (levels.get(name) ?? new Set()).add(level))
  return new Map([...levels].map(([name, proved]) => [name, proved.size]))
}
