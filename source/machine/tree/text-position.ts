// Where an offset lies for a person and for a string.

import { sequenceLength } from '../../text/utf8.ts'

const LINE_FEED = 10

/** A position in UTF-8. A line ends with a line feed. Immutable. */
export class TextPosition {
  static readonly START = new TextPosition(0, 1, 1, 0)

  /** Bytes from the start of the stream, from 0. */
  readonly byteOffset: number
  /** From 1. */
  readonly line: number
  /** UTF-16 units from the start of the line, from 1. */
  readonly column: number
  /** UTF-16 units from the start of the stream, from 0; NaN where they are not counted. */
  readonly index: number

  constructor(byteOffset: number, line: number, column: number, index: number) {
    this.byteOffset = byteOffset
    this.line = line
    this.column = column
    this.index = index
  }

  /** The position after text of so many bytes, line feeds, UTF-16 units, and units after its last line feed, or all where it has none. */
  add(bytes: number, lineFeeds: number, units: number, unitsInLine: number): TextPosition {
    return new TextPosition(
      this.byteOffset + bytes,
      this.line + lineFeeds,
      lineFeeds === 0 ? this.column + unitsInLine : 1 + unitsInLine,
      this.index + units,
    )
  }

  /** The position after the bytes that begin here. */
  advance(bytes: Uint8Array): TextPosition {
    let lineFeeds = 0
    let lastLineFeed = -1
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
      lineFeeds++
      lastLineFeed = at
    }
    const units = countUnits(bytes)
    const unitsInLine = lineFeeds === 0 ? units : countUnits(bytes.subarray(lastLineFeed + 1))
    return this.add(bytes.length, lineFeeds, units, unitsInLine)
  }
}

/** How many UTF-16 units the text has. A byte that is not UTF-8 is one, as it is where the machine replaces it to read on after an error. */
function countUnits(bytes: Uint8Array): number {
  let units = 0
  for (let i = 0; i < bytes.length; ) {
    const length = (bytes[i] as number) < 0x80 ? 1 : sequenceLength(bytes, i)
    units += length === 4 ? 2 : 1
    i += Math.max(1, length)
  }
  return units
}
