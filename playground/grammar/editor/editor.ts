// An editor for text, by CodeMirror. Tab leaves it, as it leaves every field of the page. It stands in a shadow root, because there CodeMirror makes its styles
// by script alone: the policy of the page allows no style elements.

import css from 'text:./editor.css'
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
import type { Replacement } from 'xylem/grammar'
import { element } from '../../shell/element.ts'
import { type MarkedRange, mark, marks } from './marks.ts'

export interface EditorOptions {
  /** What stands above it, and what screen readers call it; `name` is that of the element. */
  readonly label: string
  /** What stands beside the label. */
  readonly beside?: HTMLElement
  readonly name: string
  readonly text: string
  readonly extensions?: Extension
  /** After each change of the text by the visitor, or by `setText`. */
  onChange(): void
  /** After the cursor was moved by the visitor, without a change of the text. */
  onCursor?(index: number): void
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

/** An editor with its label. */
export class Editor {
  readonly element: HTMLElement
  readonly #view: EditorView

  constructor({ label, beside, name, text, extensions = [], onChange, onCursor }: EditorOptions) {
    const heading = element('h2', {}, label)
    heading.addEventListener('click', () => this.#view.focus())
    const frame = element('div', { class: `grammar-editor grammar-editor-${name}` })
    const root = frame.attachShadow({ mode: 'open' })
    const head = element('div', { class: 'grammar-editor-head' }, heading, beside)
    this.element = element('section', { class: 'grammar-editor-section', 'aria-label': label }, head, frame)
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
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          // An id outside of the shadow root is not known inside.
          'aria-label': label,
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
    this.#view = new EditorView({ state, parent: root, root })
    root.adoptedStyleSheets.push(sheet)
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

  /** Replaces a part of the text, as the visitor could do: undo brings it back. */
  replace({ start, end, text }: Replacement): void {
    this.#view.dispatch({
      changes: { from: start, to: end, insert: text },
      selection: { anchor: start, head: start + text.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    })
    this.#view.focus()
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

/**
 * Types over a selection. Chromium gives text that it puts in the place of all text a style attribute, which the policy of the page does not allow: then it
 * reports an error in the console.
 */
function replaceSelection({ inputType, data, isComposing }: InputEvent, view: EditorView): boolean {
  // Only Chromium has this method of a shadow root. The editor itself may not have heard of a selection yet that was made a moment ago.
  const selected = (view.root as { getSelection?: () => Selection | null }).getSelection?.()
  if (inputType !== 'insertText' || data === null || isComposing || !selected || selected.isCollapsed) return false
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selected
  if (!anchorNode || !focusNode) return false
  const places = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)]
  const [from, to, insert] = [Math.min(...places), Math.max(...places), view.state.toText(data)]
  const selection = { anchor: from + insert.length }
  view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.type', scrollIntoView: true })
  return true
}

/** A sign for a character that cannot be seen. Few fonts have a picture of a carriage return, which many inputs have. */
function makeSign(code: number, description: string | null, placeholder: string): HTMLElement {
  const title = description ?? undefined
  return element('span', { class: 'cm-specialChar', title, 'aria-label': title }, code === 0x0d ? '\\r' : placeholder)
}
