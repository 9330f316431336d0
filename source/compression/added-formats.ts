// Formats that are recognised, and that a program reads by means of its own: the library has no packages.

import type { Cursor } from '../stream/cursor.ts'
import type { Compression } from './detect.ts'

/** Decompresses from the cursor to the end of its stream. */
export type Decompressor = (cursor: Cursor) => AsyncGenerator<Uint8Array, void, undefined>

/** By format. It is one table for all sources of the process. */
export const ADDED_FORMATS = new Map<Compression, Decompressor>()
