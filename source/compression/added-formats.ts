// Formats that are recognised, and that a program reads by means of its own: the library has no packages.

import type { Cursor } from '../stream/cursor.ts'
import type { Compression } from './detect.ts'

/** Decompresses from the cursor to the end of its stream. */
export type Decompressor = (cursor: Cursor) => AsyncGenerator<Uint8Array, void, undefined>

/** Looks at the first bytes of what is read, decompressed if it is compressed in a format; throws for what cannot be meant. */
export type Inspector = (bytes: Uint8Array, format: Compression) => void

/** Those of the program: an archive in what is compressed is nothing that a command reads, while others may want it. */
export const INSPECTORS: Inspector[] = []

/** By format. It is one table for all sources of the process. */
export const ADDED_FORMATS = new Map<Compression, Decompressor>()
