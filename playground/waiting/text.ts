// The text that is read: the same everywhere, made from a fixed seed, and given as a stream of chunks.

export const TEXT_SIZE = 8_000_000
export const CHUNK_SIZE = 64 * 1024

export const BLANK = 0x20
export const LINE_FEED = 0x0a

/** Words of 1 to 12 letters, each with a blank or a line feed after it; lines of about 80. The last word may be cut. */
export function makeText(size: number): Uint8Array {
  const text = new Uint8Array(size)
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 24) % below
  }
  let [at, lineStart] = [0, 0]
  while (at < size) {
    for (let rest = 1 + random(12); rest > 0 && at < size; rest--) text[at++] = 0x61 + random(26)
    if (at === size) break
    const isLineFull = at - lineStart >= 80
    text[at++] = isLineFull ? LINE_FEED : BLANK
    if (isLineFull) lineStart = at
  }
  return text
}

/** Views of the text, without a copy. */
export function cutText(text: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size))
  return chunks
}

/** Gives a chunk whenever one is asked for: it is never behind, as if the network were faster than the reader. */
export function streamChunks(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++]
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
  })
}
