// Compression that the command line reads, and the library does not: it takes a package.

import { ADDED_FORMATS, INSPECTORS } from '../../compression/added-formats.ts'
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

/** What undoes the outer compression. */
const TOOLS: Readonly<Partial<Record<Compression, string>>> = {
  gzip: 'gzip -dc',
  bzip2: 'bzip2 -dc',
  zstd: 'zstd -dc',
  xz: 'xz -dc',
}

/** Refuses an archive of tar, and what is compressed twice. */
function refuseArchives(bytes: Uint8Array, format: Compression): void {
  const inner = detectCompression(bytes)
  if (inner === 'none') return
  const message =
    inner === 'tar'
      ? 'archives are not read; extract the document first: tar -xOf FILE MEMBER | …'
      : `what is in it is compressed with ${inner} once more; decompress it first: ${TOOLS[format]} FILE | …`
  throw new CompressionError(inner === 'tar' ? inner : format, 'unsupported', message, { byteOffset: 0 })
}
