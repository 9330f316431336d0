// What decodes where WebAssembly is refused, as by a policy of a page: in a thread of its own, whose modules know of no kernels.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { decompress } from '../../source/compression/index.ts'
import { collect, inPieces } from '../support/collect.ts'
import { readFixture } from '../support/fixtures.ts'

const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { url, pieces, threads } = workerData
  let refused = 0
  globalThis.WebAssembly = { Module: class { constructor() { refused++; throw new Error('refused') } } }
  import(url).then(async ({ decompress }) => {
    const chunks = []
    for await (const chunk of decompress(pieces, { threads })) chunks.push(chunk)
    parentPort.postMessage({ content: Buffer.concat(chunks), refused })
  })`

test.each(['lines.bz2', 'two-streams.bz2', 'lines.zst'])('%s is decoded without WebAssembly', async (name) => {
  const file = readFixture(`compression/${name}`)
  const expected = await collect(decompress(file))
  const url = import.meta.resolve('xylem/compression')
  for (const threads of [1, 2]) {
    const workerData = { url, pieces: inPieces(file, 1000), threads }
    const worker = new Worker(PROGRAM, { eval: true, workerData })
    const [{ content, refused }] = await once(worker, 'message')
    await worker.terminate()
    expect(Buffer.from(content).equals(Buffer.from(expected))).toBe(true)
    if (name.endsWith('.bz2') && threads === 1) expect(refused).toBeGreaterThan(0)
  }
})
