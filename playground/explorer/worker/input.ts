// What is looked into: a file, what is at an address, or a document that is made.

import { type Compression, decompress } from 'xylem/compression'
import { type Cursor, HttpSource, type SeekableSource, StreamCache } from 'xylem/stream'
import type { ContentKind, DocumentSource } from '../protocol.ts'
import { type FileKind, findKind } from './file-kind.ts'
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
  const ahead = input.cursor.clone()
  try {
    for (;;) {
      const isMore = await ahead.fill(ahead.available + 1)
      const head = ahead.peek(Math.min(HEAD, ahead.available)) ?? new Uint8Array()
      const root = findRoot(head)
      if (root.name === undefined && isMore && head.length < HEAD) continue
      const other = findKind(head)
      const kind = root.name === 'mediawiki' && !other ? 'mediawiki' : 'xml'
      return { compression: input.compression ?? 'none', kind, isUtf8: root.isUtf8, other }
    }
  } finally {
    ahead.release()
  }
}

/** The name of the first element, as far as it is there with what comes after it. What is not XML has none. */
function findRoot(head: Uint8Array): { readonly name: string | undefined; readonly isUtf8: boolean } {
  const [first, second] = head
  const isLittle = first === 0xff || (first !== undefined && first !== 0 && second === 0)
  const isBig = first === 0xfe || first === 0
  const text = new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(head)
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(text) ?? []
  const withoutComments = text.replaceAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
  const [, name] = /<([A-Za-z_:][^\s/>]*)[\s/>]/.exec(withoutComments) ?? []
  return { name, isUtf8: !isLittle && !isBig && /^(?:utf-?8|us-ascii)$/i.test(encoding) }
}
