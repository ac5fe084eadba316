// Files that the player takes along.

/** How many milliseconds the browser has for reading the text before it is let go. */
const READ_MS = 60_000

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), READ_MS)
}
