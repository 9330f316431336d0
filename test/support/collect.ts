// Reading sources to their end in tests.

/** All bytes of a source. */
export async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const { bytes, error } = await collectUntilFault(source)
  if (error !== undefined) throw error
  return bytes
}

/** The bytes that a source gives before it fails, and what it fails with (undefined: it ends). */
export async function collectUntilFault(
  source: AsyncIterable<Uint8Array>,
): Promise<{ bytes: Uint8Array; error: unknown }> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of source) chunks.push(chunk)
    return { bytes: new Uint8Array(Buffer.concat(chunks)), error: undefined }
  } catch (error) {
    return { bytes: new Uint8Array(Buffer.concat(chunks)), error }
  }
}

/** The bytes in pieces of `size`. */
export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += size) pieces.push(bytes.slice(start, start + size))
  return pieces
}

/** The bytes whole, byte by byte, and cut in two at every place. */
export function* everyCut(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield [bytes]
  yield inPieces(bytes, 1)
  for (let cut = 1; cut < bytes.length; cut++) yield [bytes.slice(0, cut), bytes.slice(cut)]
}
