// Web streams: the body of a response, a file picked in a browser, the end of a chain of transforms.

import type { TextOrBytes } from '../chunk-encoder.ts'
import { requireChunk } from '../errors.ts'
import type { SourceReader } from '../source.ts'

/** Throws a `TypeError` when the stream is locked to another reader. */
export function readWebStream(stream: ReadableStream<TextOrBytes>): SourceReader {
  const reader = stream.getReader()
  /** The stream has ended or failed by itself: there is nothing to cancel. */
  let isOver = false
  return {
    async read() {
      try {
        const { done, value } = await reader.read()
        if (!done) return requireChunk(value)
        letGo()
        return undefined
      } catch (error) {
        letGo()
        throw error
      }
    },
    async close(reason) {
      if (isOver) return
      try {
        await reader.cancel(reason)
      } finally {
        reader.releaseLock()
      }
    },
    progress: undefined,
  }

  function letGo(): void {
    isOver = true
    reader.releaseLock()
  }
}
