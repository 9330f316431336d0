// The worker: it makes the text, and measures one way after the other.

import { READY } from '../shell/worker-reserve.ts'
import { countPlainly, measureWay } from './measuring.ts'
import type { Measured, Message } from './protocol.ts'
import { CHUNK_SIZE, cutText, makeText, TEXT_SIZE } from './text.ts'
import { FLOOR, measuringOrder } from './ways.ts'

function send(message: Message): void {
  self.postMessage(message)
}

async function measureAll(): Promise<void> {
  const chunks = cutText(makeText(TEXT_SIZE), CHUNK_SIZE)
  send({ kind: 'text', answer: countPlainly(chunks), chunks: chunks.length })
  let floor: Measured | undefined
  for (const way of measuringOrder) {
    send({ kind: 'measuring', way })
    const measured = await measureWay(way, chunks)
    if (way === FLOOR) floor = measured
    send({ kind: 'measured', measured })
  }
  // Once more, since all others are compared with it: a browser may make code faster after a while.
  const again = await measureWay(FLOOR, chunks)
  if (again.nanoseconds < (floor?.nanoseconds ?? Number.POSITIVE_INFINITY)) send({ kind: 'measured', measured: again })
  send({ kind: 'done' })
}

// Any message starts it.
addEventListener('message', () => {
  measureAll().catch((error: unknown) => {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  })
})
postMessage(READY)
