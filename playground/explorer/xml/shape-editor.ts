// The shape of the records: which element they are, and which of its paths are fields.

import { element } from '../../shell/element.ts'
import type { PickedElement, PickedShape } from '../protocol.ts'
import { CodeBox } from './code-box.ts'
import { showCommand } from './command-line.ts'
import { type FieldChoice, listChoices, proposeShape, showProgram, toggleField } from './picked-shape.ts'

/** Choices that are listed: those of larger records are found in the structure. */
const MOST_CHOICES = 200

export class ShapeEditor {
  readonly element = element('section', { class: 'card shape', 'aria-label': 'Fields' })
  readonly #file: string | undefined
  readonly #onChange: (shape: PickedShape) => void
  readonly #program = new CodeBox('As a program', 'program')
  readonly #command: CodeBox
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

  /** Shows an element that is probably wanted, as long as the visitor has chosen nothing. */
  propose(record: PickedElement): void {
    const shape = proposeShape(record)
    if (!this.#isChosen && JSON.stringify(shape) !== JSON.stringify(this.#shape)) this.#edit(record, shape)
  }

  #edit(record: PickedElement, shape: PickedShape): void {
    this.#shape = shape
    const choices = listChoices(record).slice(0, MOST_CHOICES)
    const fields = element('fieldset', { class: 'choices' }, element('legend', { class: 'label' }, 'Fields'))
    for (const choice of choices) fields.append(this.#makeChoice(choice))
    this.element.replaceChildren(
      choices.length > 0 ? fields : element('p', { class: 'message' }, 'This element has neither text nor attributes.'),
      this.#command.element,
      this.#program.element,
    )
    this.#change()
  }

  #makeChoice(choice: FieldChoice): HTMLElement {
    const box = element('input', {
      type: 'checkbox',
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
