// Records on their way to a sink: those of the document that are certain, or those of an entity's replacement text.

import { NodeType } from '../../machine/program/program.ts'
import { IndexedText } from '../../machine/tree/indexed-text.ts'
import { decodeUtf8, LONGEST_STRING } from '../../text/units.ts'
import type { NameTable } from '../names/names.ts'
import type { JoinedText } from './joined-text.ts'
import type { PartTypes } from './part-types.ts'

// Words of a record.
const TYPE = 0
export const START = 1
export const END = 2
export const SYMBOL = 3
/** Of a start tag, when they are linked: how many records later the record of the tag is that ends its element; 0 if it is not there. */
export const PARTNER = 3
/** In a transcript, of a literal or a text. */
const UNIT = 3
export const RECORD_WORDS = 4

/**
 * Texts that are not written out: a line feed with spaces or tabs after it, for each number of both, as the kernel numbers them. Joined by
 * `join`, they are strings of the same kind as others (joined-text.ts).
 */
const INDENTS = Array.from({ length: 64 }, (_, i) => ['\n', (i & 1 ? '\t' : ' ').repeat(i >>> 1)].join(''))

/** What a literal or a text stands for, where it is in the transcript. */
export function transcribe(words: Int32Array, transcript: string, record: number): string {
  const from = words[record * RECORD_WORDS + UNIT] as number
  if (from < -1) return INDENTS[-2 - from] as string
  return transcript.substring(from, from + ((words[record * RECORD_WORDS + TYPE] as number) >>> 8))
}

/** Adds what a literal or a text stands for to a text. */
export function addTranscribed(joined: JoinedText, words: Int32Array, transcript: string, record: number): void {
  const from = words[record * RECORD_WORDS + UNIT] as number
  if (from < -1) joined.add(INDENTS[-2 - from] as string)
  else joined.add(transcript, from, from + ((words[record * RECORD_WORDS + TYPE] as number) >>> 8))
}

/** Bytes of a text that is decoded by itself: not with the text around it, which may be too long for a string. */
const LONG = 1024 * 1024

/** Where the records of a frame come from. */
export interface FrameSource {
  /** Four words a record, offsets modulo 2^32. */
  readonly words: Int32Array
  /** Input, and the offset of its first byte. */
  readonly bytes: Uint8Array
  readonly start: number
  /** Offset from which on text may be asked for. */
  readonly from: number
  readonly names: NameTable
  readonly types: PartTypes
  /** What the texts stand for, where it is known (Engine.transcribe). */
  readonly transcript?: string | undefined
  /** Whether the records are those on the machine's tape. */
  readonly isOnTape?: boolean
  /** Whether hardly any text will be asked for: then each is decoded by itself. */
  readonly isSparse?: boolean
}

/** Where the text of an entity stands in for a reference. */
export interface FrameEntity {
  readonly name: string
  /** The outermost reference in the document. */
  readonly start: number
  readonly end: number
}

/** Walks over parts: a part's children stand before it. Offsets are absolute, in bytes. */
export class TapeFrame {
  readonly names: NameTable
  readonly types: PartTypes
  readonly entity: FrameEntity | undefined
  /** Whether the part has been read to its end. */
  isRead = true
  /** The part that is being read, or -1; and its child that is next. */
  part = -1
  child = 0
  /** Of the part: its type, and where it begins and ends. */
  type = -1
  start = 0
  end = 0
  /** Offset up to which the text of the part was reported. */
  from = 0
  readonly #source: FrameSource
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #inputStart: number
  readonly #textStart: number
  /** Made when text is asked for that is not in the transcript. */
  #text: IndexedText | null | undefined
  readonly #count: number
  readonly #transcript: string | undefined

  constructor(source: FrameSource, entity?: FrameEntity) {
    const { words, bytes, start, from, names, types, transcript } = source
    this.#source = source
    this.names = names
    this.types = types
    this.entity = entity
    this.#words = words
    this.#bytes = bytes
    this.#inputStart = start
    this.#transcript = transcript
    this.#count = words.length / RECORD_WORDS
    // Input that is left for excerpts may begin in the middle of a character.
    let textStart = Math.max(from, start)
    while (((bytes[textStart - start] as number) & 0xc0) === 0x80) textStart++
    this.#textStart = textStart
  }

  /** Other records of the same input, which have texts from an offset on. */
  withRecords(words: Int32Array, from: number): TapeFrame {
    return new TapeFrame({ ...this.#source, words, from, transcript: undefined, isOnTape: false })
  }

  get isOnTape(): boolean {
    return this.#source.isOnTape === true
  }

  /** An offset in the document: of what an entity brings, that of the reference, or after it. */
  place(offset: number, isEnd = false): number {
    if (!this.entity) return offset
    return isEnd ? this.entity.end : this.entity.start
  }

  /** Whether there is another part, and what it is. */
  get hasNext(): boolean {
    return this.part + 1 < this.#count
  }

  get isEmptyTagNext(): boolean {
    return this.typeOf(this.part + 1) === this.types.emptyTag
  }

  isEndTag(record: number): boolean {
    const type = this.typeOf(record)
    return type === this.types.endTag || type === this.types.emptyTag
  }

  /** Moves to the next part; false when there is none. */
  next(): boolean {
    const { isPart } = this.types
    const words = this.#words
    this.child = this.part + 1
    for (let record = this.child; record < this.#count; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (isPart[type] === 0) continue
      this.part = record
      this.type = type
      this.start = this.#inputStart + (((words[at + START] as number) - this.#inputStart) >>> 0)
      this.end = this.#inputStart + (((words[at + END] as number) - this.#inputStart) >>> 0)
      this.from = this.start
      return true
    }
    return false
  }

  typeOf(record: number): number {
    return (this.#words[record * RECORD_WORDS + TYPE] as number) & 255
  }

  /** What a literal or a text stands for, with its holes filled; undefined where that must be found out. */
  transcribed(record: number): string | undefined {
    const from = this.#words[record * RECORD_WORDS + UNIT] as number
    if (this.#transcript === undefined || from === -1) return undefined
    return transcribe(this.#words, this.#transcript, record)
  }

  get hasTranscript(): boolean {
    return this.#transcript !== undefined
  }

  /** What the literals and texts among the records stand for, all of them; only where there is such a text. */
  get transcript(): string {
    return this.#transcript as string
  }

  /** Offset of the first byte of input. */
  get inputStart(): number {
    return this.#inputStart
  }

  /** How many records there are. */
  get count(): number {
    return this.#count
  }

  /** The records as they are. */
  get words(): Int32Array {
    return this.#words
  }

  /** Makes a record the first of the next part. */
  moveTo(record: number): void {
    this.part = record - 1
  }

  startOf(record: number): number {
    return this.#absolute(this.#words[record * RECORD_WORDS + START] as number)
  }

  endOf(record: number): number {
    return this.#absolute(this.#words[record * RECORD_WORDS + END] as number)
  }

  isName(record: number): boolean {
    return this.typeOf(record) === this.types.name
  }

  /** How many names there are in the part from a record on. */
  countNames(from: number): number {
    let count = 0
    for (let record = from; record < this.part; record++) if (this.isName(record)) count++
    return count
  }

  isHole(record: number): boolean {
    return this.typeOf(record) === NodeType.HOLE
  }

  /** The next literal from a record on: its holes stand before it. */
  nextLiteral(record: number): number {
    let literal = record
    while (this.typeOf(literal) !== NodeType.LITERAL) literal++
    return literal
  }

  /** The record of the start tag whose name is a record. */
  tagAfter(name: number): number {
    let record = name
    while (this.typeOf(record) !== this.types.startTag) record++
    return record
  }

  /** Of a record of a name. */
  symbolOf(record: number): number {
    return this.#words[record * RECORD_WORDS + SYMBOL] as number
  }

  byteAt(offset: number): number {
    return this.#bytes[offset - this.#inputStart] as number
  }

  /** What stands between two offsets. Throws a `StringTooLong`. */
  text(start: number, end: number): string {
    if (this.#source.isSparse) return decodeUtf8(this.#bytes, start - this.#inputStart, end - this.#inputStart)
    if (this.#text === undefined) this.#text = this.#indexText()
    if (end - start > LONG || !this.#text) {
      return decodeUtf8(this.#bytes, start - this.#inputStart, end - this.#inputStart)
    }
    return this.#text.slice(start - this.#textStart, end - this.#textStart)
  }

  /** The text of all records; null where that would be too long for a string. */
  #indexText(): IndexedText | null {
    // Not what the machine has not read yet: it would be decoded again with the next parts.
    const end = this.#count > 0 ? this.endOf(this.#count - 1) : this.#inputStart
    if (end - this.#textStart > LONGEST_STRING) return null
    return new IndexedText(this.#bytes.subarray(this.#textStart - this.#inputStart, end - this.#inputStart))
  }

  #absolute(offset: number): number {
    return this.#inputStart + ((offset - this.#inputStart) >>> 0)
  }
}
