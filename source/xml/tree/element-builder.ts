// Builds elements from the parts of a document.

import { concatText } from '../../text/units.ts'
import { doctypes } from '../doctype/doctypes.ts'
import type { SkippedEntities, SkippedEntity } from '../doctype/skipped.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { XmlElement, type XmlNode } from './element.ts'

/** One element at a time, with all that is in it. */
export class ElementBuilder {
  readonly #facts: DocumentFacts
  readonly #open: XmlElement[] = []
  #text = ''
  /** Entities that are left out in what is open, or comes next. */
  #skipped: SkippedEntities | undefined

  constructor(facts: DocumentFacts) {
    this.#facts = facts
  }

  /** Whether an element is open. */
  get isOpen(): boolean {
    return this.#open.length > 0
  }

  /**
   * Adds a part: its first record, and its own. Returns the element that it ends, or a comment or an instruction that is in no element; undefined for
   * all else.
   */
  add(frame: TapeFrame, first: number, record: number): XmlNode | undefined {
    const { types } = frame
    switch (frame.typeOf(record)) {
      case types.startTag:
        this.#begin(frame, first, record)
        return undefined
      case types.endTag:
      case types.emptyTag:
        return this.#end(this.#place(frame, record))
      case types.text:
        this.#addText(frame.textOf(record, first))
        return undefined
      case types.cdata:
        this.#addText(frame.textOf(record - 1, first))
        return undefined
      case types.comment:
        return this.#append({ type: 'comment', text: frame.textOf(record - 1, first) })
      case types.instruction:
        return this.#append(instructionOf(frame, first, record))
      default:
        return undefined
    }
  }

  /** Forgets what is open. */
  clear(): void {
    this.#open.length = 0
    this.#text = ''
  }

  #begin(frame: TapeFrame, first: number, tag: number): void {
    const { scopes, toSource, attributesOf } = this.#facts
    const name = frame.nameOf(first)
    const namespace = name.prefix === '' ? scopes?.default : scopes?.resolve(name.prefix)
    const start = frame.place(frame.startOf(tag))
    const attributes = attributesOf(frame, first, tag)
    const entity = frame.entity?.outermost
    const element = new XmlElement(name, namespace, toSource ? toSource(start) : start, attributes, entity)
    this.#append(element)
    this.#open.push(element)
  }

  #end(end: number): XmlElement | undefined {
    this.#flush()
    const element = this.#open.pop()
    element?.close(end)
    if (element) this.#skipped?.endElement(element, !this.isOpen)
    return element
  }

  /** An entity is left out. */
  skip(entity: SkippedEntity): void {
    this.#skipped ??= new doctypes.required.SkippedEntities()
    this.#skipped.add(entity)
  }

  #place(frame: TapeFrame, record: number): number {
    const end = frame.place(frame.endOf(record), true)
    return this.#facts.toSource?.(end) ?? end
  }

  #addText(text: string): void {
    if (this.isOpen) this.#text = concatText(this.#text, text)
  }

  #append(node: XmlNode): XmlNode | undefined {
    this.#flush()
    const parent = this.#open.at(-1)
    parent?.append(node)
    return parent ? undefined : node
  }

  #flush(): void {
    if (this.#text === '') return
    this.#open.at(-1)?.append({ type: 'text', text: this.#text })
    this.#text = ''
  }
}

/** An instruction: its target is its first record, and its data a literal after that, if it has any. */
function instructionOf(frame: TapeFrame, first: number, record: number): XmlNode {
  const data = record - 1 > first ? frame.textOf(record - 1, first + 1) : ''
  return { type: 'instruction', target: frame.textOf(first, first), data }
}
