// The live region: any part of the client can say here what a screen reader is to read next.

const live = $state({ text: '' })

export const announcement = (): string => live.text

export function announce(text: string): void {
  // A screen reader reads changes only. The added space makes the same sentence a change.
  live.text = live.text === text ? `${text}\u00a0` : text
}
