// Lines and columns of text that is skipped, and may be malformed: those that a parser would count, to which each malformed byte is a
// character.

import { concatBytes } from '../../stream/chunk-encoder.ts'
import { countLineFeeds, type Position } from '../../text/line-counter.ts'
import { sequenceLength } from '../../text/utf8.ts'

const LINE_FEED = 10

export class SkippedText {
  #position: Position
  /** The beginning of a sequence, which continues in what comes next. */
  #cut = new Uint8Array(0)

  /** Begins at a position. */
  constructor(position: Position) {
    this.#position = position
  }

  /** The position after all that was skipped. */
  get position(): Position {
    const { column } = this.#position
    return { ...this.#position, column: column + this.#cut.length }
  }

  skip(bytes: Uint8Array): void {
    const { byteOffset, line, column } = this.#position
    const lastFeed = bytes.lastIndexOf(LINE_FEED)
    const rest = lastFeed === -1 ? concatBytes(this.#cut, bytes) : bytes.subarray(lastFeed + 1)
    const { units, length } = measure(rest)
    this.#cut = rest.slice(length)
    this.#position = {
      byteOffset: byteOffset + bytes.length,
      line: line + (lastFeed === -1 ? 0 : countLineFeeds(bytes)),
      column: (lastFeed === -1 ? column : 1) + units,
    }
  }
}

/** UTF-16 units of some bytes, without a sequence that is cut off at their end, and how many bytes those are. */
function measure(bytes: Uint8Array): { units: number; length: number } {
  let units = 0
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === -1) break
    units += length === 4 ? 2 : 1
    at += Math.max(1, length)
  }
  return { units, length: at }
}
