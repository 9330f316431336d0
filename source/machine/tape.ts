// A part of a tree as the machine recorded it.

import type { TextPosition } from './text-position.ts'

/** A subtree of the tape with its text. The records of machine/registers.ts, the part's own node last. */
export interface Part {
  /** Four words a record. */
  readonly records: Uint32Array
  /** The input that the part covers. */
  readonly bytes: Uint8Array
  /** Where it begins; undefined where lines were not counted, as the whole input is at hand. */
  readonly start: TextPosition | undefined
  /** Offset of its first byte. */
  readonly startOffset: number
}
