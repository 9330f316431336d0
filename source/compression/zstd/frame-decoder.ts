// What decodes the blocks of frames: our own decoder, or that of Node's zlib.

import type { BlockHeader, FrameHeader } from './frame-header.ts'

/** The data of a block or frame is corrupt; the place is not known yet. */
export class ZstdError extends Error {}

/** Its methods are called in the order of the file, each when the one before is done. */
export interface FrameDecoder {
  /** A frame begins; `bytes` are those of its header. */
  begin(header: FrameHeader, bytes: Uint8Array): Promise<void> | void
  /** The content of a block; `bytes` are those of its header and what follows. Throws a `ZstdError` where it is corrupt. */
  decode(header: BlockHeader, bytes: Uint8Array): Promise<Uint8Array[]> | Uint8Array[]
  /** Whether this is the checksum of the frame, with which it ends. */
  check(checksum: Uint8Array): Promise<boolean> | boolean
  close(): void
}
