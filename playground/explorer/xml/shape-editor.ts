// The shape of the records: which element they are, and which of its paths are fields.

import { element } from '../../shell/element.ts'
import type { PickedElement, PickedShape } from '../protocol.ts'
import { CodeBox } from './code-box.ts'
import { showCommand } from './command-line.ts'
import { type FieldChoice, listChoices, proposeShape, showProgram, toggleField, updateLists } from './picked-shape.ts'

/** Choices that are listed. */
const MOST_CHOICES = 200

export class ShapeEditor {
  readonly element = element('section', { class: 'card shape', 'aria-label': 'Fields' })
  readonly #file: string | undefined
  readonly #onChange: (shape: PickedShape) => void
  readonly #program = new CodeBox('As a program', 'program')
  readonly #command: CodeBox
  readonly #choices = element('div')
  readonly #legend = element('legend', { class: 'label' }, 'Fields seen so far')
  #shape: PickedShape = { record: '', fields: [] }
  /** Whether the visitor has chosen an element or a field. */
  #isChosen = false

  /** `file`: what the command line reads, if that is not standard input. `onChange` is called with the shape whose records are wanted. */
  constructor(file: string | undefined, onChange: (shape: PickedShape) => void) {
    this.#file = file
    this.#command = new CodeBox(`On the command line${file === undefined ? ', from standard input' : ''}`, 'command')
    this.#onChange = onChange
    this.element.append(
      element('h2', {}, 'Records'),
      element(
        'p',
        { class: 'message' },
        'Choose an element with “Use as record”: each of them becomes a row, and its paths become columns.',
      ),
    )
  }

  /** Shows what can be picked of an element that the visitor has chosen. */
  open(record: PickedElement): void {
    this.#isChosen = true
    this.#edit(record, proposeShape(record))
  }

  /** Shows an element that is probably wanted. Where the visitor has chosen, or uses its records, only what was seen since is added. */
  propose(record: PickedElement, isUsed: boolean): void {
    const isKept = this.#isChosen || isUsed
    if (isKept && record.path !== this.#shape.record) return
    this.#edit(record, isKept ? updateLists(this.#shape, listChoices(record)) : proposeShape(record))
  }

  /** All of the document was read. */
  conclude(): void {
    this.#legend.textContent = 'Fields'
  }

  #edit(record: PickedElement, shape: PickedShape): void {
    const isSame = JSON.stringify(shape) === JSON.stringify(this.#shape)
    this.#shape = shape
    const focused = this.element.querySelector<HTMLInputElement>('input:focus')?.value
    const all = listChoices(record)
    const choices = all.slice(0, MOST_CHOICES)
    const fields = element('fieldset', { class: 'choices' }, this.#legend)
    for (const choice of choices) fields.append(this.#makeChoice(choice))
    this.#choices.replaceChildren(
      choices.length > 0 ? fields : element('p', { class: 'message' }, 'This element has neither text nor attributes.'),
    )
    if (choices.length < all.length) {
      const more = 'There are more fields than these. The command line and programs can name them.'
      this.#choices.append(element('p', { class: 'label' }, more))
    }
    // What has the focus beside the choices keeps it.
    if (!this.#choices.isConnected) {
      this.element.replaceChildren(this.#choices, this.#command.element, this.#program.element)
    }
    for (const box of fields.querySelectorAll('input')) if (box.value === focused) box.focus({ preventScroll: true })
    if (!isSame) this.#change()
  }

  #makeChoice(choice: FieldChoice): HTMLElement {
    const box = element('input', {
      type: 'checkbox',
      value: choice.path,
      checked: this.#shape.fields.some(({ path }) => path === choice.path),
    })
    box.addEventListener('change', () => {
      this.#isChosen = true
      this.#shape = toggleField(this.#shape, choice)
      this.#change()
    })
    return element(
      'label',
      { class: 'choice' },
      box,
      element('code', {}, choice.path),
      choice.isList ? element('span', { class: 'badge' }, 'list') : undefined,
      element('span', { class: 'label example' }, choice.example ?? ''),
    )
  }

  #change(): void {
    this.#program.show(showProgram(this.#shape))
    this.#command.show(showCommand(this.#shape, this.#file))
    this.#onChange(this.#shape)
  }
}
