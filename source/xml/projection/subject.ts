// An element that has begun, as fields see it: among the records of a tape, or reported.

import { Decode } from '../../machine/program/registers.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import { makeName, type Name } from '../names/names.ts'
import type { DocumentFacts } from '../parser/sink.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { decodePlainly } from '../text/character-data.ts'
import type { Captures } from './captures.ts'

export interface Subject {
  readonly name: Name
  /** Where it begins, and where its content does. */
  readonly start: number
  readonly content: number
  /** Whether an entity brings it: then it does not stand in the input. */
  readonly isOfEntity: boolean
  /** The value of an attribute; undefined if it has none of the name. */
  find(attribute: NamePattern): string | undefined
  /** Calls for each attribute with its name, and the entry of its value. */
  capture(captures: Captures, each: (name: string, entry: number) => void): void
}

/** One whose tag is on the tape. */
export class TapeSubject implements Subject {
  readonly #facts: DocumentFacts
  readonly #frame: TapeFrame
  readonly #nameRecord: number
  readonly #tag: number

  /** `nameRecord` is the record of its name, `tag` that of the tag. */
  constructor(facts: DocumentFacts, frame: TapeFrame, nameRecord: number, tag: number) {
    this.#facts = facts
    this.#frame = frame
    this.#nameRecord = nameRecord
    this.#tag = tag
  }

  readonly isOfEntity = false

  get name(): Name {
    return this.#frame.names.get(this.#frame.symbolOf(this.#nameRecord))
  }

  get start(): number {
    return this.#frame.startOf(this.#tag)
  }

  get content(): number {
    return contentOf(this.#frame, this.#tag)
  }

  find(attribute: NamePattern): string | undefined {
    const { scopes, decode, normalizesLineEnds, viewInput } = this.#facts
    for (const [name, literal] of this.#attributes()) {
      const namespace = name.prefix === '' ? undefined : scopes?.resolve(name.prefix)
      if (!matchesName(attribute, name, namespace)) continue
      const [from, end] = [this.#frame.startOf(literal), this.#frame.endOf(literal)]
      if (from === end) return ''
      const text = normalizesLineEnds ? decode([from, end, Decode.VALUE], 3) : undefined
      return text ?? decodePlainly(viewInput(from, end), Decode.VALUE, normalizesLineEnds)
    }
    return undefined
  }

  capture(captures: Captures, each: (name: string, entry: number) => void): void {
    for (const [{ raw }, literal] of this.#attributes()) {
      each(raw, captures.addText(Decode.VALUE, this.#frame.startOf(literal), this.#frame.endOf(literal)))
    }
  }

  *#attributes(): Generator<[name: Name, literal: number], void, undefined> {
    for (let record = this.#nameRecord + 1; record < this.#tag; record++) {
      if (!this.#frame.isName(record)) continue
      yield [this.#frame.names.get(this.#frame.symbolOf(record)), this.#frame.nextLiteral(record + 1)]
    }
  }
}

/** Where the content begins after a tag: the recorded one is followed by `>` or `/>`. */
function contentOf(frame: TapeFrame, tag: number): number {
  return frame.endOf(tag) + (frame.typeOf(tag + 1) === frame.types.emptyTag ? 2 : 1)
}

/** One that was reported. */
export class ToldSubject implements Subject {
  readonly name: Name
  readonly start: number
  readonly content: number
  readonly isOfEntity: boolean
  readonly #attributes: XmlAttributes

  constructor(name: Name, attributes: XmlAttributes, place: Pick<Subject, 'start' | 'content' | 'isOfEntity'>) {
    this.name = name
    this.#attributes = attributes
    this.start = place.start
    this.content = place.content
    this.isOfEntity = place.isOfEntity
  }

  find(attribute: NamePattern): string | undefined {
    return this.#attributes.find(attribute)
  }

  /** The values of all attributes that a pattern matches: several may have one local name. */
  findAll(attribute: NamePattern): string[] {
    if (!attribute.isAnywhere) return [this.find(attribute)].filter((value) => value !== undefined)
    const pairs = [...this.#attributes].filter(([name]) => matchesName(attribute, makeName(name), undefined))
    return pairs.map(([, value]) => value)
  }

  capture(captures: Captures, each: (name: string, entry: number) => void): void {
    for (const [name, value] of this.#attributes) each(name, captures.addString(value, this.start))
  }
}
