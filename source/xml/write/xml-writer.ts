// A document that is written call by call, and read as bytes at the same time.

import { makeByteStream } from '../../stream/item-stream.ts'
import { requireNumber, requireOptions } from '../../stream/options.ts'
import { ItemQueue, makeAbortError } from '../../stream/sources/item-queue.ts'
import { writeItem, type XmlContent, type XmlWriteItem } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'
import type { XmlWriteAttributes, XmlWriteName } from './markup/write-name.ts'
import { MarkupEncoder, PIECE, ROOM } from './write-encoding.ts'
import { markupOptions, WRITER_OPTIONS, type XmlWriterOptions } from './write-options.ts'

/**
 * Writes a document of any length, one call after the other, in constant memory. What would not be a well-formed document, or would not come back as it is, throws an
 * {@link XmlWriteError}.
 *
 * ```ts
 * import { XmlWriter } from 'xylem/xml/write'
 *
 * const writer = new XmlWriter({ indent: 2 })
 * writer.declaration()
 * writer.startElement('pages', { version: '1' })
 * writer.element('title', {}, 'Fish & chips')
 * writer.endElement()
 * writer.end()
 * console.log(await new Response(writer.readable).text())
 * ```
 *
 * A call that throws writes nothing, and the next call may be any that was possible before, with these differences:
 *
 * - `element`, and `write` of an element or of an array, write what comes before the item that is wrong. The elements that were begun stay open, as `openElements` says.
 * - `startElement` with wrong attributes, and `raw`, complete the start tag before them, so `attribute` is no longer possible there.
 * - A start tag with wrong namespaces stays open, and every call throws the same error, until `attribute` has mended it: it may declare a prefix.
 *
 * All methods that write return whether there is room for more. If not, wait for `ready`; otherwise what is written waits in memory until it is read.
 */
export class XmlWriter extends MarkupWriter {
  readonly #encoder: MarkupEncoder
  readonly #queue: ItemQueue<Uint8Array>
  #readable: ReadableStream<Uint8Array> | undefined
  #isFlushing = false

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: XmlWriterOptions = {}) {
    requireOptions(options, WRITER_OPTIONS)
    const room = requireNumber('highWaterMark', options.highWaterMark ?? ROOM, 1)
    const encoder = new MarkupEncoder(options.encoding)
    super({ ...markupOptions(options), ...encoder.options, endsLine: true })
    this.#encoder = encoder
    this.#queue = new ItemQueue(room, ({ length }) => length)
  }

  /**
   * The bytes of the document. Reading them makes room. With `indent`, the last 64 KiB wait until it is known whether there is text beside them. A byte stream if the
   * platform has those.
   */
  get readable(): ReadableStream<Uint8Array> {
    this.#readable ??= makeByteStream({
      givesMemory: true,
      pull: async (controller) => {
        if (this.#queue.isEmpty) this.#flush()
        const { done, value } = await this.#queue.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async (reason = makeAbortError('the reader of the document has cancelled it')) => this.abort(reason),
    })
    return this.#readable
  }

  /** Resolves when there is room. Rejects with the reason when the document was aborted or its reader has cancelled it; without a reason, with an `AbortError`. */
  get ready(): Promise<void> {
    return this.#queue.ready()
  }

  /** Writes an element with its content: texts, nodes that were read, elements as plain data, and arrays of these. */
  element(name: XmlWriteName, attributes: XmlWriteAttributes = {}, content: XmlContent = []): boolean {
    this.startElement(name, attributes)
    return this.write([content, { type: 'end' }])
  }

  /**
   * Writes events as `XmlReader.events` yields them, or content, or arrays of these.
   *
   * Throws a `TypeError` with the code `invalid-option` for anything else.
   */
  write(item: XmlWriteItem): boolean {
    writeItem(this, item)
    return this.hasRoom()
  }

  /** Ends the document. All elements must have ended. */
  override end(): void {
    super.end()
    this.#flush()
    this.#queue.end()
  }

  /** Gives the document up: `readable` and `ready` fail with the reason; without one, with an `AbortError`. */
  abort(reason: unknown = makeAbortError('the document was aborted')): void {
    this.#queue.drop(reason)
  }

  /** @internal */
  override hasRoom(): boolean {
    if (this.length >= PIECE) this.#flush()
    else if (this.#queue.isAwaited && !this.#isFlushing) this.#flushSoon()
    return this.#queue.hasRoom
  }

  /** What is written before anything else can run becomes one piece. */
  #flushSoon(): void {
    this.#isFlushing = true
    queueMicrotask(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.length > 0) this.#queue.push(this.#encoder.encode(this.take()))
  }
}
