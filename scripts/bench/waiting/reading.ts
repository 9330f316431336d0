// Ways of reading a file in small pieces that differ in one thing: what it costs to be able to wait.
//
// All of them read with the same source, chunk size and cache, and do the same with each piece (tally.ts). What is written out
// here is what stands between a caller and a piece.

import { FileSource } from 'xylem/node'
import { type Cursor, StreamCache } from 'xylem/stream'
import { Tally } from '../tally.ts'
import type { ReadingSample } from './job.ts'

/** Bytes of a piece, as in the study. */
export const PIECE = 100

type ReadsCursor = (cursor: Cursor, tally: Tally) => Promise<void>
type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>
type ReadsFile = (file: string, tally: Tally) => Promise<void>

/** The ways of reading by their names, from the most waiting to the least. */
export const readings: Readonly<Record<string, ReadsFile>> = {
  'full async': overCursor(readFullAsync),
  'cursor.read': overCursor(readByRead),
  'returned promise': overCursor(readReturnedPromise),
  callback: overCursor(readCallback),
  'inlined wait': overCursor(readInlinedWait),
  peek: overCursor(readPeek),
  'bare, with views': (file, tally) => readBareViews(new FileSource(file), tally),
  bare: (file, tally) => readBare(new FileSource(file), tally),
}

/** Reads the file once, with a fresh source, cache and cursor. */
export async function measureReading(name: string, file: string): Promise<ReadingSample> {
  const read = readings[name]
  if (!read) throw new RangeError(`there is no way of reading named ${name}`)
  const tally = new Tally()
  const start = performance.now()
  await read(file, tally)
  const end = performance.now()
  return {
    seconds: (end - start) / 1000,
    firstResult: tally.firstAt - start,
    waited: tally.waited,
    answer: tally.answer,
  }
}

function overCursor(read: ReadsCursor): ReadsFile {
  return async (file, tally) => {
    const cursor = StreamCache.from(new FileSource(file)).cursor()
    try {
      await read(cursor, tally)
    } finally {
      cursor.release()
    }
  }
}

// ---- Full async: three named async functions, each awaiting the next.

export async function readFullAsync(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    const piece = await nextPiece(cursor, tally)
    if (piece.length === 0) return
    tally.take(piece)
  }
}

async function nextPiece(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  return await readFromCursor(cursor, tally)
}

async function readFromCursor(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  return await readFromCache(cursor, tally)
}

async function readFromCache(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  const piece = cursor.peek(PIECE) ?? (await waitForPiece(cursor, tally))
  cursor.skip(piece.length)
  return piece
}

/** Where a read really waits. Everybody's way to it is what is measured. */
async function waitForPiece(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  tally.waited++
  await cursor.fill(PIECE)
  const piece = cursor.peek(PIECE)
  if (!piece) throw new Error(`at byte ${cursor.offset}: filled, and still nothing to peek`)
  return piece
}

// ---- cursor.read: what one writes who does not think of it.

export async function readByRead(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    if (cursor.available < PIECE && !cursor.ended) tally.waited++
    const piece = await cursor.read(PIECE)
    if (piece.length === 0) return
    tally.take(piece)
  }
}

// ---- Returned promise: of the three functions only the innermost is async, the others hand its promise on.

async function readReturnedPromise(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    const piece = await nextPromise(cursor, tally)
    if (piece.length === 0) return
    tally.take(piece)
  }
}

function nextPromise(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  return promiseFromCursor(cursor, tally)
}

function promiseFromCursor(cursor: Cursor, tally: Tally): Promise<Uint8Array> {
  return readFromCache(cursor, tally)
}

// ---- Callback: the piece goes to a function; the promise says only that it did.

async function readCallback(cursor: Cursor, tally: Tally): Promise<void> {
  let done = false
  const take = (piece: Uint8Array) => {
    if (piece.length === 0) done = true
    else tally.take(piece)
  }
  while (!done) await deliverNext(cursor, tally, take)
}

function deliverNext(cursor: Cursor, tally: Tally, take: (piece: Uint8Array) => void): Promise<void> {
  return deliverFromCache(cursor, tally, take)
}

async function deliverFromCache(cursor: Cursor, tally: Tally, take: (piece: Uint8Array) => void): Promise<void> {
  const piece = cursor.peek(PIECE) ?? (await waitForPiece(cursor, tally))
  cursor.skip(piece.length)
  take(piece)
}

// ---- Inlined wait: the condition is tested in the loop itself, and waited for when it does not hold.

async function readInlinedWait(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    while (cursor.available < PIECE && !cursor.ended) {
      tally.waited++
      await cursor.fill(PIECE)
    }
    const piece = cursor.peek(PIECE)
    if (!piece || piece.length === 0) return
    cursor.skip(piece.length)
    tally.take(piece)
  }
}

// ---- Peek: a synchronous call that has the piece nearly always, and an awaited one for when it has not.

export async function readPeek(cursor: Cursor, tally: Tally): Promise<void> {
  for (;;) {
    const piece = cursor.peek(PIECE) ?? (await waitForPiece(cursor, tally))
    if (piece.length === 0) return
    cursor.skip(piece.length)
    tally.take(piece)
  }
}

// ---- Bare: the source's chunks without cache and cursor.

export function readBare(chunks: Chunks, tally: Tally): Promise<void> {
  return walkChunks(chunks, tally, (chunk, start) => {
    let position = start
    for (; position + PIECE <= chunk.length; position += PIECE) {
      tally.takeEnds(chunk[position] as number, chunk[position + PIECE - 1] as number, PIECE)
    }
    return position
  })
}

/** The same, but each piece is made an array as a cursor does: the difference is the price of a view. */
export function readBareViews(chunks: Chunks, tally: Tally): Promise<void> {
  return walkChunks(chunks, tally, (chunk, start) => {
    let position = start
    for (; position + PIECE <= chunk.length; position += PIECE) tally.take(chunk.subarray(position, position + PIECE))
    return position
  })
}

/** `takeWhole` takes the pieces that lie in a chunk from a position on, and gives the position after them. */
async function walkChunks(
  chunks: Chunks,
  tally: Tally,
  takeWhole: (chunk: Uint8Array, position: number) => number,
): Promise<void> {
  // A piece that is cut: its first byte, its last one so far, and how many there are. For the cut: piece | piece.
  let first = 0
  let last = 0
  let held = 0
  for await (const chunk of chunks) {
    tally.waited++
    let position = 0
    if (held > 0) {
      position = Math.min(PIECE - held, chunk.length)
      held += position
      last = chunk[position - 1] as number
      if (held < PIECE) continue
      tally.takeEnds(first, last, PIECE)
    }
    position = takeWhole(chunk, position)
    held = chunk.length - position
    if (held > 0) {
      first = chunk[position] as number
      last = chunk[chunk.length - 1] as number
    }
  }
  if (held > 0) tally.takeEnds(first, last, held)
}
