// An element that has begun, as fields see it.

import { Decode } from '../../machine/program/registers.ts'
import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import { makeName, type Name } from '../names/names.ts'
import { NIL, XSI_NAMESPACE } from '../names/namespaces.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import type { Captures } from './captures.ts'

const NIL_NAME: NamePattern = { name: 'nil', namespace: XSI_NAMESPACE, isAnywhere: false }

export class Subject {
  readonly #facts: DocumentFacts
  readonly #frame: TapeFrame
  readonly #nameRecord: number
  readonly #tag: number

  /** `nameRecord` is the record of its name, `tag` that of its start tag. */
  constructor(facts: DocumentFacts, frame: TapeFrame, nameRecord: number, tag: number) {
    this.#facts = facts
    this.#frame = frame
    this.#nameRecord = nameRecord
    this.#tag = tag
  }

  get name(): Name {
    return this.#frame.nameOf(this.#nameRecord)
  }

  /** Byte offset of its start tag. */
  get start(): number {
    return this.#frame.place(this.#frame.startOf(this.#tag))
  }

  /** Byte offset of its content. */
  get content(): number {
    return this.#frame.place(this.#frame.tagEndOf(this.#tag), true)
  }

  /** The element as it stands in the text of the entity that brings it. */
  get source(): string {
    return this.#frame.sourceOf(this.#tag)
  }

  /** Whether an entity brings it: then it does not stand in the input. */
  get isOfEntity(): boolean {
    return this.#frame.entity !== undefined
  }

  /** Whether the values of its attributes stand in the input. */
  get hasWrittenAttributes(): boolean {
    return !this.isOfEntity && this.#frame.settled?.tag !== this.#tag
  }

  /** The value of an attribute; undefined if it has none of the name. */
  find(attribute: NamePattern): string | undefined {
    return this.findAll(attribute)[0]
  }

  /** The values of all attributes that a pattern matches: several may have one local name. */
  findAll(attribute: NamePattern): string[] {
    const frame = this.#frame
    const { scopes } = this.#facts
    if (frame.settled?.tag === this.#tag) {
      const { details } = frame.settled.attributes
      return details
        .filter(({ name, namespace }) => matchesName(attribute, makeName(name), namespace))
        .map(({ value }) => value)
    }
    const values: string[] = []
    for (let record = this.#nameRecord + 1; record < this.#tag; record++) {
      const nameRecord = record
      record = frame.nextLiteral(record)
      const name = frame.nameOf(nameRecord)
      if (matchesName(attribute, name, scopes?.ofAttribute(name))) values.push(frame.valueOf(record, nameRecord + 1))
    }
    return values
  }

  /** Whether an attribute says that the element is null: `xsi:nil`, whatever its prefix is. */
  get isNil(): boolean {
    return this.#facts.scopes?.hasNil === true && NIL.test(this.find(NIL_NAME) ?? '')
  }

  /** Calls for each attribute with its name, and the entry of its value. */
  capture(captures: Captures, each: (name: string, entry: number) => void): void {
    const frame = this.#frame
    if (!this.hasWrittenAttributes) {
      const attributes = this.#facts.attributesOf(frame, this.#nameRecord, this.#tag)
      for (const [name, value] of attributes) each(name, captures.addString(value, this.start))
      return
    }
    for (let record = this.#nameRecord + 1; record < this.#tag; record++) {
      const { raw } = frame.nameOf(record)
      record = frame.nextLiteral(record + 1)
      each(raw, captures.addText(Decode.VALUE, frame.startOf(record), frame.endOf(record)))
    }
  }
}
