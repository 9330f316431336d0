// Moving to a place in a document without parsing what is before it: only its lines are counted, so that errors after it have the positions that one reading
// gives them.

import { breathe } from '../../async/breathe.ts'
import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'
import { LONGEST_NAME, type RecordNames } from '../names/record-names.ts'
import { SkippedText } from '../text/skipped-text.ts'
import type { FileRange } from './range.ts'

/** Bytes before the start of a reading that are kept: errors quote fewer. */
const CONTEXT = 160
/** The first byte of a byte order mark, which is not in a column. */
const MARK_START = 0xef
const MARK_LENGTH = 3
const LESS_THAN = 0x3c

/** Moves a cursor to an offset, which is asked for again and again, and may become known at last; or to the end. `onSkip` is called for the bytes that it moves over. */
export async function skipTo(
  cursor: Cursor,
  offset: () => number | undefined,
  onSkip?: (bytes: Uint8Array) => void,
): Promise<void> {
  const left = () => (offset() ?? Number.POSITIVE_INFINITY) - cursor.offset
  while (left() > 0 && (await cursor.fill(1))) {
    const bytes = cursor.peekChunk().subarray(0, Math.max(0, left()))
    onSkip?.(bytes)
    cursor.skip(bytes.length)
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
  await skipTo(cursor, offset, (bytes) => {
    skipped.skip(bytes)
    before = Uint8Array.of(...before, ...bytes.subarray(-CONTEXT)).slice(-CONTEXT)
  })
  const between = cursor.offset - headLength - (column === 0 ? MARK_LENGTH : 0)
  return { position: skipped.position, before: before.subarray(Math.max(0, before.length - Math.max(0, between))) }
}

export interface SearchOptions {
  /** The offset before which it has to begin, as far as it is known. */
  readonly until?: (() => number) | undefined
  /** Called for the bytes that the cursor moves over. */
  readonly onSkip?: ((bytes: Uint8Array) => void) | undefined
}

/** Moves a cursor to the next start tag of a record, as it seems: it may be in a comment. False if there is none. */
export async function findStart(
  cursor: Cursor,
  names: Pick<RecordNames, 'begin'>,
  { until = () => Number.POSITIVE_INFINITY, onSkip }: SearchOptions = {},
): Promise<boolean> {
  const skip = (length: number) => {
    onSkip?.(cursor.peek(length) as Uint8Array)
    cursor.skip(length)
  }
  while (cursor.available > 0 || (await cursor.fill(1))) {
    const turn = breathe()
    if (turn) await turn
    const chunk = cursor.peekChunk()
    let at = chunk.indexOf(LESS_THAN)
    while (at !== -1 && at + LONGEST_NAME <= chunk.length && !names.begin(chunk.subarray(at, at + LONGEST_NAME)))
      at = chunk.indexOf(LESS_THAN, at + 1)
    skip(at === -1 ? chunk.length : at)
    if (cursor.offset >= until()) return false
    if (at === -1) continue
    if (cursor.available < LONGEST_NAME) await fillName(cursor, names)
    if (names.begin(peekName(cursor))) return true
    skip(1)
  }
  return false
}

/** Waits until it can be seen whether a record begins so many bytes after a cursor. Waits for nothing else: a peer may send more only when it gets an answer. */
export async function fillName(cursor: Cursor, names: Pick<RecordNames, 'begin'>, ahead = 0): Promise<void> {
  while (cursor.available < ahead + LONGEST_NAME && names.begin(peekName(cursor, ahead)) === undefined)
    if (!(await cursor.fill(cursor.available + 1))) return
}

/** What has arrived so many bytes after a cursor, up to where a name has to end. */
export function peekName(cursor: Cursor, ahead = 0): Uint8Array {
  return (cursor.peek(Math.min(cursor.available, ahead + LONGEST_NAME)) as Uint8Array).subarray(ahead)
}

/** Moves a cursor from the start of a range to its first record, as it seems. False if there is none before an offset. */
export async function findFirst(
  cursor: Cursor,
  names: RecordNames,
  { codec, start }: FileRange,
  headLength: number,
  until: () => number,
): Promise<boolean> {
  // In the head there is none.
  if (codec === 'none') await skipTo(cursor, () => Math.min(headLength - start, until()))
  return await findStart(cursor, names, { until })
}
