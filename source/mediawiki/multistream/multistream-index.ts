// Finding one page of a dump without reading the dump: by an index of where pages are, as multistream dumps have one beside them.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { transformed } from '../../async/transformed.ts'
import { decompress } from '../../compression/decompress.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { makeTranscoder } from '../../text/transcoders.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import type { DumpOptions } from '../dump-options.ts'
import { DumpReader } from '../dump-reader.ts'
import { readHeadOf } from '../head/dump-head.ts'
import type { Page } from '../shape/page.ts'
import { DUMP_END } from '../shape/site-info.ts'
import { type IndexEntry, type IndexHead, makeIndexError, parseIndexLine } from './index-format.ts'

export interface ReadIndexOptions {
  /** Called before the first entry with the head of the index. Indexes from MediaWiki have none. */
  onHead?: (head: IndexHead) => void
}

/**
 * Yields the entries of an index, uncompressed or compressed, in order. Throws a `ParseError` with the code `malformed-index`, also at the
 * end of an index that xylem wrote if its last line or entries are missing.
 */
export function readIndex(
  source: ByteSource,
  options: ReadIndexOptions = {},
): AsyncGenerator<IndexEntry, void, undefined> {
  return new CancellableGenerator(({ signal }) => joinStreams(readEntries(decompress(source, { signal }), options)))
}

async function* readEntries(
  bytes: AsyncIterable<Uint8Array>,
  { onHead }: ReadIndexOptions,
): AsyncGenerator<IndexEntry, void, undefined> {
  let entries = 0
  let isOurs = false
  let isComplete = false
  let next = 0
  for await (const { line, offset, end } of readLines(bytes)) {
    next = end
    if (isComplete) throw makeIndexError('unexpected data after the last line of this index', offset)
    const parsed = parseIndexLine(line, offset)
    if (parsed.type === 'entry') {
      entries++
      yield parsed.entry
    } else if (parsed.type === 'head') {
      isOurs = true
      onHead?.(parsed.head)
    } else {
      isComplete = true
      if (parsed.pages !== entries)
        throw makeIndexError(`this index has ${entries} of its ${parsed.pages} pages`, offset)
    }
  }
  if (isOurs && !isComplete) throw makeIndexError('this index is not complete; create it again', next)
}

/** Entries of multistream dumps, each with the offset at which the next stream begins. */
async function* joinStreams(entries: AsyncIterable<IndexEntry>): AsyncGenerator<IndexEntry, void, undefined> {
  // Entries of the stream whose end is not known yet.
  let open: IndexEntry[] = []
  for await (const entry of entries) {
    if (open[0] && open[0].offset !== entry.offset) {
      for (const before of open) yield before.skip === undefined ? { ...before, end: entry.offset } : before
      open = []
    }
    open.push(entry)
  }
  yield* open
}

const CARRIAGE_RETURN = 0x0d

/** Options for reading one page. */
export interface PageAtOptions extends DumpOptions {
  /** The encoding of the dump, as the head of its index names it; UTF-8 by default. */
  encoding?: string | undefined
}

/**
 * The page of an index entry, or undefined if it is not there. Reads only a small part of the dump. Throws the errors of `readDump`, with
 * positions that count from where reading begins.
 */
export async function readPageAt(
  dump: Seekable,
  { offset, end, bit, skip = 0, id }: IndexEntry,
  { encoding = 'utf-8', ...options }: PageAtOptions = {},
): Promise<Page | undefined> {
  const source = readFrom(dump, offset, end)
  const content = decompress(source, bit === undefined ? {} : { startBit: bit })
  const bytes = transformed(content, async function* (chunks) {
    yield* decodeToUtf8(skipBytes(chunks, skip), encoding)
    // A part ends with the end of the dump, wherever it ends.
    if (end !== undefined) yield DUMP_END
  })
  const head = (leaving: AbortSignal) => readHeadOf(dump, options.signal, leaving)
  const reader = new DumpReader(bytes, { ...options, isPart: true }, { head })
  for await (const page of reader.pages((outline) => outline.id === id)) return page
  return undefined
}

/**
 * An index in memory for many look-ups, with about 300 bytes for each page. To find only one page, use `readIndex`, which keeps nothing in
 * memory.
 */
export class MultistreamIndex {
  readonly #lines: readonly IndexEntry[]
  readonly #byTitle = new Map<string, IndexEntry>()
  readonly #byId = new Map<number, IndexEntry>()

  /** The head of the index; undefined for indexes from MediaWiki, which have none. */
  readonly head: IndexHead | undefined

  private constructor(entries: readonly IndexEntry[], head: IndexHead | undefined) {
    this.#lines = entries
    this.head = head
    for (const entry of entries) {
      this.#byTitle.set(entry.title, entry)
      this.#byId.set(entry.id, entry)
    }
  }

  /** Reads an index, uncompressed or compressed. Throws a `ParseError` with the code `malformed-index`. */
  static async open(source: ByteSource): Promise<MultistreamIndex> {
    const entries: IndexEntry[] = []
    let head: IndexHead | undefined
    const onHead = (said: IndexHead) => {
      head = said
    }
    for await (const entry of readIndex(source, { onHead })) entries.push(entry)
    return new MultistreamIndex(entries, head)
  }

  /** How many pages there are. */
  get size(): number {
    return this.#lines.length
  }

  /** All entries, in their order. */
  entries(): IterableIterator<IndexEntry> {
    return this.#lines.values()
  }

  /** The entry of a title as it is read, with spaces and with its namespace; undefined when there is none. */
  findTitle(title: string): IndexEntry | undefined {
    return this.#byTitle.get(title)
  }

  /** The entry of a page's id; undefined when there is none. */
  findId(id: number): IndexEntry | undefined {
    return this.#byId.get(id)
  }
}

async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: string; offset: number; end: number }, void, undefined> {
  const decoder = new TextDecoder()
  let rest: Uint8Array = new Uint8Array(0)
  let offset = 0
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      // Windows ends a line with a carriage return as well. In a title, it is written as a reference.
      const to = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
      if (to > start)
        yield { line: decoder.decode(bytes.subarray(start, to)), offset: offset + start, end: offset + end }
      start = end + 1
    }
    offset += start
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) yield { line: decoder.decode(rest), offset, end: offset + rest.length }
}

async function* skipBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = count
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/**
 * The UTF-8 of what is in the encoding that `detectEncoding` names. Throws an `XmlError` with the code `malformed-text` for bytes that are
 * not text in it, after the text before them; its `byteOffset` counts from the first chunk, to the chunk that has them.
 */
async function* decodeToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const transcoder = makeTranscoder(encoding)
  let byteOffset = 0
  for await (const chunk of chunks) {
    yield transcoder ? transcoder.push(chunk) : chunk
    if (transcoder?.error !== undefined) throw new XmlError(transcoder.error, { code: 'malformed-text', byteOffset })
    byteOffset += chunk.length
  }
}
