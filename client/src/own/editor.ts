// CodeMirror in place of the plain text field. It is loaded only where there is a mouse, which mostly means a keyboard,
// too. It lives in a shadow root: there its style sheets are adopted ones, which the content security policy allows.
// The Tab key is left to the browser, so that the keyboard can leave the editor.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorSelection, EditorState, type Range, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { highlight, type Span } from '../core'

export type Editor = {
  readonly setText: (text: string) => void
  readonly showProblems: (problems: readonly Underlined[]) => void
  /** Puts the caret at an offset and scrolls there. */
  readonly goTo: (offset: number) => void
  readonly label: (text: string) => void
  readonly destroy: () => void
}
/** A problem and its place. The text is shown under the mouse pointer. */
export type Underlined = { readonly span: Span; readonly text: string }
type EditorOptions = {
  readonly text: string
  readonly caret: number
  readonly focused: boolean
  readonly label: string
  readonly onChange: (text: string) => void
}

const marks = new Map<string, Decoration>()
function markOf(colour: string): Decoration {
  const mark = marks.get(colour) ?? Decoration.mark({ class: `sip-${colour}` })
  marks.set(colour, mark)
  return mark
}

function coloured(view: EditorView): DecorationSet {
  const { from, to } = view.viewport
  const ranges: Range<Decoration>[] = []
  for (const range of highlight(view.state.doc.toString(), true)) {
    if (range.end > from && range.start < to && range.start < range.end)
      ranges.push(markOf(range.colour).range(range.start, range.end))
  }
  return Decoration.set(ranges, true)
}

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = coloured(view)
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = coloured(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

const problemsFound = StateEffect.define<readonly Underlined[]>()
const problems = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(problemsFound)) return underlined(effect.value, transaction.state.doc.toString())
    return shown.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/**
 * Underlines problems. Where something is missing there is nothing to underline, so the sign before it is underlined.
 */
function underlined(problems: readonly Underlined[], doc: string): DecorationSet {
  const ranges = problems.flatMap(({ span: [start, end], text }) => {
    const wanted = Math.min(start, doc.length - 1)
    const from = doc.slice(start, end).trim()
      ? start
      : wanted >= 0 && doc[wanted]?.trim()
        ? wanted
        : doc.slice(0, start).trimEnd().length - 1
    const to = Math.min(Math.max(end, from + 1), doc.length)
    return from >= 0 && from < to
      ? [Decoration.mark({ class: 'sip-problem', attributes: { title: text } }).range(from, to)]
      : []
  })
  return Decoration.set(ranges, true)
}

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: 'inherit', height: '100%' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--hold)',
  },
  '.sip-word': { color: 'var(--c-word)', fontWeight: '600' },
  '.sip-type': { color: 'var(--c-type)' },
  '.sip-function': { color: 'var(--c-function)' },
  '.sip-number': { color: 'var(--c-number)' },
  '.sip-operator': { color: 'var(--c-operator)' },
  '.sip-comment': { color: 'var(--c-comment)', fontStyle: 'italic' },
  '.sip-problem': { textDecoration: 'underline wavy var(--c-bad) 1.5px', textUnderlineOffset: '3px' },
})

export function mountEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const labelled = (label: string) =>
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' })
  const extensions = (label: string) => [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    EditorState.tabSize.of(2),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    colours,
    problems,
    theme,
    labelled(label),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString())
    }),
  ]
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      selection: EditorSelection.cursor(Math.min(options.caret, options.text.length)),
      extensions: extensions(options.label),
    }),
  })
  if (options.focused) view.focus()
  return {
    setText: (text) => {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    showProblems: (problemList) => view.dispatch({ effects: problemsFound.of(problemList) }),
    goTo: (offset) => {
      view.dispatch({
        selection: EditorSelection.cursor(Math.min(offset, view.state.doc.length)),
        scrollIntoView: true,
      })
      view.focus()
    },
    label: (text) => view.dispatch({ effects: StateEffect.reconfigure.of(extensions(text)) }),
    destroy: () => view.destroy(),
  }
}
