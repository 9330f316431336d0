// Writing XML in a pipe of Web Streams.

import { ByteQueue, makeAbortError } from './byte-queue.ts'
import type { XmlWriteItem } from './content.ts'
import { ROOM } from './write-encoding.ts'
import { ItemWriter, type XmlWriteOptions } from './write-xml.ts'

/**
 * Turns events, elements and other content into the bytes of a document, as `writeXml` yields them:
 *
 * ```ts
 * import { XmlElementStream } from 'xylem/xml'
 * import { XmlWriteStream } from 'xylem/xml/write'
 *
 * const { body } = await fetch('https://example.org/dump.xml')
 * const pages = body?.pipeThrough(new XmlElementStream('page')).pipeThrough(new XmlWriteStream({ root: 'pages' }))
 * ```
 *
 * A write resolves when there is room for more, and the close when everything was read. An error in an item errors both sides. A cancellation errors the writable side
 * with its reason; without one, with an `AbortError`.
 */
export class XmlWriteStream {
  /** A byte stream if the platform has those. */
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<XmlWriteItem>

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: XmlWriteOptions = {}) {
    const writer = new ItemWriter(options)
    const queue = new ByteQueue(ROOM)
    let sink: WritableStreamDefaultController | undefined
    const fail = (reason: unknown): void => {
      queue.fail(reason)
      sink?.error(reason)
    }
    const attempt = (write: () => void): void => {
      try {
        write()
      } catch (error) {
        fail(error)
        throw error
      }
    }
    this.writable = new WritableStream<XmlWriteItem>({
      start: (controller) => {
        sink = controller
        // The method `abort` is called only when no write waits any more.
        controller.signal?.addEventListener('abort', () => queue.fail(controller.signal.reason))
      },
      write: async (item) => {
        attempt(() => writer.add(item))
        if (writer.isFull) queue.push(writer.take())
        await queue.wait()
      },
      close: async () => {
        attempt(() => writer.end())
        queue.push(writer.take())
        queue.end()
        await queue.wait(true)
      },
      abort: (reason = makeAbortError('the writable side was aborted')) => queue.fail(reason),
    })
    this.readable = queue.makeReadable(() => {}, fail, 'the readable side was cancelled')
  }
}
