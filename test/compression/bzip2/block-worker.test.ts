// Workers are files of the built package, so it is what is tested here.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CompressionError, decompress } from 'xylem/compression'
import { decompress as decompressSource } from '../../../source/compression/decompress.ts'
import { encodeBzip2, encodeSymbols, makeRandom } from '../../support/bzip2-encoder.ts'
import { collect, collectUntilFault, inPieces } from '../../support/collect.ts'
import { findExport } from '../../support/exported-file.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { readFixture } from '../../support/fixtures.ts'
import { isDeno } from '../../support/runtime.ts'

const lines = readFixture('compression/lines.bz2')
const linesText = Array.from({ length: 20000 }, (_, i) => `line ${i} of the text\n`).join('')
const many = makeMany()

const PORT = "import { parentPort } from 'node:worker_threads'"

/** The pieces, with time for workers to start when some blocks have come, or until they have: before they are there, this thread decodes. */
async function* withPause(pieces: readonly Uint8Array[], started?: Promise<void>): AsyncGenerator<Uint8Array> {
  const [first = new Uint8Array(), ...rest] = pieces
  const half = first.length >> 1
  yield first.subarray(0, half)
  await (started ?? new Promise((resolve) => setTimeout(resolve, 400)))
  yield first.subarray(half)
  yield* rest
}

/** Counts what workers are sent, and knows when one of them has started. */
class MessageCounter {
  readonly #name = `xylem-${process.pid}-${Math.random()}`
  readonly #channel = new BroadcastChannel(this.#name)
  #count = 0
  readonly started = new Promise<void>((resolve) => {
    this.#channel.onmessage = ({ data }) => {
      if (data === 'started') resolve()
      else this.#count++
    }
  })

  /** A module of a worker that runs a script, and `more`. */
  moduleFor(script: URL, more = ''): URL {
    return workerScript(`${PORT}
      const counter = new BroadcastChannel('${this.#name}')
      parentPort.on('message', () => counter.postMessage('message'))
      await import(${JSON.stringify(script.href)})
      ${more}
      counter.postMessage('started')`)
  }

  /** The count, when it is so much, or does not become it. */
  async take(least: number): Promise<number> {
    for (let turn = 0; turn < 100 && this.#count < least; turn++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    this.#channel.close()
    return this.#count
  }
}

/** A module for workers, of some text. */
function workerScript(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

describe('bzip2 on several threads', () => {
  test.each(sample([2, 3, 8], 1))('gives the same as on one, in the same order (%i threads)', async (threads) => {
    expect(Buffer.from(await collect(decompress(lines, { threads }))).toString()).toBe(linesText)
    for (const chunks of [[many.bytes], inPieces(many.bytes, 1000), withPause([many.bytes])]) {
      expect(Buffer.from(await collect(decompress(chunks, { threads }))).equals(many.content)).toBe(true)
    }
  })

  test('gives blocks that have magic numbers in them, between others', async () => {
    const symbols = Array.from({ length: 300 }, () => [...Buffer.from('314159265359', 'hex')]).flat()
    const { bytes, content } = encodeSymbols([...symbols, 9, 8, 7], 8) as { bytes: Uint8Array; content: Buffer }
    const decoded = await collect(decompress(withPause([bytes, many.bytes, bytes, many.bytes, bytes]), { threads: 2 }))
    const expected = Buffer.concat([content, many.content, content, many.content, content])
    expect(Buffer.from(decoded).equals(expected)).toBe(true)
  })

  test.runIf(isThorough)('yields a block that grows to 30 MB in pieces of at most 1 MiB', async () => {
    const zeros = readFixture('compression/zeros.bz2')
    let length = 0
    for await (const piece of decompress(withPause([lines, zeros, lines, zeros]), { threads: 2 })) {
      expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
      length += piece.length
    }
    expect(length).toBe(60_000_000 + 2 * linesText.length)
  })

  test('gives all blocks before a damaged one, and the same error as on one thread', async () => {
    const damaged = many.bytes.slice()
    const place = Math.floor(many.bytes.length * 0.6)
    damaged[place] = (damaged[place] as number) ^ 4
    const alone = await collectUntilFault(decompress(damaged))
    const together = await collectUntilFault(decompress(withPause([damaged]), { threads: 2 }))
    expect(together.error).toBeInstanceOf(CompressionError)
    expect((together.error as Error).message).toBe((alone.error as Error).message)
    expect(Buffer.from(together.bytes).equals(Buffer.from(alone.bytes))).toBe(true)
  })

  test('is the same with a listener for errors', async () => {
    const damaged = many.bytes.slice()
    for (const share of [0.2, 0.21, 0.8]) {
      const place = Math.floor(many.bytes.length * share)
      damaged[place] = (damaged[place] as number) ^ 4
    }
    const read = async (threads: number) => {
      const faults: string[] = []
      const bytes = await collect(
        decompress(withPause([damaged]), { threads, onFault: ({ message }) => faults.push(message) }),
      )
      return { faults, bytes: Buffer.from(bytes).toString('latin1') }
    }
    const alone = await read(1)
    expect(alone.faults.length).toBeGreaterThan(1)
    expect(await read(2)).toEqual(alone)
  })

  test('can be left early, and ends its threads', async () => {
    for await (const piece of decompress(many.bytes, { threads: 2 })) {
      expect(piece.length).toBeGreaterThan(0)
      break
    }
  })

  // In Deno, `onmessage` of a port is not called where there is another listener, so workers cannot be watched.
  test.skipIf(isDeno)('lets workers decode, and takes their script from a given place', async () => {
    const script = findExport('xylem/block-worker.js')
    const messages = new MessageCounter()
    const spy = messages.moduleFor(script)
    // The script is a copy: it imports nothing that lies beside it.
    expect(readFileSync(script, 'utf8')).not.toMatch(/\bimport\b/)
    const bytes = await collect(
      decompress(withPause([many.bytes, many.bytes, many.bytes], messages.started), { threads: 2, workerUrl: spy }),
    )
    expect(Buffer.from(bytes).equals(Buffer.concat([many.content, many.content, many.content]))).toBe(true)
    expect(await messages.take(4)).toBeGreaterThan(3)
  })

  test.each([
    ['does not exist', new URL('./no-such-worker.js', import.meta.url)],
    ['throws', workerScript('throw new Error("no")')],
    ['never says that it is ready', workerScript('setInterval(() => {}, 1000)')],
    ['says something else', workerScript(`${PORT}; parentPort.postMessage({ results: [] })`)],
    [
      'ends when it gets something to do',
      workerScript(`${PORT}; parentPort.postMessage('ready'); parentPort.once('message', () => process.exit())`),
    ],
    ['ends at once', workerScript('process.exit()')],
  ])('gives all of it where the script of the workers %s', async (_, workerUrl) => {
    const bytes = await collect(decompress(withPause([many.bytes]), { threads: 2, workerUrl }))
    expect(Buffer.from(bytes).equals(many.content)).toBe(true)
  })

  // The same.
  test.runIf(isThorough && !isDeno)(
    'decodes the rest of a block anew whose worker ends in the middle of it',
    async () => {
      const died = new MessageCounter()
      // It ends when parts of a block have been taken for the third time.
      const workerUrl = died.moduleFor(
        findExport('xylem/block-worker.js'),
        `let taken = 0
      parentPort.on('message', (data) => { if ('taken' in data && ++taken === 12) process.exit() })`,
      )
      const zeros = readFixture('compression/zeros.bz2')
      const digests: string[] = []
      for (const options of [{}, { threads: 2, workerUrl }]) {
        const hash = createHash('sha256')
        const started = 'threads' in options ? died.started : Promise.resolve()
        for await (const piece of decompress(withPause([many.bytes, zeros, lines, zeros, lines], started), options)) {
          hash.update(piece)
        }
        digests.push(hash.digest('hex'))
      }
      expect(digests[1]).toBe(digests[0])
      expect(await died.take(3)).toBeGreaterThan(2)
    },
  )

  test('continues on one thread when the workers cannot be started', async () => {
    // In the sources there is no block-worker.js.
    const bytes = await collect(decompressSource(many.bytes, { threads: 2 }))
    expect(Buffer.from(bytes).equals(many.content)).toBe(true)
  })
})

/** Many small blocks, in many streams. */
function makeMany(): { bytes: Uint8Array; content: Buffer } {
  const random = makeRandom(3)
  const contents = Array.from({ length: 40 }, (_, i) =>
    Buffer.from(Array.from({ length: 100 + i * 20 }, () => `${Math.floor(random() * 30)} `).join('')),
  )
  const streams = contents.map((content) => encodeBzip2(content, { blockSize: 700, random }))
  return { bytes: new Uint8Array(Buffer.concat(streams)), content: Buffer.concat(contents) }
}
