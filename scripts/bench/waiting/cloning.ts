// What a saved position costs: a clone, and its release.

import { type Cursor, StreamCache } from 'xylem/stream'
import type { CloningSample } from './job.ts'
import { PIECE } from './reading.ts'

/** Makes and releases one clone; gives the offset at which it stood. */
type UsesClone = (cursor: Cursor) => number

export const clonings: Readonly<Record<string, UsesClone>> = {
  'clone, release': cloneAndRelease,
  'clone, peek, skip, release': cloneAndRead,
}

const START = 10

export async function measureCloning(name: string, times: number): Promise<CloningSample> {
  const useClone = clonings[name]
  if (!useClone) throw new RangeError(`there is no use of clones named ${name}`)
  const cursor = StreamCache.from(new Uint8Array(START + PIECE + 1)).cursor()
  await cursor.fill(START + PIECE + 1)
  cursor.skip(START)
  let offsets = 0
  const start = performance.now()
  for (let i = 0; i < times; i++) offsets += useClone(cursor)
  const seconds = (performance.now() - start) / 1000
  const right = offsets === START * times && cursor.offset === START && cursor.available === PIECE + 1
  cursor.release()
  return { seconds, right }
}

function cloneAndRelease(cursor: Cursor): number {
  const clone = cursor.clone()
  const { offset } = clone
  clone.release()
  return offset
}

function cloneAndRead(cursor: Cursor): number {
  const clone = cursor.clone()
  clone.peek(PIECE)
  clone.skip(PIECE)
  const { offset } = clone
  clone.release()
  return offset - PIECE
}
