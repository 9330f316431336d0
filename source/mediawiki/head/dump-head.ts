// The head of a dump: its document type and the start tag of its root. They declare namespaces, defaults of attributes and entities, which
// hold in every page. So whoever reads pages from the middle of a dump reads its head before them.

import { decompress } from '../../compression/decompress.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Seekable } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { RecordNames } from '../../xml/names/record-names.ts'
import { runParser } from '../../xml/parser/run.ts'
import { parsePaths } from '../../xml/question/path.ts'
import { copyHead, type XmlHead } from '../../xml/ranges/head.ts'
import { type HeadBytes, LARGEST_HEAD } from '../../xml/ranges/head-facts.ts'
import { readHeadFor } from '../../xml/ranges/plan-ranges.ts'
import type { HeadFacts } from '../../xml/ranges/range.ts'
import { ROOT } from '../shape/site-info.ts'
import { repairHead } from './head-repair.ts'

/** By what pages are found without parsing. In dumps `<page>` stands for nothing else: text is escaped. */
export const PAGE_NAMES = RecordNames.of(parsePaths('page')) as RecordNames
/** The head where none is known. */
export const ROOT_TAG = new TextEncoder().encode(`<${ROOT}>`)
const HEAD_OPTIONS = { onReplace: () => {}, nameLimit }

/** The head of the dump that a cursor is at the start of, or why it cannot be kept; undefined where it cannot be read. The cursor stays there. */
export async function copyDumpHead(cursor: Cursor): Promise<HeadBytes | LimitError | undefined> {
  try {
    return bytesOf(await copyHead(runParser, cursor, [], HEAD_OPTIONS))
  } catch (error) {
    if (error instanceof LimitError) return error
    throw error
  }
}

/**
 * The head of a dump that can be read from anywhere, in UTF-8, without a byte order mark; undefined where it cannot be read, and where its root is not that
 * of a dump. Throws a `LimitError` for a head that is too large, what `readHeadFor` throws, and what reading the source throws. Rejects with the reason of either signal.
 */
export async function readHeadOf(
  dump: Seekable,
  ending?: AbortSignal,
  signal?: AbortSignal,
  head?: HeadFacts,
): Promise<HeadBytes | undefined> {
  const open = (file: ByteSource) => repairHead(decompress(file), () => {})
  return bytesOf(
    await readHeadFor(dump, { path: [], ...(head && { head }), open }, { ...HEAD_OPTIONS, signal, ending }),
  )
}

function bytesOf(head: XmlHead | undefined): HeadBytes | undefined {
  const [root] = head?.within.elements ?? []
  return root === ROOT || root?.endsWith(`}${ROOT}`) ? head?.bytes : undefined
}

function nameLimit(error: LimitError): LimitError {
  const message = `the document type and the start tag of the root are larger than ${LARGEST_HEAD} bytes together; such a dump can only be read from its beginning`
  return new LimitError(message, { ...error, code: 'retained-limit', limit: LARGEST_HEAD })
}
