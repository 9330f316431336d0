// Parts of a tree as the machine recorded them.

import type { TextPosition } from './text-position.ts'

/**
 * Parts that became certain together, with what they need of the tape and of the input. Small ones share a copy, so that a part costs
 * hardly anything. A part that is kept retains at most `LARGEST_SHARE` bytes of it more than its own.
 */
export interface Parts {
  /** Four words a record (machine/program/registers.ts). */
  readonly records: Uint32Array
  /** The indices of the parts' own records, in ascending order. */
  readonly roots: readonly number[]
  /** The offset of the tape, modulo 2^32, that the first record has. */
  readonly tapeStart: number
  /** The input from the start of the first part to the end of the last one, or more of it. */
  readonly bytes: Uint8Array
  /** The position of the first of the bytes; where lines were not counted, since the complete input is at hand, the start. */
  readonly start: TextPosition
}

/** Bytes of input and of tape that parts may share. */
export const LARGEST_SHARE = 16 * 1024
