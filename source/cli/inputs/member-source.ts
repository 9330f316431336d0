/// <reference lib="esnext.disposable" preserve="true" />
// The content of a member of a zip archive.

import { breathe } from '../../async/breathe.ts'
import { OpenReadings } from '../../async/open-readings.ts'
import { findChecksum, inflate, type MakeError } from '../../compression/gzip/deflated.ts'
import type { Cursor } from '../../stream/cursor.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { Progress, ReportsProgress } from '../../stream/sources/source-reader.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { findData, type Member, makeZipError, STORED } from './archive.ts'

/**
 * What a member was made of. Its size and its checksum are compared with those in the directory of the archive. Iterating throws a `CompressionError` where the
 * data is truncated or corrupt, after everything before the error. `progress` counts the bytes of the member, inflated.
 */
export class MemberSource implements AsyncIterable<Uint8Array>, AsyncDisposable, ReportsProgress {
  readonly #member: Member
  readonly #iterations = new OpenReadings()
  #bytesRead = 0

  constructor(member: Member) {
    this.#member = member
  }

  get progress(): Progress {
    return { bytesRead: this.#bytesRead, totalBytes: this.#member.entry.uncompressedSize }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#iterations.begin((signal) => this.#read(signal))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#iterations.close()
  }

  async *#read(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { archive, entry } = this.#member
    this.#bytesRead = 0
    const start = await findData(this.#member)
    if (signal.aborted) return
    // Inflating ends at a byte after the data. There is one: the directory of the archive.
    const more = entry.compressionMethod === STORED ? 0 : 1
    const cache = StreamCache.from(new FileSource(archive).from(start, start + entry.compressedSize + more))
    signal.addEventListener('abort', () => void cache.cancel().catch(() => {}))
    const cursor = cache.cursor()
    try {
      yield* this.#readContent(cursor, start)
    } finally {
      cursor.release()
      await cache.cancel().catch(() => {})
    }
  }

  async *#readContent(cursor: Cursor, start: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { uncompressedSize: size, compressedSize, crc32, compressionMethod } = this.#member.entry
    const makeError: MakeError = (code, message, offset, cause) => makeZipError(code, message, start + offset, cause)
    const addToChecksum = findChecksum()
    let checksum = 0
    for await (const piece of compressionMethod === STORED ? cursor.chunks() : inflate(cursor, makeError)) {
      checksum = addToChecksum(piece, checksum)
      this.#bytesRead += piece.length
      // What is larger than it claims is not read to its end, which may be far.
      if (this.#bytesRead > size)
        throw makeError('corrupt', `the member has more than ${size} bytes, its size in the directory`, cursor.offset)
      yield piece
      const turn = breathe()
      if (turn) await turn
    }
    if (this.#bytesRead < size)
      throw makeError(
        'corrupt',
        `the member has ${this.#bytesRead} bytes, and not ${size} as in the directory`,
        cursor.offset,
      )
    if (checksum !== crc32) throw makeError('corrupt', 'the checksum of the member is wrong', cursor.offset)
    if (cursor.offset !== compressedSize)
      throw makeError(
        'corrupt',
        `the data of the member has ${cursor.offset} bytes, and not ${compressedSize} as in the directory`,
        cursor.offset,
      )
  }
}
