// Where islands and lamps stand on the map, computed from how many lamps each world has. The way runs to and fro: from
// left to right in one row, and back in the next. Across, places are thousandths of the width; down, they are pixels.

/** How many lamps a row has room for. An island with more of them has several lines of lamps, and a row of its own. */
const SLOTS_MAX = 10
/** The height of a row, and of the gap below it. */
const ROW = 164
const GAP = 12
/** How far below each other the lines of lamps of one island are. */
const LINE = 124
/** Free space at both ends of a row, and between two islands of a row. */
const MARGIN = 26
const STRAIT = 14
/** The least width of a place for a lamp; few lamps do not spread over the whole row. */
const SLOT_WIDTH_MAX = 138
/** The height of the shore where it has a row of its own, in pixels. */
const SHORE = 110
/** How far below the top of an island its lamps stand, and how the way winds up and down there. */
const LAMP_Y = 82
const WINDING = [4, -3, -9, -4, 5, 7, 1, -6, -2, 5]
/** How far a side lamp stands below the way. */
const ASIDE = 10

export type Island = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The width of the place of each lamp. */
  readonly slot: number
}
export type Place = { readonly x: number; readonly y: number }
export type Layout = {
  readonly islands: readonly Island[]
  /** For each world, the places of its lamps. */
  readonly lamps: readonly (readonly Place[])[]
  /** The pieces of the way between lamps that follow each other, in order. */
  readonly ways: readonly string[]
  /** The short ways to side lamps. */
  readonly spurs: readonly string[]
  readonly height: number
  /** Free space for what else can be found: beside the last island, or below it where that has no room beside it. */
  readonly shore: Island
}

/** For each world, which of its lamps are side lamps. */
export function layOut(worlds: readonly (readonly boolean[])[]): Layout {
  const islands: Island[] = []
  const lamps: Place[][] = []
  const rows = inRows(worlds.map((world) => world.length))
  let line = 0
  let top = 0
  for (const row of rows) {
    const slots = row.reduce((sum, world) => sum + (worlds[world]?.length ?? 0), 0)
    const free = 1000 - 2 * MARGIN - STRAIT * (row.length - 1)
    const lines = linesOf(slots)
    const perLine = Math.ceil(slots / lines)
    const slot = Math.min(free / perLine, SLOT_WIDTH_MAX)
    const isBack = (at: number): boolean => (line + at) % 2 === 1
    // A short last row begins where the way comes from.
    let x = MARGIN
    for (const world of row) {
      const aside = worlds[world] ?? []
      const width = slot * Math.min(aside.length, perLine)
      const y = top
      const left = isBack(0) ? 1000 - x - width : x
      islands[world] = { x: left, y, width, height: ROW + (lines - 1) * LINE, slot }
      lamps[world] = aside.map((isAside, at) => {
        const below = Math.floor(at / perLine)
        const along = ((at % perLine) + 0.5) * slot
        return {
          x: isBack(below) ? left + width - along : left + along,
          y: y + below * LINE + LAMP_Y + (WINDING[(at + 3 * world) % WINDING.length] ?? 0) + (isAside ? ASIDE : 0),
        }
      })
      x += width + STRAIT
    }
    line += lines
    top += ROW + (lines - 1) * LINE + GAP
  }
  const last = rows.at(-1) ?? []
  const used = last.reduce((sum, world) => sum + (islands[world]?.width ?? 0) + STRAIT, 0)
  const room = 1000 - 2 * MARGIN - used
  const back = line % 2 === 0
  const below = top
  const beside = { x: back ? MARGIN : MARGIN + used, y: top - ROW - GAP, width: room, height: ROW, slot: 0 }
  const own = { x: MARGIN, y: below, width: 1000 - 2 * MARGIN, height: SHORE, slot: 0 }
  const isBeside = room > 250
  return {
    islands,
    lamps,
    ...paths(worlds, lamps),
    height: below + (isBeside ? 0 : SHORE + GAP),
    shore: isBeside ? beside : own,
  }
}

const linesOf = (lamps: number): number => Math.max(1, Math.ceil(lamps / SLOTS_MAX))

function inRows(sizes: readonly number[]): number[][] {
  const rows: number[][] = []
  let free = 0
  sizes.forEach((size, world) => {
    if (size > free || !rows.length) {
      rows.push([])
      free = SLOTS_MAX
    }
    rows.at(-1)?.push(world)
    free -= size
  })
  return rows
}

function paths(
  worlds: readonly (readonly boolean[])[],
  lamps: readonly (readonly Place[])[],
): Pick<Layout, 'ways' | 'spurs'> {
  const ways: string[] = []
  const spurs: string[] = []
  let before: Place | null = null
  worlds.forEach((world, index) =>
    world.forEach((isAside, at) => {
      const place = lamps[index]?.[at]
      if (!place) return
      if (before) (isAside ? spurs : ways).push(between(before, place))
      if (!isAside) before = place
    }),
  )
  return { ways, spurs }
}

const round = (value: number): number => Math.round(value * 10) / 10

/** A gentle curve; from row to row it swings out at the side. */
function between(a: Place, b: Place): string {
  if (b.y - a.y > ROW / 2) {
    const edge = a.x > 500 ? Math.min(996, Math.max(a.x, b.x) + 70) : Math.max(4, Math.min(a.x, b.x) - 70)
    return curve(a, edge, b)
  }
  return curve(a, (a.x + b.x) / 2, b)
}

function curve(a: Place, over: number, b: Place): string {
  const [x, y, middle, x2, y2] = [a.x, a.y, over, b.x, b.y].map(round)
  return `M${x} ${y}C${middle} ${y} ${middle} ${y2} ${x2} ${y2}`
}
