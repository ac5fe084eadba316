// Loads what the game knows of arrays, and with it the part of the language that knows them.

import { lacksArrays, type Type } from '../../../core'
import type * as Arrays from '.'

export type ArrayParts = typeof Arrays

let part: ArrayParts | null = null

/** What the game knows of arrays; null as long as it is not loaded. */
export const arraysNow = (): ArrayParts | null => part

export const loadArrays = async (): Promise<ArrayParts> => (part ??= await import('.'))

type Program = { readonly source: string; readonly params: readonly { readonly type: Type }[] }

/** Loads it where a program needs it. In games without code there is no source. */
export async function loadFor({ source, params }: Program): Promise<void> {
  const types = params.map(({ type }) => type)
  if (lacksArrays(source, types)) await loadArrays()
}
