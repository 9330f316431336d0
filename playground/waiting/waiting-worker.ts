// The worker: it makes the text, and measures one way after the other.

import { countPlainly, measureWay } from './measuring.ts'
import type { Message } from './protocol.ts'
import { CHUNK_SIZE, cutText, makeText, TEXT_SIZE } from './text.ts'
import { measuringOrder } from './ways.ts'

function send(message: Message): void {
  self.postMessage(message)
}

async function measureAll(): Promise<void> {
  const chunks = cutText(makeText(TEXT_SIZE), CHUNK_SIZE)
  send({ kind: 'text', answer: countPlainly(chunks), chunks: chunks.length })
  for (const way of measuringOrder) {
    send({ kind: 'measuring', way })
    send({ kind: 'measured', measured: await measureWay(way, chunks) })
  }
  send({ kind: 'done' })
}

try {
  await measureAll()
} catch (error) {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
