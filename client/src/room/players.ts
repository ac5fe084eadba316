// How the players of a room are told apart: by letter and shape besides the colour.

import type { MemberAnswer } from '../wire'

export const SHAPES = ['round', 'square', 'leaf', 'drop'] as const
export type Shape = (typeof SHAPES)[number] | 'bot'
export type Look = { readonly letter: string; readonly shape: Shape; readonly colour: 1 | 2 | 3 | 4 }

const COLOURS = [3, 1, 2, 4] as const
const NOBODY: Look = { letter: '?', shape: 'round', colour: 3 }

/** The look of each member. It depends on the order in which they came, which is the same for everyone. */
export function looks(members: readonly MemberAnswer[]): ReadonlyMap<string, Look> {
  const people = members.filter((member) => !member.agent)
  const found = new Map<string, Look>()
  for (const member of members) {
    const letter = [...member.name.trim()][0]?.toUpperCase() ?? '?'
    const index = people.indexOf(member)
    // After four players each shape comes again in another colour.
    const shape = index < 0 ? 'bot' : (SHAPES[index % SHAPES.length] ?? 'round')
    const colour = COLOURS[(index + Math.floor(index / SHAPES.length)) % COLOURS.length] ?? 3
    found.set(member.player, { letter, shape, colour })
  }
  return found
}

export const lookOf = (all: ReadonlyMap<string, Look>, player: string | null | undefined): Look =>
  (player && all.get(player)) || NOBODY

/** Whether the server plays as this member. */
export const isComputer = (player: string | null | undefined): boolean => player?.startsWith('computer.') ?? false
