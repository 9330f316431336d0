// What a source is to those who read it.

import type { TextOrBytes } from '../chunk-encoder.ts'

/** How far a source has been read. */
export interface Progress {
  /** Bytes read so far, in the source's own bytes: compressed ones for a compressed source. */
  readonly bytesRead: number
  /** The total number of bytes; undefined while it is unknown. */
  readonly totalBytes: number | undefined
}

/** A source that reports its progress. A cache reports the progress of any `AsyncIterable` with this property. */
export interface ReportsProgress {
  readonly progress: Progress
}

/** A source that knows what a server says of its encoding. */
export interface ReportsCharset {
  /** The parameter of `Content-Type`; undefined before the first chunk, and where there is none. */
  readonly charset: string | undefined
}

/** A source of which parts may be missing. */
export interface ReportsGaps {
  /** The offsets at which something is missing, of those bytes that were given: nothing before one may be joined with what comes after it. */
  readonly gaps: readonly number[]
}

/** The method of sources that use the memory of a chunk again, when nobody can reach the chunk any more. */
export const REUSE = Symbol('reuse')

/** A source that has such a method. */
export interface ReusesMemory {
  [REUSE](chunk: Uint8Array): void
}

/** The property of sources in which chunks wait that nobody else has. */
export const BUFFERED = Symbol('buffered')

/** A source opened for reading, once. */
export interface SourceReader {
  /** The next chunk, undefined only at the end. Throws, or rejects, when the source fails. */
  read(): Promise<TextOrBytes | undefined> | TextOrBytes | undefined
  /**
   * Stops reading and frees what the source holds. Called once at the most, at any time, also while a read is pending. Undefined where there
   * was nothing to wait for.
   */
  close(reason: unknown): Promise<void> | undefined
  /** Undefined if the source knows no more than what it has delivered. */
  readonly progress: Progress | undefined
  /** What a server says of the encoding, when the first chunk is there. */
  readonly charset?: string | undefined
  /** Where something is missing in what was read. */
  readonly gaps?: readonly number[] | undefined
  /** Takes back a chunk that nobody can reach, and nobody has a view of; undefined where there is no use for it. */
  readonly reuse?: ((chunk: Uint8Array) => void) | undefined
  /** Whether the source may write to a chunk again when it is asked for the next one: whoever keeps chunks must copy them before. */
  readonly lendsChunks?: boolean
  /** Whether chunks wait in the source: then no more are read than cursors ask for. */
  readonly isBuffered?: boolean
}
