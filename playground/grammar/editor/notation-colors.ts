// Colours for the notation of grammars in the editor.

import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type NotationKind, type NotationPart, readNotation } from './notation.ts'

/** Characters of the longest grammar that has colours: it is read anew at each change. */
const LONGEST = 100_000

const decorations = new Map<NotationKind, Decoration>()

class NotationColors {
  decorations: DecorationSet
  #parts: readonly NotationPart[]

  constructor(view: EditorView) {
    this.#parts = readParts(view)
    this.decorations = this.#decorate(view)
  }

  update({ view, docChanged, viewportChanged }: ViewUpdate): void {
    if (docChanged) this.#parts = readParts(view)
    if (docChanged || viewportChanged) this.decorations = this.#decorate(view)
  }

  /** Only what is in sight. */
  #decorate({ viewport }: EditorView): DecorationSet {
    const shown = this.#parts.filter(({ from, to }) => to > viewport.from && from < viewport.to)
    return Decoration.set(shown.map(({ kind, from, to }) => decorationOf(kind).range(from, to)))
  }
}

function readParts({ state }: EditorView): readonly NotationPart[] {
  return state.doc.length > LONGEST ? [] : readNotation(state.doc.toString())
}

function decorationOf(kind: NotationKind): Decoration {
  const known = decorations.get(kind)
  if (known) return known
  const made = Decoration.mark({ class: `notation-${kind}` })
  decorations.set(kind, made)
  return made
}

export const notationColors: Extension = ViewPlugin.fromClass(NotationColors, {
  decorations: (colors) => colors.decorations,
})
