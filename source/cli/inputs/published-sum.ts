// The checksum of a dump, as a file beside it publishes it.

import { createHash, type Hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const SUMS = [
  { algorithm: 'sha256', pattern: /sha256sums/i },
  { algorithm: 'sha1', pattern: /sha1sums/i },
  { algorithm: 'md5', pattern: /md5sums/i },
] as const

/** The checksum of a file, as a file beside it says. */
export interface PublishedSum {
  readonly algorithm: 'sha256' | 'sha1' | 'md5'
  readonly value: string
  /** The file that says it. */
  readonly from: string
}

/** What `SHA256SUMS`, `…-sha1sums.txt` or `…-md5sums.txt` beside a file say of it; undefined where nothing does. */
export async function findPublishedSum(path: string): Promise<PublishedSum | undefined> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  for (const { algorithm, pattern } of SUMS) {
    for (const name of names.filter((candidate) => pattern.test(candidate))) {
      const from = join(folder, name)
      const text = await readFile(from, 'utf8').catch(() => '')
      for (const line of text.split('\n')) {
        const [, value, file] = /^([0-9a-f]+)\s+\*?(?:\.\/)?(.+?)\s*$/i.exec(line) ?? []
        if (value !== undefined && file === basename(path)) return { algorithm, value: value.toLowerCase(), from }
      }
    }
  }
  return undefined
}

/** The chunks of a file, hashed by the way; those of the last reading. */
export class HashedSource implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>
  readonly #algorithm: string
  #complete: Hash | undefined

  constructor(source: AsyncIterable<Uint8Array>, algorithm: string) {
    this.#source = source
    this.#algorithm = algorithm
  }

  /** The hash in hexadecimal, once; undefined when the source was not read to its end. */
  digest(): string | undefined {
    return this.#complete?.digest('hex')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const hash = createHash(this.#algorithm)
    for await (const chunk of this.#source) {
      hash.update(chunk)
      yield chunk
    }
    this.#complete = hash
  }
}
