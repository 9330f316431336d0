// Reading XML in a pipe of Web Streams.

import type { XmlElement } from './element.ts'
import type { XmlEvent } from './events.ts'
import type { SelectOptions, XmlEventOptions, XmlOptions } from './options.ts'
import { readXml } from './reader.ts'

/**
 * Bytes or text in, the elements that a path means out, as `XmlReader.select` gives them:
 *
 * ```ts
 * for await (const page of response.body.pipeThrough(new XmlRecordStream('page'))) …
 * ```
 *
 * Nothing is read that nobody asks for. A fault errors the readable side, after the elements before it.
 */
export class XmlRecordStream {
  readonly readable: ReadableStream<XmlElement>
  readonly writable: WritableStream<Uint8Array | string>

  /** Throws a `RangeError` with the code `invalid-option` for what is no path. */
  constructor(path: string | readonly string[], options: XmlOptions & SelectOptions = {}) {
    const input = new TransformStream<Uint8Array | string, Uint8Array | string>()
    this.writable = input.writable
    this.readable = streamOf(readXml(input.readable, options).select(path, options))
  }
}

/** Bytes or text in, arrays of events out, as `XmlReader.events` gives them. A fault errors the readable side, after the events before it. */
export class XmlEventStream {
  readonly readable: ReadableStream<XmlEvent[]>
  readonly writable: WritableStream<Uint8Array | string>

  constructor(options: XmlOptions & XmlEventOptions = {}) {
    const input = new TransformStream<Uint8Array | string, Uint8Array | string>()
    this.writable = input.writable
    this.readable = streamOf(readXml(input.readable, options).events(options))
  }
}

/** A stream that asks for an item when it is asked for one. */
function streamOf<Item>(items: AsyncGenerator<Item, void, undefined>): ReadableStream<Item> {
  return new ReadableStream<Item>(
    {
      async pull(controller) {
        const { done, value } = await items.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await items.return()
      },
    },
    { highWaterMark: 0 },
  )
}
