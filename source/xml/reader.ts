// Documents from sources: the loop that waits, round the parser that does not.

import { breathe } from '../async/breathe.ts'
import { TextPosition } from '../machine/text-position.ts'
import { Cursor } from '../stream/cursor.ts'
import { withCode } from '../stream/errors.ts'
import type { ByteSource } from '../stream/source.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import type { ProgramName } from './assemble-programs.ts'
import { EventCollector, type XmlEvent } from './events.ts'
import { parserOptions, type XmlEventOptions, type XmlOptions } from './options.ts'
import { XmlParser } from './parser.ts'
import { NullSink, type Sink } from './sink.ts'

/** Reads a document from a source, or from where a cursor stands. */
export function readXml(source: ByteSource | Cursor, options: XmlOptions = {}): XmlReader {
  return new XmlReader(source, options)
}

/** A document that is about to be read. It can be read once, in one of its ways. */
export class XmlReader {
  readonly #source: ByteSource | Cursor
  readonly #options: XmlOptions
  #isRead = false

  /** @internal */
  constructor(source: ByteSource | Cursor, options: XmlOptions) {
    this.#source = source
    this.#options = options
  }

  /** Resolves when the document is well-formed. Throws an `XmlError` where it is not. */
  async check(): Promise<void> {
    const { fragment = false, namespaces = true } = this.#options
    const program = fragment ? 'fragment' : namespaces ? 'check' : 'checkPlainly'
    for await (const _ of this.#run(program, new NullSink())) {
      // Nothing is wanted.
    }
  }

  /** What happens in the document, in arrays of at least one event: one await each. Throws an `XmlError` after all before the fault. */
  async *events(options: XmlEventOptions = {}): AsyncGenerator<XmlEvent[], void, undefined> {
    const { cdata = false, maxText = Number.POSITIVE_INFINITY } = options
    const collector = new EventCollector({ cdata, maxText })
    const program = this.#options.fragment ? 'fragment' : 'document'
    try {
      for await (const _ of this.#run(program, collector)) {
        const events = collector.take()
        if (events.length > 0) yield events
      }
    } catch (error) {
      collector.finish()
      const events = collector.take()
      if (events.length > 0) yield events
      throw error
    }
    collector.finish()
    const events = collector.take()
    if (events.length > 0) yield events
  }

  /** Runs a parser; gives way whenever something may be there. */
  async *#run(program: ProgramName, sink: Sink): AsyncGenerator<void, void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('the document has been read'), 'stream-read')
    this.#isRead = true
    const { signal } = this.#options
    const cursor = this.#open()
    const parser = new XmlParser(program, sink, parserOptions(this.#options), new TextPosition(cursor.offset, 1, 1, 0))
    try {
      signal?.throwIfAborted()
      for (;;) {
        const advance = parser.advance()
        yield
        if (advance === 'done') return
        if (advance === 'input') await this.#feed(parser, cursor)
        const turn = breathe()
        if (turn) await turn
        signal?.throwIfAborted()
      }
    } finally {
      cursor.release()
      parser.release()
    }
  }

  #open(): Cursor {
    if (this.#source instanceof Cursor) return this.#source.clone()
    if (this.#source instanceof StreamCache) return this.#source.cursor()
    return StreamCache.from(this.#source).cursor()
  }

  async #feed(parser: XmlParser, cursor: Cursor): Promise<void> {
    const { signal } = this.#options
    let chunk = cursor.peekChunk()
    while (chunk.length === 0) {
      if (!(await cursor.fill(1, signal && { signal }))) return parser.finish()
      chunk = cursor.peekChunk()
    }
    cursor.skip(parser.append(chunk))
  }
}
