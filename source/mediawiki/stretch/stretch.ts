// Stretches of a dump: each is read by one parser, up to the end of the dump, an error or a gap.

import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'
import type { DocumentHead } from '../../xml/parser/run.ts'
import { parsePaths } from '../../xml/question/path.ts'
import { RecordNames } from '../../xml/question/record-names.ts'
import { SkippedText } from '../../xml/ranges/skipped-text.ts'

const DUMP_END = /^[ \t\r\n]*<\/mediawiki[ \t\r\n]*>/
const LONGEST_END = 256

/** By what pages are found without parsing. In dumps `<page>` stands for nothing else: text is escaped. */
export const PAGE_NAMES = RecordNames.of(parsePaths('page')) as RecordNames

/** Where a stretch begins. */
export interface Stretch {
  readonly position: Position
  /** Whether its parser knows the root: pages without one are read as a fragment. */
  readonly hasRoot: boolean
  /** What is read before it; undefined where it begins with the root, or has none. */
  readonly head: DocumentHead | undefined
}

export const START: Position = { byteOffset: 0, line: 1, column: 1 }

/** From the beginning of a dump. */
export const COMPLETE: Stretch = { position: START, hasRoot: true, head: undefined }

/** From the start of a page on, in a dump with this head; undefined where that is not known. Errors quote the end of what is before it, if that is given. */
export function stretchFrom(position: Position, head: Uint8Array | undefined, before?: Uint8Array): Stretch {
  return { position, hasRoot: head !== undefined, head: head && { bytes: head, next: position, before } }
}

/** Moves a cursor after the end tag of the root, if that is what follows, and an error is in it. Returns where it is then; undefined where something else follows. */
export async function passEnd(cursor: Cursor, place: Position): Promise<Position | undefined> {
  await cursor.fill(LONGEST_END)
  const bytes = cursor.peek(Math.min(cursor.available, LONGEST_END)) as Uint8Array
  const end = DUMP_END.exec(String.fromCharCode(...bytes))?.[0].length
  if (end === undefined) return undefined
  const skipped = new SkippedText(place)
  skipped.skip(bytes.subarray(Math.max(0, place.byteOffset - cursor.offset), end))
  cursor.skip(end)
  return skipped.position
}
