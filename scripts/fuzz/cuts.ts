// Chunks that are cut at random.

import { Random } from '../../test/support/random.ts'

/** Copies of the bytes in chunks, some of a byte; the same for the same seed. */
export function cutAtRandom(bytes: Uint8Array, seed: number): Uint8Array[] {
  const random = new Random(seed)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(random.pick([1, 3, 20, 300]))
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}
