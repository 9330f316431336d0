// An editor for text, by CodeMirror. Tab leaves it, as it leaves every field of the page.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { element } from '../../shell/element.ts'
import { type MarkedRange, mark, marks } from './marks.ts'

export interface EditorOptions {
  /** The visible label; `name` is that of the element. */
  readonly label: string
  readonly name: string
  readonly text: string
  readonly extensions?: Extension
  /** After each change of the text by the visitor, or by `setText`. */
  onChange(): void
  /** After the cursor was moved by the visitor, without a change of the text. */
  onCursor?(index: number): void
}

/** An editor with its label. */
export class Editor {
  readonly element: HTMLElement
  readonly #view: EditorView

  constructor({ label, name, text, extensions = [], onChange, onCursor }: EditorOptions) {
    const id = `grammar-${name}-label`
    const heading = element('h2', { id, class: 'grammar-editor-label' }, label)
    heading.addEventListener('click', () => this.#view.focus())
    const frame = element('div', { class: `grammar-editor grammar-editor-${name}` })
    this.element = element('section', { class: 'grammar-editor-section', 'aria-labelledby': id }, heading, frame)
    const state = EditorState.create({
      doc: text,
      extensions: [
        // Carriage returns stay what they are: a grammar may ask for them.
        EditorState.lineSeparator.of('\n'),
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars({ render: makeSign }),
        history(),
        drawSelection(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          'aria-labelledby': id,
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        marks,
        extensions,
        EditorView.updateListener.of(({ docChanged, selectionSet, view, transactions }) => {
          if (docChanged) onChange()
          else if (selectionSet && transactions.some((transaction) => transaction.isUserEvent('select'))) {
            onCursor?.(view.state.selection.main.head)
          }
        }),
      ],
    })
    this.#view = new EditorView({ state, parent: frame })
  }

  get text(): string {
    return this.#view.state.sliceDoc()
  }

  /** Replaces all text, and forgets where the cursor was. */
  setText(text: string): void {
    const { length } = this.#view.state.doc
    this.#view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: 0 } })
    this.#view.scrollDOM.scrollTop = 0
  }

  /** Marks a range until the next call. */
  mark(range: MarkedRange | undefined, reveal = false): void {
    mark(this.#view, range, reveal)
  }

  /** Puts the cursor into the text, and shows it. */
  goTo({ start, end }: MarkedRange): void {
    const { length } = this.#view.state.doc
    this.#view.dispatch({
      selection: { anchor: Math.min(start, length), head: Math.min(end, length) },
      effects: EditorView.scrollIntoView(Math.min(start, length), { y: 'center' }),
    })
    this.#view.focus()
  }

  /** Shows problems at their places. Those of an earlier text that are behind the end are shown at the end. */
  showDiagnostics(diagnostics: readonly Diagnostic[]): void {
    const { length } = this.#view.state.doc
    const shown = diagnostics.map((diagnostic) => ({
      ...diagnostic,
      from: Math.min(diagnostic.from, length),
      to: Math.min(diagnostic.to, length),
    }))
    this.#view.dispatch(setDiagnostics(this.#view.state, shown))
  }
}

/** A sign for a character that cannot be seen. Few fonts have a picture of a carriage return, which many inputs have. */
function makeSign(code: number, description: string | null, placeholder: string): HTMLElement {
  const title = description ?? undefined
  return element('span', { class: 'cm-specialChar', title, 'aria-label': title }, code === 0x0d ? '\\r' : placeholder)
}
