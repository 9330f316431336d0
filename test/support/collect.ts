// Reading sources to their end in tests.

import { range, sample } from './extent.ts'

/** All bytes of a source. */
export async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const { bytes, error } = await collectUntilFault(source)
  if (error !== undefined) throw error
  return bytes
}

/** All items. */
export async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Takes all items, and forgets them. */
export async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
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

/** The bytes in pieces of `size`, each in memory of its own. */
export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += size) pieces.push(cutOut(bytes, start, start + size))
  return pieces
}

/**
 * A copy of a part that lies in the middle of other bytes, as chunks of pooled memory do: who forgets where a view begins or ends
 * reads these.
 */
function cutOut(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const part = bytes.subarray(start, end)
  const memory = new Uint8Array(part.length + 8).fill(0xee)
  memory.set(part, 5)
  return memory.subarray(5, 5 + part.length)
}

/** So many bytes are cut at every place, always. */
const SHORT = 12

/** Places of a long input that `npm run test:all` cuts at. */
const MANY = 150

/** The places where `length` bytes are cut in two: every one of a short input; of a longer one a sample, except in `npm run test:long`. */
export function cutPlaces(length: number): readonly number[] {
  const places = range(1, length)
  return length <= SHORT ? places : sample(places, 3, MANY)
}

/** The bytes complete, byte by byte, and cut in two at every place. */
export function* everyCut(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield [bytes]
  yield inPieces(bytes, 1)
  for (const cut of cutPlaces(bytes.length)) yield [cutOut(bytes, 0, cut), cutOut(bytes, cut, bytes.length)]
}
