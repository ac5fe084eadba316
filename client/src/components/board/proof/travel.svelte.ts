// The way of facts from the bench to the shelf: where their tiles stood before a verdict, and when each of them sets
// out. The tiles wait for the engine to tell which fact needed which, but not for long; any key or click ends the way.

import { untrack } from 'svelte'
import type { OwnedFact } from '../../../wire'
import { chainOf, isToldNow } from '../../../game/board/chain'
import { factKey, type GameState } from '../../../game/state'

type Place = { readonly left: number; readonly top: number }
/** How far away a tile starts, in pixels, and after how many seconds. */
export type Travel = { readonly x: number; readonly y: number; readonly second: number }

/** How many seconds lie between two tiles, and how many milliseconds one is on its way. */
const STEP_S = 0.4
const MOVE_MS = 260
/** How many milliseconds the tiles wait for the proofs before they set out without them. */
const HOLD_MS = 700

/** Where an element stands on the page by its layout, whatever animation moves it. */
function placeOf(element: HTMLElement): Place {
  let [left, top] = [0, 0]
  for (let part: HTMLElement | null = element; part; part = part.offsetParent as HTMLElement | null) {
    left += part.offsetLeft
    top += part.offsetTop
  }
  return { left, top }
}

const tilesIn = (root: HTMLElement, list: string): ReadonlyMap<string, Place> =>
  new Map(
    [...root.querySelectorAll<HTMLElement>(`${list} [data-tile]`)]
      .filter((tile) => tile.offsetWidth > 0)
      .map((tile) => [tile.dataset.tile ?? '', placeOf(tile)]),
  )

export class Travels {
  private before: ReadonlyMap<string, Place> = new Map()
  private ways = $state.raw<ReadonlyMap<string, Place>>(new Map())
  private travellers = $state.raw<readonly OwnedFact[]>([])
  private waited = $state(false)
  private timers: readonly ReturnType<typeof setTimeout>[] = []
  private readonly order = $derived.by(() =>
    this.travellers.length ? chainOf(this.now(), this.travellers, null).map(({ fact }) => factKey(fact)) : [],
  )
  /** Whether the tiles still wait where they were. */
  readonly held = $derived.by(() => this.travellers.length > 0 && !this.waited && !isToldNow(this.now()))

  /** Belongs to a component: call it while that is made. */
  constructor(
    private readonly now: () => GameState,
    private readonly root: () => HTMLElement | undefined,
  ) {
    const shelf = $derived(now().inductive)
    $effect.pre(() => {
      shelf
      const element = untrack(root)
      this.before = element ? tilesIn(element, '.bench') : new Map()
    })
    $effect(() => {
      const arrived = shelf.filter((fact) => this.before.has(factKey(fact)))
      untrack(() => this.start(arrived))
    })
    $effect(() => () => this.clear())
  }

  /** How the tile of a fact comes to the shelf; null where it stands there. */
  of(fact: OwnedFact): Travel | null {
    const key = factKey(fact)
    const way = this.ways.get(key)
    // The fact that the verdict was about comes first, by itself.
    return way ? { x: way.left, y: way.top, second: STEP_S * (this.order.indexOf(key) + 1) } : null
  }

  /** Ends all ways: nothing moves while somebody types. */
  end = (): void => {
    if (!this.travellers.length) return
    this.clear()
    this.travellers = []
    this.ways = new Map()
  }

  private start(arrived: readonly OwnedFact[]): void {
    this.end()
    const root = this.root()
    if (!arrived.length || !root) return
    const after = tilesIn(root, '.shelf')
    const ways = arrived.flatMap((fact) => {
      const [from, to] = [this.before.get(factKey(fact)), after.get(factKey(fact))]
      return from && to ? [[factKey(fact), { left: from.left - to.left, top: from.top - to.top }] as const] : []
    })
    this.ways = new Map(ways)
    this.travellers = arrived
    this.waited = false
    const all = HOLD_MS + STEP_S * 1_000 * (arrived.length + 1) + MOVE_MS
    this.timers = [setTimeout(() => (this.waited = true), HOLD_MS), setTimeout(this.end, all)]
  }

  private clear(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }
}
