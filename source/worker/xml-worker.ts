// What runs in a worker that parses XML: reads one document, and posts what was asked for. It is started by worker-reading.ts.

import { serveTasks } from '../async/pool-worker.ts'
import { PromiseQueue } from '../async/promise-queue.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import { HttpSource } from '../stream/sources/http.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import { XylemError } from '../stream/xylem-error.ts'
import type { ChunkMessage, PostedSource } from './posted-source.ts'
import { readBatches } from './reading.ts'
import type { ReadingPart, ReadingTask } from './worker-reading.ts'

/** Chunks that are asked for ahead: one is on its way while another is read. */
const CHUNKS_AHEAD = 3

serveTasks(
  () =>
    async function* ({ source, options, question }: ReadingTask): AsyncGenerator<ReadingPart, void, undefined> {
      try {
        for await (const batch of readBatches(openPosted(source), options, question)) yield { batch }
      } catch (error) {
        yield packError(error)
      }
    },
)

/** What others throw has no class in a message, and what is no error no stack. */
function packError(error: unknown): ReadingPart {
  if (error instanceof XylemError) return { failed: error.toJSON({ stack: true }) }
  const thrown = error instanceof Error ? error : new Error(String(error))
  const { code } = thrown as { code?: unknown }
  return { thrown, code: typeof code === 'string' ? code : undefined }
}

function openPosted(source: PostedSource): ByteSource {
  if ('content' in source) return source.content
  return 'url' in source ? new HttpSource(source.url) : receiveChunks(source)
}

async function* receiveChunks(port: MessagePort): AsyncGenerator<TextOrBytes, void, undefined> {
  const received: ChunkMessage[] = []
  const changed = new PromiseQueue()
  port.onmessage = ({ data }) => {
    received.push(data)
    changed.wakeAll()
  }
  for (let i = 0; i < CHUNKS_AHEAD; i++) port.postMessage('more')
  for (;;) {
    while (received.length === 0) await changed.wait()
    const message = received.shift() as ChunkMessage
    if ('failed' in message) throw new Error(message.failed)
    if (message.chunk === undefined) return
    yield message.chunk
    port.postMessage('more')
  }
}
