// Blobs, and files picked in a browser.

import type { SourceReader } from './source-reader.ts'

// Read by slices and not by blob.stream(), whose chunks are 64 KiB: a larger piece costs fewer turns.
const BLOB_PIECE = 1024 * 1024

export function readBlob(blob: Blob): SourceReader {
  let position = 0
  let isClosed = false
  return {
    async read() {
      if (isClosed || position >= blob.size) return undefined
      const piece = blob.slice(position, position + BLOB_PIECE)
      const bytes = new Uint8Array(await piece.arrayBuffer())
      position += bytes.length
      return bytes
    },
    async close() {
      isClosed = true
    },
    get progress() {
      return { bytesRead: position, totalBytes: blob.size }
    },
  }
}
