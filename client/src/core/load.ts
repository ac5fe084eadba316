// Loads the part of the language that knows arrays and quantifiers.

import { arrayPart, lacksArrays } from './extension'
import type { Type } from './syntax'

export const loadArrays = async (): Promise<unknown> => arrayPart() ?? import('./arrays')

type Program = { readonly source: string; readonly params: readonly { readonly type: Type }[] }

/** Loads it where a program needs it. In games without code there is no source. */
export const loadFor = async ({ source, params }: Program): Promise<unknown> =>
  lacksArrays(
    source,
    params.map(({ type }) => type),
  )
    ? loadArrays()
    : null
