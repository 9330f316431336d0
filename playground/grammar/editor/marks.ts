// Ranges of an editor's text that are marked from outside: what a node of the tree covers, or where its rule is.

import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'

/** A range of a text. The end is exclusive; an empty range is a place between characters. */
export interface MarkedRange {
  readonly start: number
  readonly end: number
}

const setMark = StateEffect.define<MarkedRange | undefined>()
const range = Decoration.mark({ class: 'grammar-mark' })

class Place extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    const bar = document.createElement('span')
    bar.className = 'grammar-mark-place'
    return bar
  }
}
const place = Decoration.widget({ widget: new Place(), side: -1 })

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes, newDoc }) {
    let updated = marks.map(changes)
    for (const effect of effects) {
      if (effect.is(setMark)) updated = makeMarks(effect.value, newDoc.length)
    }
    return updated
  },
  provide: (marks) => EditorView.decorations.from(marks),
})

/** The tree may be that of an earlier text: what is behind the end of this one is not marked. */
function makeMarks(marked: MarkedRange | undefined, length: number): DecorationSet {
  if (!marked || marked.start > length) return Decoration.none
  const { start, end } = marked
  return Decoration.set(start === end ? place.range(start) : range.range(start, Math.min(end, length)))
}

/** Lets an editor have a marked range. */
export const marks: Extension = field

/** Marks one range, or none. With `reveal` the editor scrolls to it, and the page does not. */
export function mark(view: EditorView, marked: MarkedRange | undefined, reveal = false): void {
  view.dispatch({ effects: setMark.of(marked) })
  if (!reveal || !marked || marked.start > view.state.doc.length) return
  const { top, height } = view.lineBlockAt(marked.start)
  const { scrollTop, clientHeight } = view.scrollDOM
  if (top < scrollTop) view.scrollDOM.scrollTop = top
  else if (top + height > scrollTop + clientHeight) view.scrollDOM.scrollTop = top - clientHeight / 2
}
