// Names that are nearly the same. Similarity is measured as in Python's difflib, so that both implementations suggest
// the same name.

import type { Text } from '../problems'

/** How many known names a hint lists. */
const KNOWN_SHOWN_MAX = 12

/**
 * How many characters of the two texts match: those of the longest common part, and those that match in the same way to
 * its left and to its right.
 */
function matching(a: string, b: string): number {
  let best = 0
  let bestA = 0
  let bestB = 0
  /** For each index in b: the length of the common part that ends there and at the current character of a. */
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

/** The word that is most similar, if it is similar enough: `cutoff` is the least similarity, from 0 to 1. */
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

/**
 * A hint that names what was probably meant. Where no name is near, it is `otherwise`, or a list of the names that
 * there are.
 */
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

/** The same hint, computed only when it is asked for, but from the names that are known now. */
export function nearLater(name: string, names: Iterable<string>, otherwise?: Text): () => Text | null {
  const known = [...names]
  return () => nearName(name, known, otherwise)
}
