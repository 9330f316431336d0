// What one piece costs when its bytes are there already: the ways of reading without the disk.
//
// The chunks are the same one again and again, so that it stays in the processor's cache and the calls are all that is left.

import { type Cursor, StreamCache } from 'xylem/stream'
import { MEBIBYTE } from '../corpus.ts'
import { Tally } from '../tally.ts'
import type { PiecesSample } from './job.ts'
import { readBare, readBareViews, readByRead, readFullAsync, readPeek } from './reading.ts'

type ReadsChunks = (chunks: Uint8Array[], tally: Tally) => Promise<void>

/** From the least to the most. */
export const pieceReadings: Readonly<Record<string, ReadsChunks>> = {
  bytes: readBare,
  'a view': readBareViews,
  'peek, skip': overCursor(readPeek),
  'cursor.read': overCursor(readByRead),
  'full async': overCursor(readFullAsync),
}

/** Reads as many chunks as are needed for `bytes` bytes. */
export async function measurePieces(name: string, bytes: number): Promise<PiecesSample> {
  const read = pieceReadings[name]
  if (!read) throw new RangeError(`there is no way of reading pieces named ${name}`)
  const chunk = new Uint8Array(MEBIBYTE).map((_, index) => index % 251)
  const chunks = new Array<Uint8Array>(Math.ceil(bytes / chunk.length)).fill(chunk)
  const tally = new Tally()
  const start = performance.now()
  await read(chunks, tally)
  return { seconds: (performance.now() - start) / 1000, answer: tally.answer }
}

function overCursor(read: (cursor: Cursor, tally: Tally) => Promise<void>): ReadsChunks {
  return async (chunks, tally) => {
    const cursor = StreamCache.from(chunks).cursor()
    await read(cursor, tally)
    cursor.release()
  }
}
