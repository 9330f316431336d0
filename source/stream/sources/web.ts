// Web streams: the body of a response, a file picked in a browser, the end of a chain of transforms.

import type { SourceReader } from '../source.ts'

/** Throws a `TypeError` when the stream is locked to another reader. */
export function readWebStream(stream: ReadableStream<Uint8Array | string>): SourceReader {
  const reader = stream.getReader()
  /** The stream has ended or failed by itself: there is nothing to cancel. */
  let settled = false
  return {
    async read() {
      try {
        const { done, value } = await reader.read()
        if (!done) return value
      } catch (error) {
        settled = true
        throw error
      }
      settled = true
      reader.releaseLock()
      return undefined
    },
    async close(reason) {
      if (settled) return
      await reader.cancel(reason)
      reader.releaseLock()
    },
    progress: undefined,
  }
}
