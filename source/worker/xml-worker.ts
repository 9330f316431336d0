// What runs in a worker that parses XML: reads one document, and posts what was asked for. It is started by worker-reading.ts; protocol.ts says what they
// say to each other.

import { PromiseQueue } from '../async/promise-queue.ts'
import { findPort } from '../async/worker-port.ts'
import { READY } from '../async/worker-script.ts'
import type { Column } from '../record/format/column.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { HttpSource } from '../stream/sources/http.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import { toErrorData } from './error-data.ts'
import {
  type Answer,
  BATCHES_AHEAD,
  type Batch,
  type PostedSource,
  type ReadRequest,
  type Request,
} from './protocol.ts'
import { readBatches } from './reading.ts'

/** Chunks that are asked for ahead: one is on its way while another is read. */
const CHUNKS_AHEAD = 3

const port = findPort<Request, Answer>()
const leaving = new AbortController()
/** Batches that may be posted. */
let leave = BATCHES_AHEAD
const granted = new PromiseQueue()
/** The chunks that the page posts. */
let received: StreamCache | undefined
let reading: Promise<void> = Promise.resolve()

port.onmessage = ({ data }) => {
  switch (data.type) {
    case 'read':
      reading = read(data)
      break
    case 'more':
      leave++
      granted.wakeAll()
      break
    case 'chunk':
      receive(data.chunk)
      break
    case 'sourceFailed':
      received?.fail(new Error(data.message))
      break
    case 'stop':
      leaving.abort(new Error('nobody reads any more'))
      void reading.then(() => post({ type: 'stopped' }))
  }
}
port.postMessage(READY, [])

function post(answer: Answer, transfer: ArrayBuffer[] = []): void {
  port.postMessage(answer, transfer)
}

/** Never rejects. */
async function read({ source, options, question }: ReadRequest): Promise<void> {
  const { signal } = leaving
  try {
    const batches = readBatches(openPosted(source), options, question, signal)
    for (;;) {
      // Nothing is read before somebody wants it.
      while (leave === 0) await granted.wait({ signal })
      leave--
      const { done, value } = await batches.next()
      if (done) break
      postBatch(value)
    }
    post({ type: 'end' })
  } catch (error) {
    post({ type: 'failed', error: toErrorData(error) })
  }
}

function openPosted(source: PostedSource): ByteSource {
  if (source.type === 'content') return source.content
  if (source.type === 'url') return new HttpSource(source.url)
  // Each chunk was asked for, so few of them wait, however large they are.
  received = new StreamCache({ limits: { maxRetained: Number.POSITIVE_INFINITY }, loneSurrogate: 'U+FFFF' })
  for (let i = 0; i < CHUNKS_AHEAD; i++) askForChunk()
  return received
}

function askForChunk(): void {
  post({ type: 'chunk' })
}

/** Undefined is the end. */
function receive(chunk: TextOrBytes | undefined): void {
  if (chunk === undefined) {
    received?.end()
    return
  }
  received?.write(chunk)
  // Nobody asks where nobody reads any more.
  received?.ready().then(askForChunk, () => {})
}

function postBatch(given: Batch): void {
  // Lines may share their memory with lines that come later.
  const batch = given instanceof Uint8Array ? new Uint8Array(given) : given
  const buffers =
    batch instanceof Uint8Array ? [batch.buffer] : 'columns' in batch ? batch.columns.flatMap(buffersOf) : []
  post({ type: 'batch', batch }, [...new Set(buffers)])
}

function buffersOf(column: Column): ArrayBuffer[] {
  const own = [column.validity?.buffer ?? []].flat()
  switch (column.type) {
    case 'utf8':
      return [...own, column.offsets.buffer, column.values.buffer]
    case 'list':
      return [...own, column.offsets.buffer, ...buffersOf(column.child)]
    case 'struct':
      return [...own, ...column.children.flatMap(buffersOf)]
    default:
      return [...own, column.values.buffer]
  }
}
