// Sources that are iterated over: arrays and generators, async generators, Node streams.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import type { TextOrBytes } from '../chunk-encoder.ts'
import { makeReadError, requireChunk } from '../errors.ts'
import {
  BUFFERED,
  REUSE,
  type ReportsCharset,
  type ReportsGaps,
  type ReportsProgress,
  type ReusesMemory,
  type SourceReader,
} from './source-reader.ts'

export function readIterable(iterable: Iterable<TextOrBytes>): SourceReader {
  const iterator = iterable[Symbol.iterator]()
  let isRunning = false
  /** It has come to its end: there is nothing to leave. */
  let isOver = false
  const leave = async () => {
    // A generator that aborts the very stream it feeds cannot be left before it has yielded.
    if (isRunning) await undefined
    if (!isOver) iterator.return?.()
  }
  return {
    read() {
      isRunning = true
      try {
        const { done, value } = iterator.next()
        isOver = done === true
        return done ? undefined : requireChunk(value)
      } finally {
        isRunning = false
      }
    },
    close: () => (isOver ? undefined : leave()),
    progress: undefined,
    lendsChunks: !Array.isArray(iterable),
  }
}

export function readAsyncIterable(iterable: AsyncIterable<TextOrBytes>): SourceReader {
  const connection = isConnection(iterable) ? iterable : undefined
  const iterator = connection ? connection.iterator({ destroyOnReturn: false }) : iterable[Symbol.asyncIterator]()
  /** It has come to its end: there is nothing to leave. */
  let isOver = false
  const isBuffered = BUFFERED in iterable
  const wasRead = 'readableEnded' in iterable && iterable.readableEnded === true
  hearErrors(iterable)
  return {
    async read() {
      if (wasRead) throw makeReadError('the stream was read to its end before')
      const { done, value } = await iterator.next()
      isOver = done === true
      return done ? undefined : requireChunk(value)
    },
    async close() {
      if (isOver) return
      if (connection && mayBeAnswered(connection)) return void leaveConnection(connection, iterator)
      // A source that can be destroyed, like Node's streams, is destroyed: its iterator's return would wait for a pending next.
      if ('destroy' in iterable && typeof iterable.destroy === 'function') iterable.destroy()
      await iterator.return?.()
    },
    reuse: REUSE in iterable ? (chunk) => (iterable as Partial<ReusesMemory>)[REUSE]?.(chunk) : undefined,
    get progress() {
      return 'progress' in iterable ? (iterable as ReportsProgress).progress : undefined
    },
    get charset() {
      return (iterable as Partial<ReportsCharset>).charset
    },
    get gaps() {
      return (iterable as Partial<ReportsGaps>).gaps
    },
    // Our own sources, and Node's streams, give chunks away.
    lendsChunks: !(
      isBuffered ||
      iterator instanceof CancellableGenerator ||
      REUSE in iterable ||
      isNodeStream(iterable)
    ),
    isBuffered,
  }
}

/** A stream of Node with another direction, which the end of this one does not end: a request that a server gets, or a duplex stream such as a socket. */
interface Connection {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterator<TextOrBytes>
  resume(): unknown
}

/** A transform writes to its own reader. */
function isConnection(iterable: object): iterable is Connection {
  return 'iterator' in iterable && (isRequest(iterable) || ('writable' in iterable && !('_transform' in iterable)))
}

/** A response that a client gets has no method, and only a server can respond to a stream of HTTP/2. */
function isRequest(iterable: object): boolean {
  const { method, httpVersion, respond } = iterable as Record<string, unknown>
  return (httpVersion !== undefined && typeof method === 'string') || respond !== undefined
}

/**
 * Whether something is on its way in the other direction, or may be. Closing a socket whose input is not read loses also what was sent. The output of a
 * child process, and a terminal, are sockets to which nobody has written.
 */
function mayBeAnswered(connection: Connection): boolean {
  const { writableFinished, server, bytesWritten } = connection as unknown as Record<string, unknown>
  const isAnswered = bytesWritten === undefined ? writableFinished === false : bytesWritten !== 0
  return isAnswered || Boolean(server) || isRequest(connection)
}

/**
 * Drops what is left. To destroy it would destroy the connection, and with it the answer. Node does the same with requests that nobody reads, and bounds
 * their time (`requestTimeout`). Nobody waits for that: the iterator ends when its pending `next` does.
 */
async function leaveConnection(connection: Connection, iterator: AsyncIterator<TextOrBytes>): Promise<void> {
  try {
    await iterator.return?.()
    // As long as something listens for `readable`, nothing flows; that it does not is known in the next turn.
    setTimeout(() => connection.resume())
  } catch {
    // The connection is broken, and who answers gets to know that.
  }
}

/**
 * A Node stream ends the process with an error that nobody listens for, and its iterator listens from the first read to the last.
 * An error before is kept by the stream and thrown by that first read; one after concerns nobody.
 */
function hearErrors(iterable: object): void {
  if (isNodeStream(iterable)) iterable.on('error', () => {})
}

function isNodeStream(iterable: object): iterable is { on(event: 'error', listener: () => void): unknown } {
  return 'on' in iterable && typeof iterable.on === 'function'
}
