// Records on their way to a consumer: those of the document that are certain, or those of an entity's replacement text.

import { NodeType } from '../../machine/program/program.ts'
import { IndexedText } from '../../machine/tree/indexed-text.ts'
import { concatText, decodeUtf8, LONGEST_STRING } from '../../text/units.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name, NameTable } from '../names/names.ts'
import { replaceReference, standsFor } from '../text/references.ts'
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

const AMPERSAND = 0x26
const SLASH = 0x2f
const GREATER_THAN = 0x3e

/** Bytes of a text that is decoded by itself: not with the text around it, which may be too long for a string. */
const LONG = 1024 * 1024

const MARKUP_OR_RETURN = /<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>|\r/gs

/** Markup, or a carriage return, so that it stands for what it does in the text of an entity, where line ends are not normalised. */
function keepReturn(part: string): string {
  if (part.startsWith('<![')) return part.replaceAll('\r', ']]>&#13;<![CDATA[')
  if (part.startsWith('<!') || part.startsWith('<?')) return part
  return part.replaceAll('\r', part === '\r' ? '&#13;' : ' ')
}

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
  /** Whether line ends in it are line feeds for those who read it. Those of entities were normalised when they were declared. */
  readonly normalizesLineEnds: boolean
  /** What the texts stand for, where it is known (Engine.transcribe). */
  readonly transcript?: string | undefined
  /** Whether the records are those on the machine's tape. */
  readonly isOnTape?: boolean
  /** Called with the offset of each reference to what is no character, which is then replaced; without this, it is an error. */
  readonly onReplace?: ((offset: number) => void) | undefined
  /** Whether hardly any text will be asked for: then each is decoded by itself. */
  readonly isSparse?: boolean
}

/** Where the text of an entity stands in for a reference. */
export interface FrameEntity {
  readonly name: string
  /** The entity to which the document refers, which may refer to others. */
  readonly outermost: string
  /** The outermost reference in the document. */
  readonly start: number
  readonly end: number
}

/** Stretches of a text without a hole, and what stands for the holes between them. */
export interface Stretch {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether the text is exactly what stands in the input. */
  readonly isVerbatim: boolean
}

/** The attributes of a start tag that more is needed for than its records: declarations of namespaces or of attributes, or the texts of entities. */
export interface SettledTag {
  readonly tag: number
  readonly attributes: XmlAttributes
}

/** What of a text has not been read. */
export interface OpenText {
  /** Byte offset at which the next piece begins. */
  readonly from: number
  /** The first hole in that piece, and the next one to be looked at. */
  readonly first: number
  next: number
}

/** Walks over parts: a part's children stand before it. Offsets are absolute, in bytes. */
export class TapeFrame {
  readonly names: NameTable
  readonly types: PartTypes
  readonly entity: FrameEntity | undefined
  /** The first record that the consumer has not got. */
  unread = 0
  /** The tag that was settled last. */
  settled: SettledTag | undefined
  /** The text that is being read piece by piece, because there are references to entities in it. */
  openText: OpenText | undefined
  /** Whether a CDATA section at its end continues in what comes next. */
  isSectionOpen = false
  /** The part that is being inspected, or -1, and its first record. */
  part = -1
  first = 0
  /** Of the part: its type, and where it begins and ends. */
  type = -1
  start = 0
  end = 0
  /** Whether its records are those on the machine's tape. */
  readonly isOnTape: boolean
  /** The records as they are, and how many there are. */
  readonly words: Int32Array
  readonly count: number
  /** Offset of the first byte of input. */
  readonly inputStart: number
  readonly #source: FrameSource
  readonly #bytes: Uint8Array
  readonly #textStart: number
  readonly #keepsLineEnds: boolean
  /** Made when text is asked for that is not in the transcript. */
  #text: IndexedText | null | undefined
  readonly #transcript: string | undefined

  constructor(source: FrameSource, entity?: FrameEntity) {
    const { words, bytes, start, from, names, types, transcript } = source
    this.#source = source
    this.isOnTape = source.isOnTape === true
    this.names = names
    this.types = types
    this.entity = entity
    this.words = words
    this.#bytes = bytes
    this.inputStart = start
    this.#transcript = transcript
    // A carriage return that is left in an entity's text was referred to.
    this.#keepsLineEnds = entity !== undefined || !source.normalizesLineEnds
    this.count = words.length / RECORD_WORDS
    // Input that is left for excerpts may begin in the middle of a character.
    let textStart = Math.max(from, start)
    while (((bytes[textStart - start] as number) & 0xc0) === 0x80) textStart++
    this.#textStart = textStart
  }

  /** The text between two offsets, whose holes are the records from `first` to `end`, as a part by itself. */
  withText(first: number, end: number, from: number, to: number): TapeFrame {
    const words = new Int32Array((end - first + 1) * RECORD_WORDS)
    words.set(this.words.subarray(first * RECORD_WORDS, end * RECORD_WORDS))
    words.set([this.types.text, from, to], (end - first) * RECORD_WORDS)
    return new TapeFrame({ ...this.#source, words, from, transcript: undefined, isOnTape: false }, this.entity)
  }

  /** An offset in the document: of what an entity brings, that of the reference, or after it. */
  place(offset: number, isEnd = false): number {
    if (!this.entity) return offset
    return isEnd ? this.entity.end : this.entity.start
  }

  /** Whether a start tag ends with `/>`: a recorded tag is followed by that, or by `>`. */
  isEmptyTag(tag: number): boolean {
    const next = tag + 1
    return next < this.count ? this.typeOf(next) === this.types.emptyTag : this.byteAt(this.endOf(tag)) === SLASH
  }

  /** Whether the input has arrived that says so. */
  isTagEnded(tag: number): boolean {
    const end = this.endOf(tag)
    const next = this.byteAt(end)
    return next === GREATER_THAN || (next === SLASH && this.byteAt(end + 1) === GREATER_THAN)
  }

  /** Offset after a start tag, where its content begins. */
  tagEndOf(tag: number): number {
    return this.endOf(tag) + (this.isEmptyTag(tag) ? 2 : 1)
  }

  /** Moves to the next part; false when there is none. */
  next(): boolean {
    const { isPart } = this.types
    const words = this.words
    this.first = this.part + 1
    for (let record = this.first; record < this.count; record++) {
      const at = record * RECORD_WORDS
      const type = (words[at] as number) & 255
      if (isPart[type] === 0) continue
      this.part = record
      this.type = type
      this.start = this.inputStart + (((words[at + START] as number) - this.inputStart) >>> 0)
      this.end = this.inputStart + (((words[at + END] as number) - this.inputStart) >>> 0)
      return true
    }
    return false
  }

  typeOf(record: number): number {
    return (this.words[record * RECORD_WORDS + TYPE] as number) & 255
  }

  get hasTranscript(): boolean {
    return this.#transcript !== undefined
  }

  /** What a text, or another literal that is no value, stands for. Its holes are the records from `first` on. Throws a `StringTooLong`. */
  textOf(record: number, first: number): string {
    return this.#transcribed(record) ?? this.#fill(record, first, (hole) => this.standsFor(hole) ?? '')
  }

  /** What the literal of a value stands for: `expand` says it of entities (section 3.3.3). Throws a `StringTooLong`, and what `expand` throws. */
  valueOf(record: number, first: number, expand?: (name: string, hole: number) => string): string {
    const known = this.#transcribed(record)
    if (known !== undefined) return known
    return this.#fill(record, first, (hole) => {
      if (!this.isReference(hole)) return this.entity ? ' '.repeat(this.endOf(hole) - this.startOf(hole)) : ' '
      return this.standsFor(hole) ?? expand?.(this.referenceName(hole), hole) ?? ''
    })
  }

  /** What a literal or a text stands for, where it is in the transcript. */
  #transcribed(record: number): string | undefined {
    const at = record * RECORD_WORDS
    const from = this.words[at + UNIT] as number
    if (this.#transcript === undefined || from === -1) return undefined
    if (from < -1) return INDENTS[-2 - from]
    return this.#transcript.substring(from, from + ((this.words[at + TYPE] as number) >>> 8))
  }

  #fill(record: number, first: number, standsFor: (hole: number) => string): string {
    let text = ''
    let from = this.startOf(record)
    for (let hole = first; hole < record; hole++) {
      text = concatText(text, this.text(from, this.startOf(hole)))
      text = concatText(text, standsFor(hole))
      from = this.endOf(hole)
    }
    return concatText(text, this.text(from, this.endOf(record)))
  }

  /** The text of a record, whose holes are the records from `first` on, piece by piece, with what stands for its holes. */
  *stretches(record: number, first: number): Generator<Stretch, void, undefined> {
    let from = this.startOf(record)
    for (let hole = first; hole <= record; hole++) {
      const start = hole < record ? this.startOf(hole) : this.endOf(record)
      if (from < start) yield this.#stretch(this.text(from, start), from, start, !this.entity)
      if (hole === record) return
      from = this.endOf(hole)
      yield this.#stretch(this.standsFor(hole) ?? '', start, from, false)
    }
  }

  #stretch(text: string, start: number, end: number, isVerbatim: boolean): Stretch {
    return { text, start: this.place(start), end: this.place(end, true), isVerbatim }
  }

  /**
   * What a hole in a text stands for; undefined for a reference to an entity that is declared. A character that XML does not allow is replaced in the input,
   * so that all who read it find what it became; or it throws an error with its place.
   */
  standsFor(hole: number): string | undefined {
    const start = this.startOf(hole)
    const end = this.endOf(hole)
    if (!this.isReference(hole)) return this.#keepsLineEnds ? this.text(start, end) : '\n'
    const { onReplace } = this.#source
    const replace = (point: number) => {
      onReplace?.(start)
      return replaceReference(this.#bytes.subarray(start - this.inputStart, end - this.inputStart), point)
    }
    return standsFor(this.text(start + 1, end - 1), this.place(start), onReplace && replace)
  }

  /** Whether a hole is a reference: others are line ends and blanks. */
  isReference(hole: number): boolean {
    return this.byteAt(this.startOf(hole)) === AMPERSAND
  }

  /** The name in a reference. */
  referenceName(hole: number): string {
    return this.text(this.startOf(hole) + 1, this.endOf(hole) - 1)
  }

  /** Makes a record the first of the next part. */
  moveTo(record: number): void {
    this.part = record - 1
    this.first = record
  }

  /** Makes the last part the next one if it is a start tag whose end has not arrived, and was passed. Returns whether it is. */
  moveToOpenTag(): boolean {
    const tag = this.count - 1
    if (this.part !== tag || this.typeOf(tag) !== this.types.startTag || this.isTagEnded(tag)) return false
    let first = tag
    while (first > 0 && this.types.isPart[this.typeOf(first - 1)] === 0) first--
    this.moveTo(first)
    return true
  }

  startOf(record: number): number {
    return this.#absolute(this.words[record * RECORD_WORDS + START] as number)
  }

  endOf(record: number): number {
    return this.#absolute(this.words[record * RECORD_WORDS + END] as number)
  }

  isName(record: number): boolean {
    return this.typeOf(record) === this.types.name
  }

  /** The name that a record has. */
  nameOf(record: number): Name {
    return this.names.get(this.symbolOf(record))
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

  /** The record of the part that begins with a record. */
  partAt(first: number): number {
    let record = first
    while (this.types.isPart[this.typeOf(record)] === 0) record++
    return record
  }

  /** How many more elements begin than end among the records from `first` to `end`. */
  countOpen(first: number, end: number): number {
    const { startTag, endTag, emptyTag } = this.types
    let count = 0
    for (let record = first; record < end; record++) {
      const type = this.typeOf(record)
      if (type === startTag) count++
      else if (type === endTag || type === emptyTag) count--
    }
    return count
  }

  /** The complete element of a start tag, as it stands in the text of an entity. Carriage returns are left there only where they were referred to. */
  sourceOf(tag: number): string {
    let last = tag
    let depth = 1
    while (depth > 0) {
      last++
      depth += this.countOpen(last, last + 1)
    }
    const source = this.text(this.startOf(tag), this.endOf(last))
    return source.includes('\r') ? source.replace(MARKUP_OR_RETURN, keepReturn) : source
  }

  /** The record of the start tag whose name is a record. */
  tagAfter(name: number): number {
    let record = name
    while (this.typeOf(record) !== this.types.startTag) record++
    return record
  }

  /** Of a record of a name. */
  symbolOf(record: number): number {
    return this.words[record * RECORD_WORDS + SYMBOL] as number
  }

  byteAt(offset: number): number {
    return this.#bytes[offset - this.inputStart] as number
  }

  /** What stands between two offsets. Throws a `StringTooLong`. */
  text(start: number, end: number): string {
    if (this.#source.isSparse) return decodeUtf8(this.#bytes, start - this.inputStart, end - this.inputStart)
    if (this.#text === undefined) this.#text = this.#indexText()
    if (end - start > LONG || !this.#text) {
      return decodeUtf8(this.#bytes, start - this.inputStart, end - this.inputStart)
    }
    return this.#text.slice(start - this.#textStart, end - this.#textStart)
  }

  /** The text of all records; null where that would be too long for a string. */
  #indexText(): IndexedText | null {
    // Not what the machine has not read yet: it would be decoded again with the next parts.
    const end = this.count > 0 ? this.endOf(this.count - 1) : this.inputStart
    if (end - this.#textStart > LONGEST_STRING) return null
    return new IndexedText(this.#bytes.subarray(this.#textStart - this.inputStart, end - this.inputStart))
  }

  #absolute(offset: number): number {
    return this.inputStart + ((offset - this.inputStart) >>> 0)
  }
}
