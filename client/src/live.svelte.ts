// The live region: what a screen reader says next, from anywhere in the client.

const live = $state({ text: '' })

export const announcement = (): string => live.text

export function announce(text: string): void {
  // The same sentence twice would be no change, and not be read.
  live.text = live.text === text ? `${text}\u00a0` : text
}
