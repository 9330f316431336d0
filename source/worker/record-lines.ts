// Records from JSON lines: objects are made on the page, from bytes, because an object in a message costs more than reading it.

import type { RecordValues } from '../record/value.ts'

/** Bytes that are made into objects at a time: with reading these one by one, some ten milliseconds of work. */
const PIECE = 64 * 1024
const LINE_FEED = 10

const decoder = new TextDecoder()

/** Yields the records in arrays of at least one. */
export function* parseRecords(lines: Uint8Array): Generator<RecordValues[], void, undefined> {
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(LINE_FEED, from + PIECE)
    const to = end === -1 ? lines.length : end + 1
    // Strings in JSON have no line feeds. One call for many lines takes two thirds of the time of a call for each.
    const text = decoder.decode(lines.subarray(from, to)).trimEnd()
    yield JSON.parse(`[${text.replaceAll('\n', ',')}]`) as RecordValues[]
    from = to
  }
}
