// The ways of reading, as code. The page shows lines of it: `code.ts` has them, and a test compares.

import { StreamCache } from 'xylem/stream'
import { ByteReader, findWordEnd, readChunks, readWords } from './byte-reader.ts'
import type { Counter } from './counter.ts'
import type { WayName } from './ways.ts'

/** Reads a stream to its end. The floor has its chunks in memory. */
type Reading = (
  stream: ReadableStream<Uint8Array>,
  count: Counter,
  chunks: readonly Uint8Array[],
) => Promise<void> | void

export const readings: Readonly<Record<WayName, Reading>> = {
  async 'await-character'(stream, count) {
    const reader = new ByteReader(stream)
    for (;;) {
      count.awaited++
      const byte = await reader.readByte()
      if (byte === undefined) break
      count.take(byte)
    }
  },

  async 'callback-character'(stream, count) {
    const reader = new ByteReader(stream)
    await reader.forEachByte((byte) => count.take(byte))
    count.awaited = reader.fills
  },

  async 'peek-character'(stream, count) {
    const reader = new ByteReader(stream)
    for (;;) {
      const byte = reader.takeByte()
      if (byte !== undefined) count.take(byte)
      else if (!(await reader.fill())) break
    }
    count.awaited = reader.fills
  },

  async 'generate-word'(stream, count) {
    for await (const word of readWords(stream)) {
      count.awaited++
      count.takeWord(word.length, word[word.length - 1] as number)
    }
  },

  async 'await-word'(stream, count) {
    const reader = new ByteReader(stream)
    for (;;) {
      count.awaited++
      const word = await reader.readWord()
      if (!word) break
      count.takeWord(word.length, word[word.length - 1] as number)
    }
  },

  async 'peek-word'(stream, count) {
    const cursor = StreamCache.from(stream).cursor()
    for (;;) {
      // A word and what separates it have 13 bytes at the most.
      let ahead = cursor.peek(16)
      if (!ahead) {
        count.awaited++
        await cursor.fill(16)
        ahead = cursor.peek(16)
      }
      if (!ahead?.length) break
      const length = findWordEnd(ahead, 0)
      count.takeWord(length, ahead[length - 1] as number)
      cursor.skip(length)
    }
    cursor.release()
  },

  async chunk(stream, count) {
    for await (const chunk of readChunks(stream)) {
      count.awaited++
      for (let i = 0; i < chunk.length; i++) count.take(chunk[i] as number)
    }
  },

  loop(_, count, chunks) {
    for (const chunk of chunks) {
      for (let i = 0; i < chunk.length; i++) count.take(chunk[i] as number)
    }
  },
}
