// The markup of sentences: `code`, and [term|words] for a term that explains itself.

export type Segment = { readonly kind: 'text' | 'code' | 'term'; readonly text: string; readonly term: string }

const MARKUP = /`([^`]*)`|\[(\w+)\|(\[\[\w\]\]|[^\]]+)\]/g

export function segments(sentence: string): Segment[] {
  const parts: Segment[] = []
  let position = 0
  for (const match of sentence.matchAll(MARKUP)) {
    if (match.index > position) parts.push({ kind: 'text', text: sentence.slice(position, match.index), term: '' })
    const [whole, code, term, words] = match
    parts.push(
      code === undefined
        ? { kind: 'term', text: words ?? '', term: term ?? '' }
        : { kind: 'code', text: code, term: '' },
    )
    position = match.index + whole.length
  }
  if (position < sentence.length) parts.push({ kind: 'text', text: sentence.slice(position), term: '' })
  return parts
}

/** The sentence without its markup, for screen readers and titles. */
export const plain = (sentence: string): string =>
  segments(sentence)
    .map((segment) => segment.text)
    .join('')
