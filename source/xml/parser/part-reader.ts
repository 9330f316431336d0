// Gives the parts that were inspected to a consumer, and knows how far it has read.

import type { Machine } from '../../machine/run/machine.ts'
import type { BoundaryFinder } from '../ranges/boundary-finder.ts'
import type { OpenText, TapeFrame } from '../tape/tape-frame.ts'
import type { XmlTape } from '../tape/xml-tape.ts'
import type { Consumer } from './consumer.ts'

/** Bytes of input that are kept at the most because the end of an element has not come. */
const LARGEST_LEFT = 512 * 1024

export interface PartReaderOptions {
  readonly machine: Machine
  readonly tape: XmlTape
  readonly consumer: Consumer
  /** Finds where what is to be read ends. */
  readonly boundary: BoundaryFinder | undefined
  /** Byte offset where the document begins. */
  readonly start: number
  /** Bytes of input that may be retained. */
  readonly maxRetained: number
  /** Whether the end of an element may yet come. */
  readonly mayLeave: () => boolean
  /** Called when the input is needed from another offset on (`leftFrom`). */
  readonly onLeave: () => void
}

export class PartReader {
  /** How many elements of the document and of its entities are open after what was inspected. */
  depth = 0
  /** Byte offset up to which parts were read. */
  readTo: number
  /** How many records were left on the tape, and the byte offset of the element that they belong to; undefined for none. */
  left = 0
  leftFrom: number | undefined
  /** Whether the machine has run since. */
  hasRun = false
  readonly #options: PartReaderOptions
  /** How many elements are open after what the consumer got. */
  #readDepth = 0
  /** Offset after the input that had arrived when a tag was left, of which it is not known whether its element is empty; undefined for other elements. */
  #tagLeftAt: number | undefined
  /** Whether nothing may be left, because the machine has no room. */
  #readsAll = false

  constructor(options: PartReaderOptions) {
    this.#options = options
    this.readTo = options.start
  }

  /** The machine has dropped parts: so many elements are open, and the last part ended at an offset; undefined if there was none. */
  follow(depth: number, end: number | undefined): void {
    this.depth = this.#readDepth = depth
    this.readTo = end ?? this.readTo
  }

  /** Begins to read what is on the tape, if there is more than what was left, or that cannot wait. `isPart`: the machine has stopped for parts. */
  resume(count: number, isPart: boolean): boolean {
    const { machine, tape } = this.#options
    const isTag = this.#tagLeftAt !== undefined
    const isWaiting = this.left > 0 && (count <= this.left || (!isTag && this.#isLeftOpen))
    // Where the machine stops for parts all the same, it wants room for what is open.
    const hasRoom = count <= tape.capacity / 8 && this.#isSmall(this.leftFrom ?? 0)
    this.#readsAll = isWaiting && ((isPart && this.hasRun) || !hasRoom)
    if (isWaiting && (this.#mayLeave || this.#tagLeftAt === machine.inputEnd)) return false
    this.left = 0
    this.#tagLeftAt = undefined
    if (this.leftFrom === undefined) return true
    this.leftFrom = undefined
    this.#options.onLeave()
    return true
  }

  /** Whether a start tag was left because it is not known whether its element is empty. */
  get isTagLeft(): boolean {
    return this.#tagLeftAt !== undefined
  }

  /** Whether the end of the element that was left has not been matched: then it need not be read again. */
  get #isLeftOpen(): boolean {
    // Its name is after the `<`.
    return this.leftFrom !== undefined && this.#options.machine.isSymbolOpen(this.depth, this.leftFrom + 1)
  }

  /** Reads what is before a start tag at the end, and leaves the tag: it is not known whether its element is empty. */
  leaveTag(frame: TapeFrame, first: number): void {
    this.read(frame, first)
    this.#leave(frame, first)
    this.#tagLeftAt = this.#options.machine.inputEnd
  }

  /** Reads a piece of a text, up to an offset. */
  readPiece(frame: TapeFrame, { from, first, next }: OpenText, end: number): void {
    this.read(frame, frame.first)
    if (from === end || !this.#isWanted(frame)) return
    const piece = frame.withText(first, next, from, end)
    this.#options.consumer.read(piece, 0, piece.count, this.depth, false)
  }

  /** Lets the consumer read the inspected parts up to a record, unless it drops them. The depth is that at the record. */
  read(frame: TapeFrame, end: number): void {
    if (end <= frame.unread) return
    if (this.#isWanted(frame)) this.give(frame, end)
    else this.#passTo(frame, end)
  }

  /** How many elements are open with the one up to whose end tag no parts are needed (`Consumer.dropDepth`). */
  get dropDepth(): number | undefined {
    const { consumer, boundary } = this.#options
    if (!boundary) return consumer.dropDepth
    // What the consumer drops has no records in it. One that wants nothing at all is read to its records all the same.
    return boundary.foundAt === undefined ? consumer.dropDepth || undefined : 0
  }

  /** Whether the consumer reads the parts in a frame. What entities bring belongs to texts that are read from the input otherwise, and may be dropped. */
  #isWanted(frame: TapeFrame): boolean {
    return this.dropDepth === undefined || (frame.entity !== undefined && this.#options.boundary?.foundAt === undefined)
  }

  /** Gives the consumer the inspected parts up to a record. */
  give(frame: TapeFrame, end: number): void {
    const first = frame.unread
    const depth = this.#readDepth
    const before = this.readTo
    const mayLeave = end === frame.count && frame.isOnTape && this.#mayLeave
    this.#passTo(frame, end)
    const { consumer, boundary } = this.#options
    // What an entity brings stands nowhere in the file.
    const stop = boundary && !frame.entity ? boundary.find(frame, first, end, depth) : end
    const left = stop === first ? end : consumer.read(frame, first, stop, depth, mayLeave && stop === end)
    if (stop < end || left >= end) return
    this.depth -= frame.countOpen(left, end)
    if (this.#isShort(frame, left)) {
      this.#leave(frame, left)
      this.readTo = left > first ? frame.endOf(left - 1) : before
    } else {
      consumer.read(frame, left, end, this.depth, false)
      this.depth += frame.countOpen(left, end)
    }
  }

  /** What is before a record was read. */
  #passTo(frame: TapeFrame, end: number): void {
    frame.unread = end
    this.#readDepth = this.depth
    if (!frame.entity) this.readTo = frame.endOf(end - 1)
  }

  /** Whether what there is of an element that begins with a record is little enough to be left. */
  #isShort(frame: TapeFrame, record: number): boolean {
    const hasRoom = frame.count - record <= this.#options.tape.capacity / 8
    return hasRoom && this.#isSmall(frame.startOf(frame.tagAfter(record)))
  }

  /** Whether the input from an offset on is little enough to be kept for an element that is left. */
  #isSmall(offset: number): boolean {
    return this.#options.machine.inputEnd - offset <= Math.min(LARGEST_LEFT, this.#options.maxRetained / 4)
  }

  /** Whether an element may be left on the tape whose end has not come. */
  get #mayLeave(): boolean {
    return !this.#readsAll && this.#options.mayLeave()
  }

  /** Leaves the records of an element from one on, until more of it has come. */
  #leave(frame: TapeFrame, record: number): void {
    this.left = frame.count - record
    this.hasRun = false
    this.#readDepth = this.depth
    this.leftFrom = frame.startOf(frame.tagAfter(record))
    this.#tagLeftAt = undefined
    this.#options.onLeave()
    frame.unread = frame.count
    frame.moveTo(frame.count)
  }
}
