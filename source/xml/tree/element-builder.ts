// Builds an element from what a parser reports.

import { concatText } from '../../text/units.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import { XmlElement } from './element.ts'

/** One element at a time. */
export class ElementBuilder {
  readonly #open: XmlElement[] = []
  #text = ''

  /** Whether an element is open. */
  get isOpen(): boolean {
    return this.#open.length > 0
  }

  startElement(
    name: Name,
    namespace: string | undefined,
    start: number,
    attributes: XmlAttributes | undefined,
    entity: string | undefined,
  ): void {
    this.#flush()
    const element = new XmlElement(name, namespace, start, attributes, entity)
    this.#open.at(-1)?.append(element)
    this.#open.push(element)
  }

  /** The element that is complete now. */
  endElement(end: number): XmlElement {
    this.#flush()
    const element = this.#open.pop() as XmlElement
    element.close(end)
    return element
  }

  text(text: string): void {
    this.#text = concatText(this.#text, text)
  }

  comment(text: string): void {
    this.#flush()
    this.#open.at(-1)?.append({ type: 'comment', text })
  }

  instruction(target: string, data: string): void {
    this.#flush()
    this.#open.at(-1)?.append({ type: 'instruction', target, data })
  }

  /** Forgets what is open. */
  clear(): void {
    this.#open.length = 0
    this.#text = ''
  }

  #flush(): void {
    if (this.#text === '') return
    this.#open.at(-1)?.append({ type: 'text', text: this.#text })
    this.#text = ''
  }
}
