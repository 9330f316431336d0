// A document that is written call by call, and read as bytes at the same time.

import { makeByteStream } from '../../stream/item-stream.ts'
import { requireNumber, requireOptions } from '../../stream/options.ts'
import { ItemQueue, makeAbortError } from '../../stream/sources/item-queue.ts'
import { writeItem, type XmlContent, type XmlWriteItem } from './content.ts'
import type { DoctypeParts } from './markup/doctype.ts'
import { MarkupWriter, type XmlDeclarationParts } from './markup/markup-writer.ts'
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
export class XmlWriter {
  readonly #markup: MarkupWriter
  readonly #encoder: MarkupEncoder
  readonly #queue: ItemQueue<Uint8Array>
  #readable: ReadableStream<Uint8Array> | undefined
  #isFlushing = false

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options. */
  constructor(options: XmlWriterOptions = {}) {
    requireOptions(options, WRITER_OPTIONS)
    const { encoding, highWaterMark = ROOM } = options
    this.#queue = new ItemQueue(requireNumber('highWaterMark', highWaterMark, 1), ({ length }) => length)
    this.#encoder = new MarkupEncoder(encoding)
    this.#markup = new MarkupWriter({ ...markupOptions(options), ...this.#encoder.options, endsLine: true })
  }

  /** The names of the open elements, the outermost first. */
  get openElements(): readonly string[] {
    return this.#markup.openElements
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

  /** Writes the XML declaration, which names the encoding. It must come first. */
  declaration(parts: XmlDeclarationParts = {}): boolean {
    this.#markup.declaration(parts)
    return this.#hasRoom()
  }

  /** Writes the document type declaration. It is checked by reading it; nothing outside of it is read. */
  doctype(name: string, parts: DoctypeParts = {}): boolean {
    this.#markup.doctype(name, parts)
    return this.#hasRoom()
  }

  /**
   * Begins an element. Its start tag is complete when the next call other than `attribute` comes, and that call reports what is wrong with its namespaces. A name given
   * as a string is written as it is; an unprefixed one is in the default namespace that holds there.
   */
  startElement(name: XmlWriteName, attributes?: XmlWriteAttributes): boolean {
    this.#markup.startElement(name, attributes)
    return this.#hasRoom()
  }

  /** Adds an attribute to the start tag before. */
  attribute(name: XmlWriteName, value: string): boolean {
    this.#markup.attribute(name, value)
    return this.#hasRoom()
  }

  /** Writes text; also white space outside of the root. An empty text writes nothing. */
  text(text: string): boolean {
    this.#markup.text(text)
    return this.#hasRoom()
  }

  /** Writes text as a CDATA section: as several, where it has `]]>`. */
  cdata(text: string): boolean {
    this.#markup.cdata(text)
    return this.#hasRoom()
  }

  comment(text: string): boolean {
    this.#markup.comment(text)
    return this.#hasRoom()
  }

  /** Writes a processing instruction. */
  instruction(target: string, data = ''): boolean {
    this.#markup.instruction(target, data)
    return this.#hasRoom()
  }

  /**
   * Ends the innermost element. A name is compared with that of the start tag: a string is the local name, or the name as it is written there; a name by its namespace has
   * the same local name and namespace, with any prefix.
   */
  endElement(name?: XmlWriteName): boolean {
    this.#markup.endElement(name)
    return this.#hasRoom()
  }

  /** Writes an element with its content: texts, nodes that were read, elements as plain data, and arrays of these. */
  element(name: XmlWriteName, attributes: XmlWriteAttributes = {}, content: XmlContent = []): boolean {
    this.#markup.startElement(name, attributes)
    return this.write([content, { type: 'end' }])
  }

  /**
   * Writes events as `XmlReader.events` yields them, or content, or arrays of these.
   *
   * Throws a `TypeError` with the code `invalid-option` for anything else.
   */
  write(item: XmlWriteItem): boolean {
    writeItem(this.#markup, item)
    return this.#hasRoom()
  }

  /**
   * Writes XML as it is, after it was parsed as content of the element that is open. Its entities must be predefined, or declared in the document type that was written.
   * At its ends, a `>` becomes `&gt;` and a carriage return a line feed where text beside it could make something else of them.
   */
  raw(xml: string): boolean {
    this.#markup.raw(xml)
    return this.#hasRoom()
  }

  /** Ends the document. All elements must have ended. */
  end(): void {
    this.#markup.end()
    this.#flush()
    this.#queue.end()
  }

  /** Gives the document up: `readable` and `ready` fail with the reason; without one, with an `AbortError`. */
  abort(reason: unknown = makeAbortError('the document was aborted')): void {
    this.#queue.drop(reason)
  }

  #hasRoom(): boolean {
    if (this.#markup.length >= PIECE) this.#flush()
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
    if (this.#markup.length > 0) this.#queue.push(this.#encoder.encode(this.#markup.take()))
  }
}
