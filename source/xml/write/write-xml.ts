// Documents made of what others yield: events, elements, plain data.

import { breathe } from '../../async/breathe.ts'
import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../../stream/options.ts'
import { writeItem, type XmlWriteItem } from './content.ts'
import { MarkupWriter } from './markup/markup-writer.ts'
import type { XmlWriteName } from './markup/write-name.ts'
import { MarkupEncoder, PIECE } from './write-encoding.ts'
import { markupOptions, WRITER_OPTIONS, type XmlWriterOptions } from './write-options.ts'

/** Options for `writeXml`. */
export interface XmlWriteOptions extends Omit<XmlWriterOptions, 'highWaterMark'> {
  /** The root element around all items but the declaration and the document type. Without it, the items bring the root. */
  root?: XmlWriteName | undefined
  /** Whether document types are copied, or left out (default: `copy`). Defaults of attributes are written in either case. */
  doctype?: 'copy' | 'omit' | undefined
}

const { highWaterMark: _, ...KINDS } = WRITER_OPTIONS
const WRITE_XML_OPTIONS: OptionKinds<XmlWriteOptions> = { ...KINDS, root: 'any', doctype: ['copy', 'omit'] }

/** A document that items are added to. */
class ItemWriter {
  readonly #writer: MarkupWriter
  readonly #encoder: MarkupEncoder
  readonly #root: XmlWriteName | undefined
  readonly #omitsDoctype: boolean
  #hasRoot = false

  /** Throws a `TypeError` or a `RangeError` with the code `invalid-option`. */
  constructor(options: XmlWriteOptions) {
    requireOptions(options, WRITE_XML_OPTIONS)
    this.#encoder = new MarkupEncoder(options.encoding)
    this.#writer = new MarkupWriter({ ...markupOptions(options), ...this.#encoder.options, endsLine: true })
    this.#root = options.root
    this.#omitsDoctype = options.doctype === 'omit'
  }

  /** Whether it is worth to take bytes. */
  get isFull(): boolean {
    return this.#writer.length >= PIECE
  }

  add(item: XmlWriteItem): void {
    if (Array.isArray(item)) for (const one of item) this.#add(one)
    else this.#add(item)
  }

  #add(item: XmlWriteItem): void {
    if (this.#root !== undefined && !this.#hasRoot && !isProlog(item)) this.#begin(this.#root)
    writeItem(this.#writer, item, { omitsDoctype: this.#omitsDoctype })
  }

  #begin(root: XmlWriteName): void {
    this.#hasRoot = true
    this.#writer.startElement(root)
  }

  end(): void {
    if (this.#root !== undefined) {
      if (!this.#hasRoot) this.#begin(this.#root)
      this.#writer.endElement()
    }
    this.#writer.end()
  }

  take(): Uint8Array {
    return this.#encoder.encode(this.#writer.take())
  }
}

function isProlog(item: XmlWriteItem): boolean {
  const { type } = (item ?? {}) as { type?: string }
  return type === 'declaration' || type === 'doctype'
}

/**
 * The bytes of a document, made of what an iterable yields: events as `XmlReader.events` yields them, elements, elements as plain data, text, or arrays of these. They are
 * made as they are asked for, in pieces of some 64 KiB.
 *
 * ```ts
 * import { readXml } from 'xylem/xml'
 * import { writeXml } from 'xylem/xml/write'
 *
 * const document = '<pages><page id="1"/><page id="2"/></pages>'
 * const copy = writeXml(readXml(document).select('page'), { root: 'copy' })
 * for await (const bytes of copy) console.log(new TextDecoder().decode(bytes))
 * ```
 *
 * Throws an `XmlWriteError` for what would not be a well-formed document, and where the text of an entity was left out when it was read; what the iterable throws; and a
 * `TypeError` or a `RangeError` with the code `invalid-option` for invalid options and for items of other kinds.
 */
export function writeXml(
  items: AsyncIterable<XmlWriteItem> | Iterable<XmlWriteItem>,
  options: XmlWriteOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = openItems(items)
  const writer = new ItemWriter(options)
  return new CancellableGenerator((leaving) => writeItems(source, writer, leaving))
}

type Items = AsyncIterator<XmlWriteItem> | Iterator<XmlWriteItem>

function openItems(items: unknown): () => Items {
  const given = items as Partial<AsyncIterable<XmlWriteItem> & Iterable<XmlWriteItem>>
  if (typeof items === 'object' && items !== null) {
    const { batches } = items as { batches?: () => AsyncIterable<XmlWriteItem> }
    // Events and elements come in arrays as well, which takes less time.
    if (typeof batches === 'function' && Symbol.asyncIterator in items)
      return () => batches.call(items)[Symbol.asyncIterator]()
    if (Symbol.asyncIterator in items) return () => (given as AsyncIterable<XmlWriteItem>)[Symbol.asyncIterator]()
    if (Symbol.iterator in items) return () => (given as Iterable<XmlWriteItem>)[Symbol.iterator]()
  }
  const message = `writeXml needs an iterable of events or content, not ${describeValue(items)}; toXml writes single elements`
  throw withCode(new TypeError(message), 'invalid-option')
}

async function* writeItems(
  open: () => Items,
  writer: ItemWriter,
  leaving: { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const items = open()
  let isDone = false
  let closing: Promise<unknown> | undefined
  const close = () => {
    closing ??= (async () => items.return?.())()
    return closing
  }
  // Also where it waits for an item. An error is that of whoever waits for the end below.
  leaving.signal.addEventListener('abort', () => void close().catch(() => {}))
  try {
    for (;;) {
      const result = items.next()
      const { done, value } = result instanceof Promise ? await result : await (result as IteratorResult<XmlWriteItem>)
      if (done) break
      writer.add(value)
      if (writer.isFull) yield writer.take()
      const turn = breathe()
      if (turn) await turn
    }
    isDone = true
    writer.end()
    yield writer.take()
  } finally {
    if (!isDone) await close()
  }
}
