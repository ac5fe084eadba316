// What the map says of a level, in the current language.

import type { ListedLevel, ListedWorld } from '../wire'
import { levelIdea, levelWords, worldWords, type Words } from '../strings/levels'
import { m } from '../strings/map'
import type { LevelProgress } from './progress'

const MEDALS = 3

export const titleOf = (entry: ListedLevel): string => wordsOf(entry).title
export const storyOf = (entry: ListedLevel): string => wordsOf(entry).text
export const ideaOf = (entry: ListedLevel): string => levelIdea(entry.level, entry.idea)
export const worldOf = (world: ListedWorld): Words => worldWords(world.id, { title: world.title, text: world.text })
const wordsOf = (entry: ListedLevel): Words => levelWords(entry.level, { title: entry.title, text: entry.story })

/** The difficulty in words; nothing about it may look earned. */
export function hardnessOf(difficulty: number): string {
  const known = ([1, 2, 3, 4, 5] as const).find((word) => word === difficulty)
  return known ? m(`level.${known}`) : ''
}

export const stateOf = (level: LevelProgress, isNext: boolean): string =>
  level.locked ? m('level.locked') : isNext && level.state === 'new' ? m('level.next') : m(`level.${level.state}`)

/** What a screen reader says of a lamp after its title. */
export const lampLabel = (level: LevelProgress, isNext: boolean): string =>
  [
    stateOf(level, isNext),
    ...(level.state === 'solved' ? [m('level.medals', level.medals.length, MEDALS)] : []),
    ...(level.entry.beside ? [m('level.side')] : []),
    m('level.idea', ideaOf(level.entry)),
    hardnessOf(level.entry.difficulty),
  ].join(', ')
