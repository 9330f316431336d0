// Recognising compressed input by its first bytes, never by its name: dumps are renamed, and parts of dumps end in page ranges.

import { type Bytes, toBytes } from '../stream/chunk-encoder.ts'
import { makeChunkError } from '../stream/errors.ts'

/** The formats that are detected; `none` is anything else. */
export type Compression = 'none' | 'gzip' | 'bzip2' | 'zstd' | 'xz' | '7z' | 'zip' | 'lz4' | 'lzma' | 'tar'

// gzip: RFC 1952, 2.3.1. zstd: RFC 8878, 3.1.1. xz: "The .xz File Format" 1.2.1, 2.1.1.1. 7z: 7zFormat.txt, "Signature Header".
// zip: APPNOTE 4.3.7 and 4.3.16, where the archive is empty. lz4: "LZ4 Frame Format", also the legacy one. lzma: lzma-file-format.txt of XZ Utils, with
// the properties and the dictionary of 64 KiB or more that all its writers choose. tar: POSIX.1-2024, pax, "ustar Interchange Format".
// bzip2 has no specification: 'BZh', the level as a digit, then the magic number of a block or of the stream's end.
const SIGNATURES: readonly { format: Compression; pattern: readonly (number | undefined)[] }[] = [
  { format: 'gzip', pattern: [0x1f, 0x8b, 0x08] },
  { format: 'bzip2', pattern: [0x42, 0x5a, 0x68, undefined, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] },
  { format: 'bzip2', pattern: [0x42, 0x5a, 0x68, undefined, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90] },
  { format: 'zstd', pattern: [0x28, 0xb5, 0x2f, 0xfd] },
  // Frames that are skipped, with which files of pzstd begin: the lowest four bits may be any.
  ...Array.from({ length: 16 }, (_, kind) => ({ format: 'zstd' as const, pattern: [0x50 + kind, 0x2a, 0x4d, 0x18] })),
  { format: 'xz', pattern: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { format: '7z', pattern: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { format: 'zip', pattern: [0x50, 0x4b, 0x03, 0x04] },
  { format: 'zip', pattern: [0x50, 0x4b, 0x05, 0x06] },
  { format: 'lz4', pattern: [0x04, 0x22, 0x4d, 0x18] },
  { format: 'lz4', pattern: [0x02, 0x21, 0x4c, 0x18] },
  { format: 'lzma', pattern: [0x5d, 0x00, 0x00] },
]

/** How many bytes `detectCompression` needs, but for tar. */
export const LONGEST_SIGNATURE = 10
/** The magic of tar in its two forms, and where it stands. Neither is text. */
const TAR = { magic: /^ustar(?:\0| {2}\0)/, from: 257, to: 265 }

/**
 * The compression of a stream that begins with these bytes. Pass {@link LONGEST_SIGNATURE} bytes, or all bytes of a shorter stream. If a
 * stream ends inside a signature of four bytes or more, the available bytes decide, so that a truncated file is still recognised. An archive of tar is recognised if there are 265 bytes.
 */
export function detectCompression(head: Bytes): Compression {
  const bytes = toBytes(head)
  if (!bytes) throw makeChunkError(head)
  for (const { format, pattern } of SIGNATURES) {
    const length = Math.min(pattern.length, bytes.length)
    if (length < 3) continue
    if (pattern.every((byte, index) => index >= length || byte === undefined || byte === bytes[index])) return format
  }
  return TAR.magic.test(String.fromCharCode(...bytes.subarray(TAR.from, TAR.to))) ? 'tar' : 'none'
}
