// Sources that are iterated over: arrays and generators, async generators, Node streams.

import type { ReportsProgress, SourceReader } from '../source.ts'

type Chunk = Uint8Array | string

export function readIterable(iterable: Iterable<Chunk>): SourceReader {
  const iterator = iterable[Symbol.iterator]()
  return {
    read() {
      const { done, value } = iterator.next()
      return done ? undefined : value
    },
    async close() {
      iterator.return?.()
    },
    progress: undefined,
  }
}

export function readAsyncIterable(iterable: AsyncIterable<Chunk>): SourceReader {
  const iterator = iterable[Symbol.asyncIterator]()
  return {
    async read() {
      const { done, value } = await iterator.next()
      return done ? undefined : value
    },
    async close() {
      // What can be destroyed, as Node's streams, is: its iterator's return would wait behind a pending next.
      if ('destroy' in iterable && typeof iterable.destroy === 'function') iterable.destroy()
      await iterator.return?.()
    },
    get progress() {
      return 'progress' in iterable ? (iterable as ReportsProgress).progress : undefined
    },
  }
}
