// Parts with what their nodes need to read them: names of types, text, positions.

import { NodeType } from './program.ts'
import { RECORD_SHIFT } from './registers.ts'
import type { SyntaxNode } from './syntax-node.ts'
import type { Parts } from './tape.ts'
import type { TextPosition } from './text-position.ts'

/** Bytes between two places whose string index, or position, is remembered. */
const INDEX_STEP = 64
const POSITION_STEP = 512
/** From the last index, so many bytes forward are counted; farther, the steps are made and asked. */
const FARTHEST_COUNT = 1024

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The records of parts by their index. Offsets are bytes from the start of the first part. */
export class Tree {
  /** The children of nodes that have many, once they were asked for. */
  readonly kept = new Map<number, readonly SyntaxNode[]>()
  /** Four words a record. As signed numbers, which the engine handles faster; offsets are modulo 2^32 anyway. */
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #types: readonly string[]
  /** The tape's and the input's offsets, modulo 2^32, that stand for 0 here. */
  readonly #tapeStart: number
  readonly #inputStart: number
  readonly #start: TextPosition
  /** The text of all the bytes. */
  #text: string | undefined
  #indices: Uint32Array | undefined
  #lastOffset = 0
  #lastIndex = 0
  readonly #positions: TextPosition[] = []

  /** With `text`, the string that the bytes were. */
  constructor({ records, tapeStart, bytes, start }: Parts, types: readonly string[], text?: string) {
    this.#words = new Int32Array(records.buffer, records.byteOffset, records.length)
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#types = types
    this.#tapeStart = tapeStart | 0
    this.#inputStart = (start.byteOffset % 2 ** 32) | 0
    this.#start = start
    this.#text = text
  }

  /** Offset in the input of the first byte. */
  get offset(): number {
    return this.#start.byteOffset
  }

  typeOf(record: number): string {
    return this.#types[this.#words[record * 4] as number] as string
  }

  isLiteral(record: number): boolean {
    return this.#words[record * 4] === NodeType.LITERAL
  }

  startOf(record: number): number {
    return ((this.#words[record * 4 + 1] as number) - this.#inputStart) >>> 0
  }

  endOf(record: number): number {
    return ((this.#words[record * 4 + 2] as number) - this.#inputStart) >>> 0
  }

  /** The first record of the node's subtree: its own index, when it has no children. */
  firstOf(record: number): number {
    // A shift, since a division would make the index a floating-point number, and each node that holds it larger and slower.
    return ((this.#words[record * 4 + 3] as number) - this.#tapeStart) >>> RECORD_SHIFT
  }

  /** The node's children, from the first to the last. */
  childrenOf(record: number): number[] {
    const children: number[] = []
    const first = this.firstOf(record)
    for (let child = record - 1; child >= first; child = this.firstOf(child) - 1) children.push(child)
    return children.reverse()
  }

  /** How many children it has, or how many bytes of text. */
  countOf(record: number): number {
    if (!this.isLiteral(record)) return this.childrenOf(record).length
    const holes = this.childrenOf(record)
    return holes.reduce(
      (count, hole) => count - (this.endOf(hole) - this.startOf(hole)),
      this.endOf(record) - this.startOf(record),
    )
  }

  /** The text of a literal: without what is left out in it. */
  literalOf(record: number): string {
    if (this.firstOf(record) === record) return this.text(this.startOf(record), this.endOf(record))
    let text = ''
    let from = this.startOf(record)
    for (const hole of this.childrenOf(record)) {
      text += this.text(from, this.startOf(hole))
      from = this.endOf(hole)
    }
    return text + this.text(from, this.endOf(record))
  }

  /** The text between two offsets. */
  text(start: number, end: number): string {
    this.#text ??= decoder.decode(this.#bytes)
    // Only ASCII has as many UTF-16 units as bytes.
    if (this.#text.length === this.#bytes.length) return this.#text.substring(start, end)
    return this.#text.substring(this.#indexOf(start), this.#indexOf(end))
  }

  /** Line, column and index of an offset. */
  position(offset: number): TextPosition {
    const step = Math.floor(offset / POSITION_STEP)
    if (this.#positions.length === 0) this.#positions.push(this.#start)
    while (this.#positions.length <= step) {
      const last = this.#positions.at(-1) as TextPosition
      const from = last.byteOffset - this.offset
      const next = this.#positions.length * POSITION_STEP
      this.#positions.push(last.advance(this.#bytes.subarray(from, this.#sequenceStart(next))))
    }
    const known = this.#positions[step] as TextPosition
    return known.advance(this.#bytes.subarray(known.byteOffset - this.offset, offset))
  }

  /** The index in the text of the offset of a code point. Fast behind the one that was asked for last. */
  #indexOf(offset: number): number {
    if (offset < this.#lastOffset || offset > this.#lastOffset + FARTHEST_COUNT) {
      this.#indices ??= indexSteps(this.#view)
      const step = Math.floor(offset / INDEX_STEP)
      this.#lastOffset = step * INDEX_STEP
      this.#lastIndex = this.#indices[step] as number
    }
    this.#lastIndex += countUnits(this.#view, this.#lastOffset, offset)
    this.#lastOffset = offset
    return this.#lastIndex
  }

  /** Where the code point begins that an offset lies in. */
  #sequenceStart(offset: number): number {
    let start = offset
    while (start > 0 && ((this.#bytes[start] as number) & 0xc0) === 0x80) start--
    return start
  }
}

/** UTF-16 units of the code points that begin in a range. */
function countUnits(bytes: DataView, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; ) {
    // Most text is ASCII: four bytes at once.
    if (at + 4 <= end && (bytes.getUint32(at) & 0x80808080) === 0) {
      units += 4
      at += 4
      continue
    }
    const byte = bytes.getUint8(at++)
    if (byte < 0x80 || byte >= 0xc0) units += byte < 0xf0 ? 1 : 2
  }
  return units
}

/** UTF-16 units of the code points that begin before each step. */
function indexSteps(bytes: DataView): Uint32Array {
  const steps = new Uint32Array(Math.floor(bytes.byteLength / INDEX_STEP) + 1)
  for (let step = 1; step < steps.length; step++) {
    const start = (step - 1) * INDEX_STEP
    steps[step] = (steps[step - 1] as number) + countUnits(bytes, start, start + INDEX_STEP)
  }
  return steps
}
