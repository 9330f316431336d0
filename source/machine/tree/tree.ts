// Parts with what their nodes need to read them: names of types, text, positions.

import { concatText, limitLength } from '../../text/units.ts'
import { NodeType } from '../program/program.ts'
import { RECORD_SHIFT } from '../program/registers.ts'
import { IndexedText } from './indexed-text.ts'
import type { Parts } from './tape.ts'
import type { TextPosition } from './text-position.ts'

/** Bytes between two places whose position is remembered. */
const POSITION_STEP = 512

/** The records of parts by their index, and nodes that were made of them. Offsets are bytes from the start of the first part. */
export class Tree<Node> {
  /** The children of nodes that have many, once they were asked for. */
  readonly kept = new Map<number, readonly Node[]>()
  /** Nodes that keep their value until there are too many nodes in such values. */
  readonly recent: { readonly nodes: Node[]; size: number } = { nodes: [], size: 0 }
  /** The sum of what was read ahead. Without a use of what it reads, the engine would leave the reading out. */
  readAheadSum = 0
  /** Four words a record. As signed numbers, which the engine handles faster; offsets are modulo 2^32 anyway. */
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #text: IndexedText
  readonly #types: readonly string[]
  /** The tape's and the input's offsets, modulo 2^32, that stand for 0 here. */
  readonly #tapeStart: number
  readonly #inputStart: number
  readonly #start: TextPosition
  readonly #positions: TextPosition[] = []

  /** With `text`, the string that the bytes were. */
  constructor({ records, tapeStart, bytes, start }: Parts, types: readonly string[], text?: string) {
    this.#words = new Int32Array(records.buffer, records.byteOffset, records.length)
    this.#bytes = bytes
    this.#text = new IndexedText(bytes, text, start.byteOffset)
    this.#types = types
    this.#tapeStart = tapeStart | 0
    this.#inputStart = (start.byteOffset % 2 ** 32) | 0
    this.#start = start
  }

  /** How many records there are. */
  get length(): number {
    return this.#words.length >>> 2
  }

  /**
   * Lets the processor fetch the records from one to another, of a small subtree. Who goes from child to child waits for the memory at each step:
   * that took a third of the time of a walk.
   */
  readAhead(first: number, last: number): void {
    let sum = 0
    // A word of each of the lines of a cache, which have 64 bytes.
    for (let word = first * 4; word < last * 4; word += 16) sum |= this.#words[word] as number
    this.readAheadSum = sum
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

  /** The text of a literal: without what is left out in it. Throws a `LimitError` when it is longer than a string can be. */
  literalOf(record: number): string {
    if (this.firstOf(record) === record) return this.text(this.startOf(record), this.endOf(record))
    const pieces: string[] = []
    let from = this.startOf(record)
    for (const hole of this.childrenOf(record)) {
      pieces.push(this.text(from, this.startOf(hole)))
      from = this.endOf(hole)
    }
    pieces.push(this.text(from, this.endOf(record)))
    return joinText(pieces, this.offset + this.startOf(record))
  }

  /** The text between two offsets. Throws a `LimitError` when it is longer than a string can be. */
  text(start: number, end: number): string {
    return this.#text.slice(start, end)
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

  /** Where the code point begins that an offset lies in. */
  #sequenceStart(offset: number): number {
    let start = offset
    while (start > 0 && ((this.#bytes[start] as number) & 0xc0) === 0x80) start--
    return start
  }
}

/** The text of a node that begins at an offset of the input. Throws a `LimitError` when it is longer than a string can be. */
export function joinText(pieces: readonly string[], byteOffset: number): string {
  try {
    return pieces.reduce((text, piece) => concatText(text, piece), '')
  } catch (error) {
    throw limitLength(error, 'the text of a node', byteOffset)
  }
}
