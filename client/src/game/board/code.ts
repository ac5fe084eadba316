// A program as lines of coloured pieces, with marks for loop heads and the goal at their places.
// components/board/ProgramPanel.svelte shows it.

import type { LoopPlaces, ProgramAnswer, Where } from '../../wire'
import { fromCodePoints, highlight } from '../../core'
import type { Mark } from '../evidence'

export type Piece = {
  readonly text: string
  readonly colour: string
  /** The number of the loop whose test this piece belongs to, because the test is shown in a box; 0 for none. */
  readonly test: number
  readonly broken: boolean
}
export type MarkPiece = {
  readonly mark: Mark
  readonly loop: number
  /** Whether the mark stands after a statement instead of before one. */
  readonly after: boolean
}
export type Line = {
  readonly number: number
  readonly pieces: readonly (Piece | MarkPiece)[]
  /** The numbers of the loops that the line belongs to, outermost first. */
  readonly loops: readonly number[]
}
/** A part of a line that is not broken if it fits: long lines break before `&`, `|` and `->` and after commas. */
export type Chunk = readonly Piece[]
export type ShownLine = {
  readonly number: number
  /** How deep the line is indented, in steps of two spaces. */
  readonly depth: number
  readonly chunks: readonly Chunk[]
  readonly marks: readonly MarkPiece[]
  readonly loops: readonly number[]
}
export const isMark = (piece: Piece | MarkPiece): piece is MarkPiece => 'mark' in piece

type Range = { readonly start: number; readonly end: number }
type Placed = { readonly offset: number; readonly piece: MarkPiece }

export function codeLines(program: ProgramAnswer, broken: Range | null = null): Line[] {
  const { source } = program
  const utf16 = ({ start, end }: Range): Range => ({
    start: fromCodePoints(source, start),
    end: fromCodePoints(source, end),
  })
  const loops = program.loops.map((loop) => ({
    number: loop.number,
    ...utf16(loop.where),
    test: utf16(loop.test.where),
  }))
  const wrong = broken && utf16(broken)
  const marks = marksOf(program, utf16)
  const colours = highlight(source, true)
  const cuts = new Set([0, source.length, ...marks.map((mark) => mark.offset)])
  for (const { start, end } of [...colours, ...loops.map((loop) => loop.test), ...(wrong ? [wrong] : [])])
    cuts.add(start).add(end)
  for (let newline = source.indexOf('\n'); newline >= 0; newline = source.indexOf('\n', newline + 1))
    cuts.add(newline).add(newline + 1)
  const bounds = [...cuts].sort((a, b) => a - b)
  const within = (offset: number, range: Range | null): boolean =>
    range !== null && range.start <= offset && offset < range.end

  const lines: { pieces: (Piece | MarkPiece)[]; start: number; end: number }[] = [{ pieces: [], start: 0, end: 0 }]
  let colourAt = 0
  for (const [index, start] of bounds.entries()) {
    const line = lines.at(-1) as (typeof lines)[number]
    for (const { piece } of marks.filter((mark) => mark.offset === start)) line.pieces.push(piece)
    const text = source.slice(start, bounds[index + 1] ?? source.length)
    if (!text) continue
    line.end = start
    if (text === '\n') {
      lines.push({ pieces: [], start: start + 1, end: start + 1 })
      continue
    }
    while ((colours[colourAt]?.end ?? Number.POSITIVE_INFINITY) <= start) colourAt++
    const highlighted = colours[colourAt]
    line.pieces.push({
      text,
      colour: highlighted && within(start, highlighted) ? highlighted.colour : '',
      test: loops.find((loop) => within(start, loop.test))?.number ?? 0,
      broken: within(start, wrong),
    })
  }
  if (!lines.at(-1)?.pieces.length) lines.pop()
  return lines.map(({ pieces, start, end }, index) => ({
    number: index + 1,
    pieces,
    loops: loops.filter((loop) => loop.start <= end && start < loop.end).map((loop) => loop.number),
  }))
}

/** The lines as they are shown: without their indentation, and cut where they may be broken. */
export function shownLines(program: ProgramAnswer, broken: Range | null = null): ShownLine[] {
  return codeLines(program, broken).map(({ number, pieces, loops }) => {
    const text = pieces.filter((piece): piece is Piece => !isMark(piece))
    const blank = /^ */.exec(text.map((piece) => piece.text).join(''))?.[0].length ?? 0
    return {
      number,
      depth: Math.floor(blank / 2),
      chunks: chunksOf(withoutStart(text, blank)),
      marks: pieces.filter(isMark),
      loops,
    }
  })
}

function withoutStart(pieces: readonly Piece[], count: number): Piece[] {
  let left = count
  return pieces.flatMap((piece) => {
    const cut = Math.min(left, piece.text.length)
    left -= cut
    return cut === piece.text.length ? [] : [{ ...piece, text: piece.text.slice(cut) }]
  })
}

function chunksOf(pieces: readonly Piece[]): Chunk[] {
  const chunks: Piece[][] = [[]]
  for (const piece of pieces) {
    if (/^(&|\||->)$/.test(piece.text)) chunks.push([])
    chunks.at(-1)?.push(piece)
    if (piece.text.trimEnd().endsWith(',')) chunks.push([])
  }
  return chunks.filter((chunk) => chunk.length)
}

/** Marks each loop head, the end of each body, and the place where the guarantee must hold. */
function marksOf(program: ProgramAnswer, utf16: (range: Range) => Range): Placed[] {
  const marks: Placed[] = []
  for (const loop of program.loops) {
    marks.push({ offset: utf16(loop.where).start, piece: { mark: 'head', loop: loop.number, after: false } })
    marks.push({ offset: utf16(loop.body).end - 1, piece: { mark: 'end', loop: loop.number, after: false } })
  }
  const { where, expressions } = program.guarantee
  const stated = expressions.some((expression) => inside(expression.where, where))
  const place = utf16(where)
  // An assert has its mark in front. A post has its mark where the function ends: after the last statement and its
  // semicolon.
  const end = place.end + (program.source[place.end] === ';' ? 1 : 0)
  marks.push({ offset: stated ? place.start : end, piece: { mark: 'guarantee', loop: 0, after: !stated } })
  return marks
}

const inside = (inner: Where, outer: Where): boolean => outer.start <= inner.start && inner.end <= outer.end

/**
 * The names that other loops of the same function have and this one does not. Each has the code of the problem that
 * using it causes.
 */
export function hiddenAt(program: ProgramAnswer, loop: LoopPlaces): Record<string, 'out-of-scope'> {
  const visible = new Set(loop.columns.map((column) => column.name))
  const others = program.loops
    .filter((anyLoop) => anyLoop.helper?.name === loop.helper?.name)
    .flatMap((anyLoop) => anyLoop.columns.map(({ name }) => name))
  return Object.fromEntries(others.filter((name) => !visible.has(name)).map((name) => [name, 'out-of-scope' as const]))
}
