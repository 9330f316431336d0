// Moving to a place in a document whose beginning was read before: only its lines are counted, so that errors after it have the positions that one reading
// gives them.

import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'
import { SkippedText } from './skipped-text.ts'

/** Bytes before the start of a reading that are kept: errors quote fewer. */
const CONTEXT = 160
/** The first byte of a byte order mark, which is not in a column. */
const MARK_START = 0xef
const MARK_LENGTH = 3

/** Moves a cursor to an offset, which is asked for again and again, and may become known at last; or to the end. */
export async function skipTo(cursor: Cursor, offset: () => number | undefined): Promise<void> {
  while (cursor.offset < (offset() ?? Number.POSITIVE_INFINITY) && (await cursor.fill(1))) {
    const left = (offset() ?? Number.POSITIVE_INFINITY) - cursor.offset
    cursor.skip(Math.max(0, Math.min(left, cursor.available)))
  }
}

/** A place in a document, and the end of what is between the head of the document and it. */
export interface PassedPlace {
  readonly position: Position
  readonly before: Uint8Array
}

/** Moves a cursor from the start of a document to an offset. `offset` gives it as soon as it is known, and may be asked for whenever there are bytes. */
export async function passTo(
  cursor: Cursor,
  headLength: number,
  offset: () => number | undefined,
): Promise<PassedPlace> {
  await cursor.fill(1)
  const column = cursor.available > 0 && cursor.peekChunk()[0] === MARK_START ? 0 : 1
  const skipped = new SkippedText({ byteOffset: 0, line: 1, column })
  let before = new Uint8Array(0)
  while (cursor.offset < (offset() ?? Number.POSITIVE_INFINITY) && (await cursor.fill(1))) {
    const chunk = cursor.peekChunk()
    const bytes = chunk.subarray(0, Math.max(0, (offset() ?? Number.POSITIVE_INFINITY) - cursor.offset))
    skipped.skip(bytes)
    before = Uint8Array.of(...before, ...bytes.subarray(-CONTEXT)).slice(-CONTEXT)
    cursor.skip(bytes.length)
  }
  const between = cursor.offset - headLength - (column === 0 ? MARK_LENGTH : 0)
  return { position: skipped.position, before: before.subarray(Math.max(0, before.length - Math.max(0, between))) }
}
