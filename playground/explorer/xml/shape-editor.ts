// The shape of the records: which element they are, and which of its paths are fields.

import { button, element } from '../../shell/element.ts'
import type { PickedElement, PickedShape } from '../protocol.ts'
import { type FieldChoice, listChoices, proposeShape, showProgram, toggleField } from './picked-shape.ts'

/** Choices that are listed: those of larger records are found in the structure. */
const MOST_CHOICES = 200

export class ShapeEditor {
  readonly element = element('section', { class: 'card shape', 'aria-label': 'Records', tabindex: -1 })
  readonly #onRead: (shape: PickedShape) => void
  readonly #program = element('pre', { class: 'program', tabindex: 0, 'aria-label': 'Program' })
  readonly #read = button('Read these records', () => this.#onRead(this.#shape), { class: 'button primary' })
  #shape: PickedShape = { record: '', fields: [] }

  /** `onRead` is called with the shape whose records are wanted. */
  constructor(onRead: (shape: PickedShape) => void) {
    this.#onRead = onRead
    this.element.append(
      element('h2', {}, 'Records'),
      element(
        'p',
        { class: 'message' },
        'Choose an element on the left with “Use as record”: each of them becomes a row, and its paths become columns.',
      ),
    )
  }

  get shape(): PickedShape {
    return this.#shape
  }

  /** Shows what can be picked of an element, and proposes a shape. */
  open(record: PickedElement): void {
    this.#shape = proposeShape(record)
    const choices = listChoices(record).slice(0, MOST_CHOICES)
    const fields = element('fieldset', { class: 'choices' }, element('legend', { class: 'label' }, 'Fields'))
    for (const choice of choices) fields.append(this.#makeChoice(choice))
    this.element.replaceChildren(
      element('h2', {}, 'Records of ', element('code', {}, `/${record.path}`)),
      choices.length > 0 ? fields : element('p', { class: 'message' }, 'This element has neither text nor attributes.'),
      element('details', {}, element('summary', {}, 'As a program'), this.#program),
      element('div', { class: 'row' }, this.#read),
    )
    this.#showProgram()
    this.element.focus({ preventScroll: true })
  }

  #makeChoice(choice: FieldChoice): HTMLElement {
    const box = element('input', {
      type: 'checkbox',
      checked: this.#shape.fields.some(({ path }) => path === choice.path),
    })
    box.addEventListener('change', () => {
      this.#shape = toggleField(this.#shape, choice)
      this.#showProgram()
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

  #showProgram(): void {
    this.#program.textContent = showProgram(this.#shape)
    this.#read.disabled = this.#shape.fields.length === 0
  }
}
