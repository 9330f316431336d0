// The head of a dump: its document type and the start tag of its root. They declare namespaces, defaults of attributes and entities, which
// hold in every page. So whoever reads pages from the middle of a dump reads its head before them.

import { decompress } from '../../compression/decompress.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { LimitError } from '../../stream/errors.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { type DocumentFacts, NullConsumer } from '../../xml/parser/consumer.ts'
import { type RunOptions, runParser } from '../../xml/parser/run.ts'
import { type HeadBytes, isOfContent, LARGEST_BEGINNING, LARGEST_HEAD } from '../../xml/ranges/head-facts.ts'
import type { TapeFrame } from '../../xml/tape/tape-frame.ts'
import { ROOT } from '../shape/site-info.ts'
import { repairHead } from './head-repair.ts'

/**
 * The head of a dump in UTF-8, without a byte order mark; undefined where it cannot be read, and where its root is empty or not that of a dump. The cursor,
 * at the start of the dump, follows. Throws a `LimitError` for a head that is too large, and what reading the source throws.
 */
async function findHead(cursor: Cursor, options: Pick<RunOptions, 'signal' | 'until'>): Promise<HeadBytes | undefined> {
  const finder = new HeadFinder()
  const limits = { maxRetained: LARGEST_HEAD }
  try {
    for await (const parser of runParser(cursor, 'check', finder, { ...options, limits, onReplace: () => {} })) {
      if (finder.isComplete) break
      parser.hold(finder.start)
    }
  } catch (error) {
    if (error instanceof LimitError) throw nameLimit(error)
    // Those who read the beginning of the dump report what is wrong with it.
    if (!finder.isComplete && !isOfContent(error)) throw error
  }
  return finder.head
}

/** The head of a dump that a cursor is at the start of, or why it cannot be kept. The cursor stays there. The dump is read up to the offset `until`. */
export async function copyHead(cursor: Cursor, until: () => number): Promise<HeadBytes | LimitError | undefined> {
  const ahead = cursor.clone()
  try {
    return await findHead(ahead, { until })
  } catch (error) {
    if (error instanceof LimitError) return error
    throw error
  } finally {
    ahead.release()
  }
}

/** Heads that were read, by what they were read from: many pages may be opened of a dump, one by one. */
const heads = new WeakMap<object, { readonly head: HeadBytes | undefined }>()

/** The head of a dump that can be read from anywhere, as {@link findHead} gives it. Rejects with the reason of either signal. */
export async function readHeadOf(
  dump: Seekable,
  signal?: AbortSignal,
  leaving?: AbortSignal,
): Promise<HeadBytes | undefined> {
  const known = heads.get(dump)
  if (known) return known.head
  const content = repairHead(decompress(readFrom(dump, 0, LARGEST_BEGINNING), { signal }), () => {})
  // Nothing is read ahead: no second block is decompressed.
  const cache = StreamCache.from(content, { highWaterMark: 1, signal })
  const cursor = cache.cursor()
  try {
    const head = await findHead(cursor, { signal: leaving })
    heads.set(dump, { head })
    return head
  } finally {
    cursor.release()
    await cache.cancel().catch(() => {})
  }
}

function nameLimit(error: LimitError): LimitError {
  if (error.code !== 'retained-limit') return error
  const message = `the document type and the start tag of the root are larger than ${LARGEST_HEAD} bytes together; such a dump can only be read from its beginning`
  return new LimitError(message, { ...error, limit: LARGEST_HEAD })
}

/** Finds the start tag of the root. */
class HeadFinder extends NullConsumer {
  override dropDepth: number | undefined = undefined
  #facts: DocumentFacts | undefined
  /** The offset of the first byte that is not part of a byte order mark. */
  start = 0
  isComplete = false
  head: HeadBytes | undefined

  begin(facts: DocumentFacts): void {
    this.#facts = facts
    this.start = facts.machine.viewWindow().start
  }

  override read(frame: TapeFrame, first: number, end: number): number {
    for (let part = first, record = 0; part < end && !this.isComplete; part = record + 1) {
      record = frame.partAt(part)
      if (frame.typeOf(record) !== frame.types.startTag) continue
      this.isComplete = true
      this.dropDepth = 0
      const isDump = frame.nameOf(part).raw === ROOT && !frame.isEmptyTag(record)
      if (isDump) this.head = this.#facts?.machine.viewInput(this.start, frame.tagEndOf(record)).slice()
    }
    return end
  }
}
