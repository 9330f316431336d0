// The content of an element, as the machine recorded it: nodes are made when they are asked for. It holds nothing that must be looked up
// anywhere: no references but to characters and predefined entities, no declarations of namespaces, no attributes with declarations.

import { NodeType } from '../../machine/program/program.ts'
import { Decode } from '../../machine/program/registers.ts'
import { limitLength } from '../../text/length-limit.ts'
import { XmlAttributes } from '../names/attributes.ts'
import { matchesName, type NamePattern } from '../names/name-pattern.ts'
import type { Name } from '../names/names.ts'
import { type Bindings, namespacesOf } from '../names/namespaces.ts'
import { linkTags } from '../tape/links.ts'
import type { PartTypes } from '../tape/part-types.ts'
import { END, PARTNER, RECORD_WORDS, START, SYMBOL } from '../tape/tape-frame.ts'
import { decodeCharacterData, decodePieces, type TextKind } from '../text/character-data.ts'
import { XmlElement, type XmlNode } from './element.ts'

const NO_WORDS: Int32Array = new Int32Array()
const NO_BYTES: Uint8Array = new Uint8Array()
const ANY_NAME: NamePattern = { name: undefined, namespace: undefined }

/** Records with the input that they are of. When it is delivered, nothing in it belongs to the machine. */
export class Recording {
  /** Four words a record (machine/program/registers.ts). */
  words = NO_WORDS
  /** Input, and the offset of its first byte. */
  bytes = NO_BYTES
  readonly start: number
  /** By the symbols of the records; they are those of the document. */
  readonly names: readonly (Name | undefined)[]
  readonly types: PartTypes
  /** What all prefixes in it stand for; undefined where namespaces are off. */
  readonly bindings: Bindings | undefined
  /** Whether the ends of elements were written into it. */
  isLinked = false

  constructor(start: number, names: readonly (Name | undefined)[], types: PartTypes, bindings: Bindings | undefined) {
    this.start = start
    this.names = names
    this.types = types
    this.bindings = bindings
  }

  /** Records, whose copy is made once it is known what belongs to it. */
  fill(words: Int32Array, bytes: Uint8Array): void {
    this.words = words
    this.bytes = bytes
  }

  /** Writes the ends of elements into it, if they are not there. */
  link(): void {
    if (this.isLinked) return
    linkTags(this.words, this.types, 0, this.words.length / RECORD_WORDS)
    this.isLinked = true
  }

  /** A new copy of the input between two offsets. */
  slice(start: number, end: number): Uint8Array {
    return this.bytes.slice(start - this.start, end - this.start)
  }
}

/** What `decodePieces` is given, again and again: an array that grows is copied. It does not stay larger than this. */
const pieces: number[] = []
const MOST_KEPT = 3 * 4096

/** Where a child element is: the first record, that of its start tag, and the last one, that of its end tag. */
interface Entry {
  readonly first: number
  readonly tag: number
  readonly last: number
}

/** What stands between the tags of one element. */
export class RecordedContent {
  readonly #recording: Recording
  readonly #first: number
  readonly #end: number
  readonly #nameRecord: number
  /** Elements that were asked for, by their first records: what is asked for again is the same. */
  #elements: Map<number, XmlElement> | undefined

  /** The records from `first` to `end`: complete parts. Where the start tag stands before them, that of its name; else the attributes are not asked for. */
  constructor(recording: Recording, first: number, end: number, nameRecord = first - 1) {
    this.#recording = recording
    this.#first = first
    this.#end = end
    this.#nameRecord = nameRecord
  }

  /** The attributes in the start tag. */
  get attributes(): XmlAttributes {
    const tag = this.#first - 1
    const first = this.#nameRecord + 1
    if (first >= tag) return XmlAttributes.NONE
    const names: Name[] = []
    const entries: (string | number)[] = []
    for (let record = first; record < tag; record++) {
      const nameRecord = record
      while (this.#typeOf(record) !== NodeType.LITERAL) record++
      const name = this.#nameOf(nameRecord)
      names.push(name)
      const value = this.#decode(record, record - nameRecord - 1, Decode.VALUE)
      entries.push(name.raw, value, this.#startOf(nameRecord), this.#endOf(record))
    }
    const { bindings } = this.#recording
    return new XmlAttributes(entries, bindings && namespacesOf(names, bindings))
  }

  /** All children. They are new, except for elements that were asked for before: whoever asks keeps them. */
  get nodes(): XmlNode[] {
    const { isPart, text, cdata, startTag, comment, instruction } = this.#recording.types
    const nodes: XmlNode[] = []
    let first = this.#first
    // Texts and CDATA sections in a row are one text.
    let textFirst = -1
    for (let record = first; record < this.#end; record++) {
      const type = this.#typeOf(record)
      if (isPart[type] === 0) continue
      if (type === text || type === cdata) {
        if (textFirst === -1) textFirst = first
      } else {
        if (textFirst !== -1) this.#addText(nodes, textFirst, first)
        textFirst = -1
        if (type === startTag) {
          const tag = record
          record = this.#findEndTag(tag)
          nodes.push(this.#elements?.get(first) ?? this.#makeElement(first, tag, record))
        } else if (type === comment) {
          nodes.push({ type: 'comment', text: this.#decode(record - 1, record - 1 - first, Decode.VERBATIM) })
        } else if (type === instruction) {
          const data = record - 1 > first ? this.#decode(record - 1, record - 2 - first, Decode.VERBATIM) : ''
          nodes.push({ type: 'instruction', target: this.#decode(first, 0, Decode.PLAIN), data })
        }
      }
      first = record + 1
    }
    if (textFirst !== -1) this.#addText(nodes, textFirst, this.#end)
    return nodes
  }

  get elements(): XmlElement[] {
    return this.childrenNamed(ANY_NAME)
  }

  /** The first child element of a name; undefined when there is none. */
  child(test: NamePattern): XmlElement | undefined {
    const entry = this.#findElement(test, this.#first)
    return entry && this.#elementOf(entry)
  }

  /** The child elements of a name, or all. */
  childrenNamed(test: NamePattern): XmlElement[] {
    let entry = this.#findElement(test, this.#first)
    if (!entry) return []
    // There mostly is one: an array that begins empty has room for many with its first.
    const elements = [this.#elementOf(entry)]
    while (true) {
      entry = this.#findElement(test, entry.last + 1)
      if (!entry) return elements
      elements.push(this.#elementOf(entry))
    }
  }

  /** The text of the first child element of a name; undefined when there is none. */
  childText(test: NamePattern): string | undefined {
    const entry = this.#findElement(test, this.#first)
    return entry && this.#textOf(entry.tag + 1, entry.last)
  }

  /** All text at any depth. */
  get text(): string {
    return this.#textOf(this.#first, this.#end)
  }

  /** Text that is in no child element. */
  get ownText(): string {
    return this.#textOf(this.#first, this.#end, 'own')
  }

  /** The next child element of a name, or of any, from a record on that begins a child. */
  #findElement(test: NamePattern, from: number): Entry | undefined {
    const recording = this.#recording
    const { words, names, types, bindings } = recording
    const { isPart, startTag } = types
    const end = this.#end
    let first = from
    for (let record = from; record < end; record++) {
      const type = words[record * RECORD_WORDS] as number
      if (isPart[type] === 0) continue
      if (type === startTag) {
        const tag = record
        record = this.#findEndTag(tag)
        const found = names[words[first * RECORD_WORDS + SYMBOL] as number] as Name
        const namespace = test.namespace === undefined ? undefined : bindings?.get(found.prefix)
        if (matchesName(test, found, namespace)) return { first, tag, last: record }
      }
      first = record + 1
    }
    return undefined
  }

  /** The record of the tag that ends what a tag begins. */
  #findEndTag(tag: number): number {
    const recording = this.#recording
    recording.link()
    return tag + (recording.words[tag * RECORD_WORDS + PARTNER] as number)
  }

  /** An element that is asked for alone. */
  #elementOf({ first, tag, last }: Entry): XmlElement {
    this.#elements ??= new Map()
    const known = this.#elements.get(first)
    if (known) return known
    const element = this.#makeElement(first, tag, last)
    this.#elements.set(first, element)
    return element
  }

  #makeElement(first: number, tag: number, last: number): XmlElement {
    const name = this.#nameOf(first)
    const content = new RecordedContent(this.#recording, tag + 1, last, first)
    const namespace = this.#recording.bindings?.get(name.prefix)
    return XmlElement.recorded({ name, namespace, start: this.#startOf(tag) }, this.#endOf(last), content)
  }

  /** Adds the text of records. An empty CDATA section says nothing. */
  #addText(nodes: XmlNode[], first: number, end: number): void {
    const text = this.#textOf(first, end)
    if (text !== '') nodes.push({ type: 'text', text })
  }

  /** The texts among the records from `first` to `end`, all or those that are in no elements there. */
  #textOf(first: number, end: number, which: 'all' | 'own' = 'all'): string {
    const { words, bytes, start, types } = this.#recording
    const { isPart, text, cdata, startTag } = types
    // There mostly is one. None ends at 0: the start tag of the element stands there.
    let from = 0
    let to = 0
    let kind: TextKind = Decode.PLAIN
    let length = 0
    let part = first
    for (let record = first; record < end; record++) {
      const type = words[record * RECORD_WORDS] as number
      if (isPart[type] === 0) continue
      if (type === text || type === cdata) {
        // Of a CDATA section its literal, which stands before it; what has no holes stands for itself.
        const literal = type === text ? record : record - 1
        if (to > 0) {
          pieces[length++] = from
          pieces[length++] = to
          pieces[length++] = kind
        }
        from = ((words[literal * RECORD_WORDS + START] as number) - start) | 0
        to = ((words[literal * RECORD_WORDS + END] as number) - start) | 0
        kind = literal === part ? Decode.PLAIN : type === text ? Decode.TEXT : Decode.VERBATIM
      } else if (which === 'own' && type === startTag) {
        record = this.#findEndTag(record)
      }
      part = record + 1
    }
    if (to === 0) return ''
    try {
      if (length === 0) return decodeCharacterData(bytes, from, to, kind)
      pieces[length++] = from
      pieces[length++] = to
      pieces[length++] = kind
      return decodePieces(bytes, pieces, length)
    } catch (error) {
      throw limitLength(error, 'the text of an element', start)
    } finally {
      if (length > MOST_KEPT) pieces.length = 0
    }
  }

  /** The text of a record with so many holes in it. */
  #decode(record: number, holes: number, kind: TextKind): string {
    const { bytes, start } = this.#recording
    const from = this.#startOf(record) - start
    try {
      return decodeCharacterData(bytes, from, this.#endOf(record) - start, holes === 0 ? Decode.PLAIN : kind)
    } catch (error) {
      throw limitLength(error, 'a value, a comment or an instruction', start + from)
    }
  }

  #typeOf(record: number): number {
    return this.#recording.words[record * RECORD_WORDS] as number
  }

  #nameOf(record: number): Name {
    const { words, names } = this.#recording
    return names[words[record * RECORD_WORDS + SYMBOL] as number] as Name
  }

  #startOf(record: number): number {
    return this.#absolute(this.#recording.words[record * RECORD_WORDS + START] as number)
  }

  #endOf(record: number): number {
    return this.#absolute(this.#recording.words[record * RECORD_WORDS + END] as number)
  }

  /** Records have offsets modulo 2^32. */
  #absolute(offset: number): number {
    const { start } = this.#recording
    return start + ((offset - start) >>> 0)
  }
}
