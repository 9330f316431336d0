// By what a dump is known again: its size, and checksums of its beginning and its end. A dump of another day, or of another wiki, differs in
// them, and they are read in a moment.

import { readFrom, type Seekable, sizeOf } from '../../stream/seekable.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { digestOf } from '../../xml/ranges/head-facts.ts'

/** A fingerprint that identifies a dump. */
export interface Fingerprint {
  /** In bytes, as it is stored. */
  readonly size: number
  /** SHA-256 of the first and the last 64 KiB (or of a complete smaller file), in hexadecimal. */
  readonly head: string
  readonly tail: string
}

const PART = 64 * 1024

/** Reads the beginning and the end of a dump. Throws what reading it throws. */
export async function takeFingerprint(dump: Seekable): Promise<Fingerprint> {
  const size = await sizeOf(dump)
  const head = await digest(dump, 0, Math.min(PART, size))
  const tail = await digest(dump, Math.max(0, size - PART), size)
  return { size, head, tail }
}

/** Whether two fingerprints are equal. */
export function isSameDump(one: Fingerprint, two: Fingerprint): boolean {
  return one.size === two.size && one.head === two.head && one.tail === two.tail
}

async function digest(dump: Seekable, start: number, end: number): Promise<string> {
  const bytes = new Uint8Array(end - start)
  let length = 0
  for await (const chunk of StreamCache.from(readFrom(dump, start, end))
    .cursor()
    .chunks()) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return await digestOf(bytes.subarray(0, length))
}
