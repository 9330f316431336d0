// Does the event loop turn while bytes are read that are in memory already? Every promise is resolved then, and resolved promises
// alone never leave the current turn.

import { type ByteSource, type Cursor, StreamCache } from 'xylem/stream'
import { watchLoop } from '../loop-watch.ts'
import { Tally } from '../tally.ts'
import type { FairnessSample } from './job.ts'
import { PIECE } from './reading.ts'

interface Case {
  makeSource(bytes: Uint8Array): ByteSource
  read(cache: StreamCache, tally: Tally): Promise<void>
}

/** The cases by their names. */
export const fairnessCases: Readonly<Record<string, Case>> = {
  'read, one chunk': { makeSource: (bytes) => bytes, read: readPieces },
  'read, 64 KiB chunks': { makeSource: (bytes) => cut(bytes, 65536), read: readPieces },
  'read, four cursors': { makeSource: (bytes) => cut(bytes, 65536), read: readFourfold },
  'fill, one chunk': { makeSource: (bytes) => bytes, read: fillPieces },
  'peek or fill, 1 KiB chunks': { makeSource: (bytes) => cut(bytes, 1024), read: peekPieces },
  'for await, 1 KiB chunks': { makeSource: (bytes) => cut(bytes, 1024), read: iterateChunks },
  'own async function, one chunk': { makeSource: (bytes) => bytes, read: callOwnFunction },
}

export async function measureFairness(name: string, bytes: number): Promise<FairnessSample> {
  const chosen = fairnessCases[name]
  if (!chosen) throw new RangeError(`there is no case of fairness named ${name}`)
  const memory = new Uint8Array(bytes).fill(0x78)
  const tally = new Tally()
  let seconds = 0
  const delay = await watchLoop(async () => {
    const start = performance.now()
    await chosen.read(StreamCache.from(chosen.makeSource(memory)), tally)
    seconds = (performance.now() - start) / 1000
  })
  return { seconds, bytes: tally.answer.bytes, delay }
}

function* cut(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

async function readPieces(cache: StreamCache, tally: Tally): Promise<void> {
  const cursor = cache.cursor()
  await readOn(cursor, tally)
  cursor.release()
}

async function readOn(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    const piece = await cursor.read(PIECE)
    if (piece.length === 0) return
    tally.take(piece)
  }
}

/** Cursors that pass the turn to each other. Only the first one's bytes are counted. */
async function readFourfold(cache: StreamCache, tally: Tally): Promise<void> {
  const cursors = [cache.cursor(), cache.cursor(), cache.cursor(), cache.cursor()]
  await Promise.all(cursors.map((cursor, index) => readOn(cursor, index === 0 ? tally : new Tally())))
  for (const cursor of cursors) cursor.release()
}

async function fillPieces(cache: StreamCache, tally: Tally): Promise<void> {
  const cursor = cache.cursor()
  while (await cursor.fill(1)) {
    const piece = cursor.peek(PIECE)
    if (!piece) continue
    cursor.skip(piece.length)
    tally.take(piece)
  }
  cursor.release()
}

async function peekPieces(cache: StreamCache, tally: Tally): Promise<void> {
  const cursor = cache.cursor()
  for (;;) {
    const piece = cursor.peek(PIECE)
    if (!piece) await cursor.fill(PIECE)
    else if (piece.length === 0) break
    else {
      cursor.skip(piece.length)
      tally.take(piece)
    }
  }
  cursor.release()
}

async function iterateChunks(cache: StreamCache, tally: Tally): Promise<void> {
  for await (const chunk of cache) tally.take(chunk)
}

/** For contrast: a promise chain of the caller's own, which xylem never gets to interrupt. */
async function callOwnFunction(cache: StreamCache, tally: Tally): Promise<void> {
  const cursor = cache.cursor()
  for (;;) {
    const piece = await peekLater(cursor)
    if (!piece) await cursor.fill(PIECE)
    else if (piece.length === 0) break
    else {
      cursor.skip(piece.length)
      tally.take(piece)
    }
  }
  cursor.release()
}

async function peekLater(cursor: Cursor): Promise<Uint8Array | undefined> {
  return cursor.peek(PIECE)
}
