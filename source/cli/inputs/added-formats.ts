// Compression that the command line reads, and the library does not: it takes a package.

import { ADDED_FORMATS, BY_HAND, INSPECTORS } from '../../compression/decompress.ts'
import { type Compression, detectCompression } from '../../compression/detect.ts'
import { CompressionError } from '../../compression/errors.ts'

/** Whoever reads inputs calls this before, on each thread. What reads a format is loaded for the first input that has it. */
export function addFormats(): void {
  ADDED_FORMATS.set('xz', async function* (cursor) {
    const { decompressXz } = await import('./xz.ts')
    yield* decompressXz(cursor)
  })
  if (INSPECTORS.length === 0) INSPECTORS.push(refuseArchives)
}

/** Refuses an archive of tar, and what is compressed twice. */
function refuseArchives(bytes: Uint8Array, format: Compression): void {
  const inner = detectCompression(bytes)
  if (inner === 'none') return
  const [of, message] =
    inner === 'tar' || format === 'none'
      ? [inner, `archives are not read; extract the document first: ${BY_HAND[inner]} | …`]
      : [format, `what is in it is compressed with ${inner} once more; decompress it first: ${BY_HAND[format]} | …`]
  throw new CompressionError(of, 'unsupported', message, { byteOffset: 0 })
}
