// Compression that the command line reads, and the library does not: it takes a package.

import { ADDED_FORMATS } from '../../compression/added-formats.ts'

/** Whoever reads inputs calls this before, on each thread. What reads a format is loaded for the first input that has it. */
export function addFormats(): void {
  ADDED_FORMATS.set('xz', async function* (cursor) {
    const { decompressXz } = await import('./xz.ts')
    yield* decompressXz(cursor)
  })
}
