// Names that are nearly the same, by the measure of Python's difflib, so that both implementations suggest the same one.

import type { Text } from '../problems'

const KNOWN_SHOWN_MAX = 12

/** How many characters of the two texts match: the longest common part, and the same to its left and right. */
function matching(a: string, b: string): number {
  let best = 0
  let bestA = 0
  let bestB = 0
  /** For each end in b: how long the common part is that ends there and at the last character of a. */
  let ends: number[] = []
  for (let i = 0; i < a.length; i++) {
    const before = ends
    ends = []
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue
      const length = (before[j - 1] ?? 0) + 1
      ends[j] = length
      if (length > best) [best, bestA, bestB] = [length, i - length + 1, j - length + 1]
    }
  }
  if (!best) return 0
  return best + matching(a.slice(0, bestA), b.slice(0, bestB)) + matching(a.slice(bestA + best), b.slice(bestB + best))
}

/** The most similar word, if one is similar enough. */
export function nearest(word: string, words: readonly string[], cutoff: number): string | undefined {
  let nearestWord: string | undefined
  let most = cutoff
  for (const candidate of words) {
    const score = (2 * matching(candidate, word)) / (candidate.length + word.length)
    if (score > most || (score === most && (nearestWord === undefined || candidate > nearestWord)))
      [nearestWord, most] = [candidate, score]
  }
  return nearestWord
}

/** A hint naming what was probably meant; where nothing is near, `otherwise` or what there is. */
function nearName(name: string, names: Iterable<string>, otherwise?: Text): Text | null {
  const known = [...new Set(names)].sort()
  const same = known.find((knownName) => knownName.toLowerCase() === name.toLowerCase())
  const meant = same ?? nearest(name, [...known, 'true', 'false'], 0.6)
  if (meant) return ['mean', `'${meant}'`]
  if (otherwise) return otherwise
  const shown = known.slice(0, KNOWN_SHOWN_MAX).join(', ')
  const more = known.length - KNOWN_SHOWN_MAX
  return more > 0 ? ['known-more', shown, more] : shown ? ['known-here', shown] : null
}

/** The same, looked for when the hint is asked for, among what is known now. */
export function nearLater(name: string, names: Iterable<string>, otherwise?: Text): () => Text | null {
  const known = [...names]
  return () => nearName(name, known, otherwise)
}
