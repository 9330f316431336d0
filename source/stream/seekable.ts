// Sources that can be read from anywhere.

import { type Bytes, unshare, viewBytes } from './chunk-encoder.ts'
import type { ByteSource } from './sources/source.ts'

/** A source that can be read from any offset, any number of times, such as `FileSource` and `HttpSource`. */
export interface SeekableSource {
  /** A source of the bytes from `start` to the end, or to the offset `end`. */
  from(offset: number, end?: number): ByteSource
  /** The size in bytes. Rejects like reading if the size cannot be found out. */
  size(): Promise<number>
}

/** Bytes, a Blob, or a source that can be read from any offset. */
export type Seekable = Bytes | Blob | SeekableSource

/** How many bytes a source has. Rejects like a reading where that cannot be found out. */
export async function sizeOf(source: Seekable): Promise<number> {
  const bytes = viewBytes(source)
  if (bytes) return bytes.length
  if (typeof Blob !== 'undefined' && source instanceof Blob) return source.size
  return await (source as SeekableSource).size()
}

/** A source of the bytes from an offset on, to the end or to the offset `end`. */
export function readFrom(source: Seekable, offset: number, end?: number): ByteSource {
  const bytes = viewBytes(source)
  if (bytes) return unshare(bytes.subarray(offset, end))
  if (typeof Blob !== 'undefined' && source instanceof Blob) return source.slice(offset, end)
  return (source as SeekableSource).from(offset, end)
}
