// The markup of sentences: `code`, and [term|words] for a term that explains itself.

export type Segment = { readonly kind: 'text' | 'code' | 'term'; readonly text: string; readonly term: string }

const MARKUP = /`([^`]*)`|\[(\w+)\|(\[\[\w\]\]|[^\]]+)\]/g

export function segments(sentence: string): Segment[] {
  const found: Segment[] = []
  let at = 0
  for (const match of sentence.matchAll(MARKUP)) {
    if (match.index > at) found.push({ kind: 'text', text: sentence.slice(at, match.index), term: '' })
    const [whole, code, term, words] = match
    found.push(
      code === undefined
        ? { kind: 'term', text: words ?? '', term: term ?? '' }
        : { kind: 'code', text: code, term: '' },
    )
    at = match.index + whole.length
  }
  if (at < sentence.length) found.push({ kind: 'text', text: sentence.slice(at), term: '' })
  return found
}

/** Without markup, for screen readers and titles. */
export const plain = (sentence: string): string =>
  segments(sentence)
    .map((each) => each.text)
    .join('')
