// Comparing what a dump holds with what it says of it: sizes and hashes of texts, and the checksum of the file itself.

import { createHash, type Hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Revision } from '../mediawiki/revision.ts'

/** What comparing a revision has shown. */
export type Verdict =
  /** Size and hash are those that are stored. */
  | 'same'
  /** There is nothing to compare: no text, or no hash. */
  | 'unknown'
  /** It differs, and in a way that dumps have good reasons for: what the dump's writer left out, replaced or normalised. */
  | 'explained'
  /** It differs. */
  | 'different'

/**
 * Compares the texts of a revision with the size and the hash that the dump gives for them.
 *
 * Dumps delete carriage returns and control characters, normalise to NFC, and replace what is not allowed in XML by U+FFFD, but give size
 * and hash of what is stored. So a text of another size than it should be, or whose size is not told, may have another hash.
 */
export function verifyRevision({ text, bytes, sha1, slots = [] }: Revision): Verdict {
  if (text === undefined || slots.some((slot) => slot.text === undefined)) return 'unknown'
  if (sha1 === undefined) return bytes === undefined || bytes === Buffer.byteLength(text) ? 'unknown' : 'explained'
  if (combineHashes(text, slots) === sha1) return 'same'
  return [{ text, bytes }, ...slots].some(mayBeChanged) ? 'explained' : 'different'
}

/** Whether the dump may have changed a text: it has another size, or marks, whose order is normalised too, or the sign for what is replaced. */
function mayBeChanged({ text = '', bytes }: { text?: string; bytes?: number | undefined }): boolean {
  return bytes !== Buffer.byteLength(text) || /[\p{M}\ufffd]/u.test(text)
}

/** As MediaWiki does: the hash of the only slot, else that of the hashes so far and the next one, in the order of their roles. */
function combineHashes(text: string, slots: NonNullable<Revision['slots']>): string {
  const all = [{ role: 'main', text }, ...slots.map(({ role, text: own = '' }) => ({ role, text: own }))]
  all.sort((one, two) => (one.role < two.role ? -1 : 1))
  const hashes = all.map((slot) => hashBase36(slot.text))
  return hashes.reduce((before, hash) => hashBase36(before + hash))
}

/** SHA-1 in base 36, 31 characters. */
function hashBase36(text: string): string {
  return BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')
}

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

/** The chunks of a file, hashed by the way. */
export class HashedSource implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>
  readonly #hash: Hash
  #isWhole = false

  constructor(source: AsyncIterable<Uint8Array>, algorithm: string) {
    this.#source = source
    this.#hash = createHash(algorithm)
  }

  /** The hash in hexadecimal, once; undefined when the source was not read to its end. */
  digest(): string | undefined {
    return this.#isWhole ? this.#hash.digest('hex') : undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#source) {
      this.#hash.update(chunk)
      yield chunk
    }
    this.#isWhole = true
  }
}
