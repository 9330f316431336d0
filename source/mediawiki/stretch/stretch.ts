// Stretches of a dump: each is read by one parser, up to the end of the dump, an error or a gap.

import type { Cursor } from '../../stream/cursor.ts'
import type { Position } from '../../text/line-counter.ts'
import type { XmlError } from '../../xml/errors/errors.ts'
import { RecordNames } from '../../xml/names/record-names.ts'
import type { DocumentHead } from '../../xml/parser/run.ts'
import { parsePaths } from '../../xml/question/path.ts'
import { SkippedText } from '../../xml/ranges/skipped-text.ts'
import { placeOf } from '../../xml/ranges/stretches.ts'
import { makeTrailing } from '../dump-errors.ts'

/** The end tag of the root, and what may follow it (XML 1.0, production 1): white space, comments and processing instructions. */
const DUMP_END = /^[ \t\r\n]*<\/mediawiki[ \t\r\n]*>(?:[ \t\r\n]|<!--.*?-->|<\?.*?\?>)*/s
const LONGEST_END = 64 * 1024

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

/** What is wrong where a reading of pages alone has come to an error: nothing if that is the end of the dump, and nothing follows that may not. */
export async function explainEnd(cursor: Cursor, error: XmlError): Promise<XmlError | undefined> {
  await cursor.fill(LONGEST_END)
  const bytes = cursor.peek(Math.min(cursor.available, LONGEST_END)) as Uint8Array
  const [end] = DUMP_END.exec(new TextDecoder('latin1').decode(bytes)) ?? []
  if (end === undefined) return error
  const skipped = new SkippedText(placeOf(error))
  skipped.skip(bytes.subarray(Math.max(0, error.byteOffset - cursor.offset), end.length))
  cursor.skip(end.length)
  return (await cursor.fill(1)) ? makeTrailing(skipped.position) : undefined
}
