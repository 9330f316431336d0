// What is looked into: a file, what is at an address, or a document that is made.

import { type Compression, decompress } from 'xylem/compression'
import { type Cursor, HttpSource, LimitError, type SeekableSource, StreamCache } from 'xylem/stream'
import { readXml, XmlError } from 'xylem/xml/streaming'
import type { ContentKind, DocumentSource } from '../protocol.ts'
import { type FileKind, findKind, findUtf16 } from './file-kind.ts'
import { makeDocument } from './made/made-document.ts'

/** Bytes in which the root of a document is looked for. */
const HEAD = 64 * 1024

/** What the beginning of an input tells. */
export interface InputFacts {
  readonly compression: Compression
  readonly kind: ContentKind
  readonly isUtf8: boolean
  /** What it is, if it is not XML. */
  readonly other: FileKind | undefined
}

/** An input that is read from its beginning. */
export interface OpenInput {
  readonly cache: StreamCache
  /** At the beginning of the decompressed bytes. Who reads releases it. */
  readonly cursor: Cursor
  /** The compression; undefined until the first bytes are there. */
  readonly compression: Compression | undefined
}

/** Hears of bzip2 blocks: the bit of the input where one begins, and the offset of its content. */
export type OnBlock = (bit: number, offset: number) => void

/** Threads that decompress bzip2: how many, and where their script is if not in the library. */
export interface Threads {
  readonly threads: number
  readonly workerUrl?: string | undefined
}

export class Input {
  readonly #source: Blob | SeekableSource
  readonly #threads: Threads

  constructor(source: DocumentSource, threads: Threads) {
    this.#source = openSource(source)
    this.#threads = threads
  }

  /** What can be read from anywhere. */
  get seekable(): Blob | SeekableSource {
    return this.#source
  }

  /** Opens it. The signal ends reading, and the request. */
  open(signal: AbortSignal, onBlock?: OnBlock): OpenInput {
    const source = this.#source instanceof Blob ? this.#source : this.#source.from(0)
    const decompressed = decompress(source, {
      ...this.#threads,
      signal,
      ...(onBlock && { onBlock }),
    })
    const cache = StreamCache.from(decompressed, { signal })
    return {
      cache,
      cursor: cache.cursor(),
      get compression() {
        return decompressed.format
      },
    }
  }
}

function openSource(source: DocumentSource): Blob | SeekableSource {
  if (typeof source === 'string') return new HttpSource(source, { retries: 2 })
  return source instanceof Blob ? source : makeDocument(source)
}

/** Looks at the beginning, and leaves the cursor there. Throws what reading throws. */
export async function lookAt(input: OpenInput): Promise<InputFacts> {
  const { cursor } = input
  const { root, encoding } = await readProlog(cursor)
  // What is not XML is known by more than its first bytes.
  if (root === undefined) await cursor.fill(HEAD)
  const head = cursor.peek(Math.min(HEAD, cursor.available)) ?? new Uint8Array()
  const other = findKind(head)
  const kind = root === 'mediawiki' && !other ? 'mediawiki' : 'xml'
  const isUtf8 = !findUtf16(head) && /^(?:utf-?8|us-ascii)$/i.test(encoding)
  return { compression: input.compression ?? 'none', kind, isUtf8, other }
}

interface Prolog {
  /** The name of the root; undefined if it does not begin in the head, or what comes before it is not well-formed. */
  readonly root: string | undefined
  /** As the document declares it. */
  readonly encoding: string
}

async function readProlog(cursor: Cursor): Promise<Prolog> {
  const ahead = cursor.clone()
  let encoding = 'utf-8'
  try {
    for await (const event of readXml(readHead(ahead)).events()) {
      if (event.type === 'declaration') encoding = event.encoding ?? encoding
      if (event.type === 'start') return { root: event.name, encoding }
    }
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof LimitError)) throw error
  } finally {
    ahead.release()
  }
  return { root: undefined, encoding }
}

async function* readHead(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of cursor.chunks()) {
    yield chunk
    if (cursor.offset >= HEAD) return
  }
}
