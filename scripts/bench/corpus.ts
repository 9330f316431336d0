// The file that benchmarks read: text made from a fixed seed, so that it is the same everywhere.
//
// It is kept in scripts/bench/data/ (git-ignored) for the next time, one file per size.

import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Answer, Tally } from './tally.ts'

export const MEBIBYTE = 1024 * 1024

const FOLDER = new URL('data/', import.meta.url)

// A prime: the blocks drift against the chunks of any source, so that no two chunks are alike.
const BLOCK_SIZE = 999_983

/** The path of a file of `bytes` bytes, made unless it is there. */
export async function makeCorpus(bytes: number): Promise<string> {
  const path = fileURLToPath(new URL(`text-${bytes}.txt`, FOLDER))
  const existing = await stat(path).catch(() => undefined)
  if (existing?.size === bytes) return path
  await mkdir(FOLDER, { recursive: true })
  // Renamed when it is complete: a run that breaks off, or runs at the same time, leaves no incomplete file under the name.
  const partial = `${path}.${process.pid}.partial`
  try {
    await writeText(partial, bytes)
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  return path
}

/** What every way of reading the file in pieces must find, in the plainest way: blocking reads of complete pieces. */
export function tallyFile(path: string, pieceLength: number): Answer {
  const tally = new Tally()
  const buffer = new Uint8Array(pieceLength * 1000)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const length = readSync(file, buffer)
      if (length === 0) return tally.answer
      for (let start = 0; start < length; start += pieceLength) {
        tally.take(buffer.subarray(start, Math.min(start + pieceLength, length)))
      }
    }
  } finally {
    closeSync(file)
  }
}

async function writeText(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    const words = makeWords(BLOCK_SIZE)
    for (let written = 0; written < bytes; written += words.length) {
      words.write(`block ${String(written / words.length).padStart(8, '0')}\n`)
      await file.writeFile(words.subarray(0, bytes - written))
    }
    // On the disk before anything is measured: otherwise it is still being written during the first runs.
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Words of 1 to 12 letters in lines of about 80, from a linear congruential generator. */
function makeWords(length: number): Buffer {
  const text = Buffer.alloc(length)
  let state = 1
  let lineStart = 0
  for (let position = 0; position < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const wordLength = 1 + ((state >>> 24) % 12)
    for (let end = Math.min(position + wordLength, length - 1); position < end; position++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      text[position] = 0x61 + ((state >>> 24) % 26)
    }
    const isLineFull = position - lineStart >= 80
    text[position++] = isLineFull ? 0x0a : 0x20
    if (isLineFull) lineStart = position
  }
  return text
}
