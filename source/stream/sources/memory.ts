// Sources that are there completely: bytes and strings in memory, blobs and files picked in a browser.

import type { SourceReader } from './source-reader.ts'

/** UTF-16 units of a string that are encoded at a time: small enough not to hold up the event loop. */
const STRING_PIECE = 64 * 1024
// Blobs are read by slices and not by blob.stream(), whose chunks are 64 KiB: a larger piece costs fewer turns.
const BLOB_PIECE = 1024 * 1024

/** Bytes as one chunk. */
export function readBytes(bytes: Uint8Array): SourceReader {
  let rest: Uint8Array | undefined = bytes
  let bytesRead = 0
  return {
    read() {
      const chunk = rest
      rest = undefined
      if (chunk) bytesRead = chunk.length
      return chunk
    },
    close() {
      rest = undefined
      return undefined
    },
    get progress() {
      return { bytesRead, totalBytes: bytes.length }
    },
  }
}

/** A string piece by piece. A piece may end in half a surrogate pair: the cache joins it with the next one. */
export function readString(text: string): SourceReader {
  let position = 0
  return {
    read() {
      if (position >= text.length) return undefined
      const piece = text.slice(position, position + STRING_PIECE)
      position += piece.length
      return piece
    },
    close() {
      position = text.length
      return undefined
    },
    progress: undefined,
  }
}

/** A blob, or a file, slice by slice. */
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
