// Values of programs as they come from the server. The wire has an array as a list of texts; in the client every value
// is one text, and an array is a text such as "[3, -1]".

import { cellTexts } from './core/cells'

/** The fields of answers that may be states: the name of a variable → its value. */
const STATES = new Set(['inputs', 'tries', 'values', 'state', 'before', 'after', 'call', 'chosen'])
/** The fields that may be lists of lists of values. */
const LISTS = new Set(['rows', 'choices'])

const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const asText = (value: unknown): unknown => (isList(value) ? `[${value.join(', ')}]` : value)

/** Puts texts in the place of all arrays in an answer, and returns it. */
export function withTexts<T>(answer: T): T {
  if (isList(answer)) answer.forEach(withTexts)
  else if (answer && typeof answer === 'object')
    for (const [name, value] of Object.entries(answer)) {
      if (STATES.has(name)) joinState(value)
      if (name === 'value') Object.assign(answer, { value: asText(value) })
      else if (LISTS.has(name) && isList(value)) value.forEach(joinList)
      else withTexts(value)
    }
  return answer
}

/** Some fields have these names and are no states: a state has texts and lists only. */
function joinState(value: unknown): void {
  if (isList(value)) value.forEach(joinState)
  else if (value && typeof value === 'object') {
    const state = value as Record<string, unknown>
    const held = Object.entries(state)
    if (!held.every(([, one]) => typeof one === 'string' || isList(one))) return
    for (const [name, one] of held) state[name] = asText(one)
  }
}

/** Rows of some tables are objects. */
function joinList(list: unknown): void {
  if (!isList(list)) withTexts(list)
  else for (const [index, value] of list.entries()) if (isList(value)) list[index] = asText(value)
}

/** Values as the server takes them: arrays are lists again. */
export const withLists = (values: Readonly<Record<string, string>>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, text.startsWith('[') ? cellTexts(text) : text]),
  )
