// The bytes of the result: input up to the next change is copied from a cursor, and new markup is written between.

import type { Cursor } from '../../stream/cursor.ts'
import { encodeText } from '../../text/markup/encode-text.ts'

/** Bytes from which on a copied stretch is a view of its chunk. Smaller ones are put together. */
const LARGE = 32 * 1024
/** UTF-16 units of a short text. */
const SHORT = 128
/** Fewer bytes may lie in two chunks. */
const SMALL = 4 * 1024
/** Bytes that small stretches are put together to. */
const PIECE = 256 * 1024

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const GREATER_THAN = 0x3e
const BRACKET = 0x5d

/**
 * A seam is where the result continues with what did not stand there in the input: new markup, or input after some that was left out. Only the first two
 * characters after a seam can end a `]]>` that begins before it.
 */
const FAR_FROM_SEAM = 2

/** Whether bytes lie directly after others. */
function follows(one: Uint8Array, next: Uint8Array): boolean {
  return next.length > 0 && one.buffer === next.buffer && one.byteOffset + one.length === next.byteOffset
}

/** Offsets are those of what is copied. */
export class EditOutput {
  readonly #cursor: Cursor
  readonly #shift: number
  readonly #encoding: string
  readonly #ready: Uint8Array[] = []
  #readyBytes = 0
  /** Small stretches, which belong after what is ready. */
  #piece: Uint8Array<ArrayBuffer> | undefined
  #length = 0
  /** The last two units of the result. */
  #last = 0
  #beforeLast = 0
  /** How many characters were added after the last seam, counted up to `FAR_FROM_SEAM`. */
  #sinceSeam = FAR_FROM_SEAM

  /** The cursor is after what was copied or left out; nobody else moves it. `start` is the offset of the byte before which it stands. */
  constructor(cursor: Cursor, start: number, encoding: string) {
    this.#cursor = cursor
    this.#shift = start - cursor.offset
    this.#encoding = encoding
    this.unit = encoding.startsWith('utf-16') ? 2 : 1
  }

  /** The offset up to which the input was copied or left out. */
  get offset(): number {
    return this.#cursor.offset + this.#shift
  }

  /** Bytes of what a character of markup takes. */
  readonly unit: number

  get encoding(): string {
    return this.#encoding
  }

  /** Bytes of input that can be held before they are copied. */
  get maxRetained(): number {
    return this.#cursor.maxRetained
  }

  /** Whether no more input can be held than waits to be copied. */
  get isFull(): boolean {
    return this.#cursor.available >= this.maxRetained
  }

  /** The last code point that is written as itself. */
  get lastCodePoint(): number {
    if (this.#encoding === 'us-ascii') return 0x7f
    return this.#encoding === 'iso-8859-1' ? 0xff : 0x10ffff
  }

  /** Bytes that wait to be taken. */
  get size(): number {
    return this.#readyBytes + this.#length
  }

  /** Copies the input up to an offset, as far as it has arrived and was not copied or left out before. */
  copyTo(offset: number): void {
    const cursor = this.#cursor
    const end = Math.min(offset, this.offset + cursor.available)
    for (let left = end - this.offset; left > 0; left = end - this.offset) {
      const bytes = this.#nextBytes(left)
      this.#add(bytes)
      cursor.skip(bytes.length)
    }
  }

  /** Copies all input that is left. */
  copyRest(): void {
    this.copyTo(Number.POSITIVE_INFINITY)
  }

  /** Some of the next bytes, at most so many: complete units. */
  #nextBytes(most: number): Uint8Array {
    if (most < SMALL) return this.#cursor.peek(most) as Uint8Array
    const chunk = this.#cursor.peekChunk()
    const { unit } = this
    const length = Math.min(most, chunk.length - (chunk.length % unit))
    return length === 0 ? (this.#cursor.peek(unit) as Uint8Array) : chunk.subarray(0, length)
  }

  /** Leaves the input out up to an offset. */
  skipTo(offset: number): void {
    const distance = offset - this.offset
    if (distance <= 0) return
    this.#cursor.skip(distance)
    this.#sinceSeam = 0
  }

  /** The input between two offsets, which was not copied or left out. */
  view(from: number, to: number): Uint8Array {
    const { offset } = this
    return (this.#cursor.peek(to - offset) as Uint8Array).subarray(from - offset)
  }

  /** Adds markup, which is well-formed by itself. Outside the root there is no text that it could join with. */
  write(markup: string, isOutside: boolean): void {
    if (markup === '') return
    const sinceSeam = isOutside ? FAR_FROM_SEAM : 0
    this.#sinceSeam = sinceSeam
    const first = markup.charCodeAt(0)
    const mayJoin = !isOutside && (first === GREATER_THAN || first === BRACKET || first === LINE_FEED)
    if (mayJoin || !this.#writeAscii(markup)) this.#add(encodeText(markup, this.#encoding))
    this.#sinceSeam = sinceSeam
  }

  /**
   * The pieces that wait to be yielded. Without `isAll`, the last one stays if it is a view of a chunk and the next input continues that chunk: both become one
   * piece.
   */
  take(isAll: boolean): Uint8Array[] {
    this.#flush()
    const last = this.#ready.at(-1)
    const isOpen = !isAll && last !== undefined && follows(last, this.#cursor.peekChunk())
    const taken = this.#ready.splice(0, isOpen ? this.#ready.length - 1 : this.#ready.length)
    this.#readyBytes = isOpen ? last.length : 0
    return taken
  }

  /** Writes a short text of ASCII, as most are, and says whether it is one. An encoder takes longer. */
  #writeAscii(text: string): boolean {
    const { length } = text
    if (length > SHORT || this.unit > 1) return false
    for (let i = 0; i < length; i++) if (text.charCodeAt(i) > 0x7f) return false
    const piece = this.#pieceFor(length)
    for (let i = 0; i < length; i++) piece[this.#length + i] = text.charCodeAt(i)
    this.#length += length
    this.#beforeLast = length > 1 ? text.charCodeAt(length - 2) : this.#last
    this.#last = text.charCodeAt(length - 1)
    return true
  }

  #add(bytes: Uint8Array): void {
    if (this.#sinceSeam < FAR_FROM_SEAM) {
      this.#mend(bytes)
    } else {
      this.#note(bytes)
      this.#put(bytes)
    }
  }

  /** Where a seam would make `]]>`, or one line end of two, a reference stands for its last character. */
  #mend(bytes: Uint8Array): void {
    const { unit } = this
    let from = 0
    for (let at = 0; at < bytes.length && this.#sinceSeam < FAR_FROM_SEAM; at += unit, this.#sinceSeam++) {
      const next = this.#unitAt(bytes, at)
      const endsSection = next === GREATER_THAN && this.#last === BRACKET && this.#beforeLast === BRACKET
      const endsLine = next === LINE_FEED && this.#last === CARRIAGE_RETURN && this.#sinceSeam === 0
      if (endsSection || endsLine) {
        if (from < at) this.#put(bytes.subarray(from, at))
        this.#put(encodeText(endsLine ? '&#10;' : '&gt;', this.#encoding))
        from = at + unit
      }
      this.#beforeLast = this.#last
      this.#last = next
    }
    if (bytes.length >= 2 * unit) this.#note(bytes)
    if (from < bytes.length) this.#put(from === 0 ? bytes : bytes.subarray(from))
  }

  /** Notes the last units of what follows. */
  #note(bytes: Uint8Array): void {
    const { unit } = this
    const at = bytes.length - unit
    this.#beforeLast = at >= unit ? this.#unitAt(bytes, at - unit) : this.#last
    this.#last = this.#unitAt(bytes, at)
  }

  #put(bytes: Uint8Array): void {
    const { length } = bytes
    if (length >= LARGE) {
      this.#flush()
      this.#addView(bytes)
      return
    }
    this.#pieceFor(length).set(bytes, this.#length)
    this.#length += length
  }

  /** A piece with room for so many bytes. */
  #pieceFor(length: number): Uint8Array {
    if (this.#piece && this.#length + length > PIECE) this.#flush()
    this.#piece ??= new Uint8Array(PIECE)
    return this.#piece
  }

  /** Views of one chunk that follow each other are one. */
  #addView(bytes: Uint8Array): void {
    const last = this.#ready.at(-1)
    if (last && follows(last, bytes)) {
      this.#ready[this.#ready.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + bytes.length)
    } else this.#ready.push(bytes)
    this.#readyBytes += bytes.length
  }

  #unitAt(bytes: Uint8Array, at: number): number {
    if (this.#encoding === 'utf-16le') return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
    if (this.#encoding === 'utf-16be') return ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
    return bytes[at] as number
  }

  /** Small stretches are ready. Whoever gets them may keep them, so their memory is not used again. */
  #flush(): void {
    if (!this.#piece || this.#length === 0) return
    const isFull = this.#length > PIECE / 2
    this.#ready.push(isFull ? this.#piece.subarray(0, this.#length) : this.#piece.slice(0, this.#length))
    if (isFull) this.#piece = undefined
    this.#readyBytes += this.#length
    this.#length = 0
  }
}
