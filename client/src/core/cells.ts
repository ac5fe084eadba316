// An array is written as a text such as "[3, -1, 7/3]".

/** The texts of its cells. */
export const cellTexts = (text: string): string[] => (text === '[]' ? [] : text.slice(1, -1).split(', '))
