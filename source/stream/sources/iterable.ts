// Sources that are iterated over: arrays and generators, async generators, Node streams.

import type { TextOrBytes } from '../chunk-encoder.ts'
import { requireChunk } from '../errors.ts'
import { REUSE, type ReportsProgress, type ReusesMemory, type SourceReader } from '../source.ts'

export function readIterable(iterable: Iterable<TextOrBytes>): SourceReader {
  const iterator = iterable[Symbol.iterator]()
  let isRunning = false
  /** It has come to its end: there is nothing to leave. */
  let isOver = false
  const leave = async () => {
    // A generator that aborts the very stream it feeds cannot be left before it has yielded.
    if (isRunning) await undefined
    if (!isOver) iterator.return?.()
  }
  return {
    read() {
      isRunning = true
      try {
        const { done, value } = iterator.next()
        isOver = done === true
        return done ? undefined : requireChunk(value)
      } finally {
        isRunning = false
      }
    },
    close: () => (isOver ? undefined : leave()),
    progress: undefined,
  }
}

export function readAsyncIterable(iterable: AsyncIterable<TextOrBytes>): SourceReader {
  const iterator = iterable[Symbol.asyncIterator]()
  /** It has come to its end: there is nothing to leave. */
  let isOver = false
  hearErrors(iterable)
  return {
    async read() {
      const { done, value } = await iterator.next()
      isOver = done === true
      return done ? undefined : requireChunk(value)
    },
    async close() {
      if (isOver) return
      // A source that can be destroyed, like Node's streams, is destroyed: its iterator's return would wait for a pending next.
      if ('destroy' in iterable && typeof iterable.destroy === 'function') iterable.destroy()
      await iterator.return?.()
    },
    reuse: REUSE in iterable ? (chunk) => (iterable as Partial<ReusesMemory>)[REUSE]?.(chunk) : undefined,
    get progress() {
      return 'progress' in iterable ? (iterable as ReportsProgress).progress : undefined
    },
  }
}

/**
 * A Node stream ends the process with an error that nobody listens for, and its iterator listens from the first read to the last.
 * An error before is kept by the stream and thrown by that first read; one after concerns nobody.
 */
function hearErrors(
  iterable: AsyncIterable<TextOrBytes> & { on?(event: 'error', listener: () => void): unknown },
): void {
  if (typeof iterable.on === 'function') iterable.on('error', () => {})
}
