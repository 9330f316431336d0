// Finding one page of a dump without reading the dump: by an index of where pages are, as multistream dumps have one beside them.
//
//     offset:id:title        the page is in the bzip2 stream that begins at this byte, or begins at this byte of a dump that is not compressed
//     bit+skip:id:title      the page begins so many bytes into the content of the block of bzip2 that begins at this bit
//
// The first form is MediaWiki's, in which all pages of a stream have the same offset; the second one is ours, for dumps of one stream.
// Titles are as they stand in the dump, with `&amp;` and the like.

import { CancellableGenerator } from '../async/cancellable-generator.ts'
import { decompress } from '../compression/decompress.ts'
import { readFrom, type Seekable } from '../stream/seekable.ts'
import type { ByteSource } from '../stream/source.ts'
import { ParseError } from '../text/parse-error.ts'
import { type DumpOptions, readDump } from './dump-reader.ts'
import type { Page } from './page.ts'

/** Where a page is. */
export interface IndexEntry {
  id: number
  title: string
  /** Byte offset in the dump: of the stream that has the page, or of the page; with `skip`, of the byte in which the block begins. */
  offset: number
  /** Where the next stream begins; undefined for the last one, and where pages have offsets of their own. */
  end?: number
  /** The bit of that byte at which the block begins, from the most significant, and bytes of its content before the page. */
  bit?: number
  skip?: number
}

const LINE = /^(\d+)(?:\+(\d+))?:(\d+):(.*)$/s

/**
 * The entries of an index, plain or compressed, in its order. Throws a `ParseError` with the code `malformed-index`.
 */
export function readIndex(source: ByteSource): AsyncGenerator<IndexEntry, void, undefined> {
  return new CancellableGenerator((signal) => readEntries(decompress(source, { signal })))
}

async function* readEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<IndexEntry, void, undefined> {
  // Entries of the stream whose end is not known yet.
  let open: IndexEntry[] = []
  for await (const { line, offset } of readLines(bytes)) {
    const entry = parseLine(line, offset)
    if (open[0] && open[0].offset !== entry.offset) {
      for (const before of open) yield before.skip === undefined ? { ...before, end: entry.offset } : before
      open = []
    }
    open.push(entry)
  }
  yield* open
}

/**
 * The page that an entry is about, or undefined when it is not there. Reads only a small part of the dump. The options are those of
 * `readDump`.
 */
export async function readPageAt(
  dump: Seekable,
  entry: IndexEntry,
  options: DumpOptions = {},
): Promise<Page | undefined> {
  const { offset, end, bit, skip = 0, id } = entry
  const source = readFrom(dump, offset, end)
  const bytes = bit === undefined ? source : skipBytes(decompress(source, { startBit: bit }), skip)
  for await (const page of readDump(bytes, { ...options, isPart: true }).pages((outline) => outline.id === id))
    return page
  return undefined
}

/**
 * An index in memory, for many look-ups; it takes some 300 bytes a page. For one page `readIndex` is enough, which keeps nothing.
 */
export class MultistreamIndex {
  readonly #lines: readonly IndexEntry[]
  readonly #byTitle = new Map<string, IndexEntry>()
  readonly #byId = new Map<number, IndexEntry>()

  private constructor(entries: readonly IndexEntry[]) {
    this.#lines = entries
    for (const entry of entries) {
      this.#byTitle.set(entry.title, entry)
      this.#byId.set(entry.id, entry)
    }
  }

  /** Reads an index, plain or compressed. Throws a `ParseError` with the code `malformed-index`. */
  static async open(source: ByteSource): Promise<MultistreamIndex> {
    const entries: IndexEntry[] = []
    for await (const entry of readIndex(source)) entries.push(entry)
    return new MultistreamIndex(entries)
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

/** A line of an index. */
export function formatIndexEntry({ id, title, offset, bit, skip }: IndexEntry): string {
  const place = skip === undefined ? `${offset}` : `${offset * 8 + (bit ?? 0)}+${skip}`
  return `${place}:${id}:${escapeTitle(title)}\n`
}

function parseLine(line: string, byteOffset: number): IndexEntry {
  const [, first, skip, id, title] = LINE.exec(line) ?? []
  if (first === undefined || id === undefined || title === undefined) {
    const message = 'this is no line of an index, which has an offset, an id and a title with colons between them'
    throw new ParseError(message, { code: 'malformed-index', byteOffset })
  }
  const entry = { id: Number(id), title: unescapeTitle(title) }
  if (skip === undefined) return { ...entry, offset: Number(first) }
  return { ...entry, offset: Math.floor(Number(first) / 8), bit: Number(first) % 8, skip: Number(skip) }
}

async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: string; offset: number }, void, undefined> {
  const decoder = new TextDecoder()
  let rest: Uint8Array = new Uint8Array(0)
  let offset = 0
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    let start = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      if (end > start) yield { line: decoder.decode(bytes.subarray(start, end)), offset: offset + start }
      start = end + 1
    }
    offset += start
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) yield { line: decoder.decode(rest), offset }
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

const NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeTitle(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+));/g, (_, name: string | undefined, code: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (NAMES[name] as string),
  )
}

function escapeTitle(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
