// Documents from sources: the loop that waits, round the parser that does not.

import { breathe } from '../async/breathe.ts'
import { TextPosition } from '../machine/text-position.ts'
import { Cursor } from '../stream/cursor.ts'
import { withCode } from '../stream/errors.ts'
import type { ByteSource } from '../stream/source.ts'
import { StreamCache } from '../stream/stream-cache.ts'
import type { ProgramName } from './assemble-programs.ts'
import type { XmlElement } from './element.ts'
import { EventCollector, type XmlEvent } from './events.ts'
import { decodeExternal, type ExternalRequest } from './external.ts'
import { parserOptions, type SelectOptions, type XmlEventOptions, type XmlOptions } from './options.ts'
import { type Advance, XmlParser } from './parser.ts'
import { Path } from './path.ts'
import { Selector } from './selector.ts'
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
    for await (const _ of this.#run(program, collector)) {
      const events = collector.take()
      if (events.length > 0) yield events
    }
  }

  /**
   * The elements that a path means, or one of several, each as soon as it is whole. Memory is bounded by the largest of them. Leaving the
   * loop closes the source. Throws an `XmlError` after all elements before the fault, and a `RangeError` for what is no path.
   */
  async *select(
    path: string | readonly string[],
    options: SelectOptions = {},
  ): AsyncGenerator<XmlElement, void, undefined> {
    for await (const elements of this.selectBatches(path, options)) yield* elements
  }

  /** The same in arrays of at least one: one await each. */
  async *selectBatches(
    path: string | readonly string[],
    { nested = 'outermost', where }: SelectOptions = {},
  ): AsyncGenerator<XmlElement[], void, undefined> {
    const paths = [path].flat().map((text) => new Path(text))
    let parser: XmlParser | undefined
    const copyInput = (start: number, end: number) => (parser as XmlParser).copyInput(start, end)
    const selector = new Selector({ paths, nested, copyInput })
    const program = this.#options.fragment ? 'fragment' : 'document'
    for await (const running of this.#run(program, selector)) {
      parser = running
      running.hold(selector.retainedFrom)
      const all = selector.take()
      const elements = where ? all.filter(where) : all
      if (elements.length > 0) yield elements
    }
  }

  /** Runs a parser; gives way whenever something may be there, and before it throws. */
  async *#run(program: ProgramName, sink: Sink): AsyncGenerator<XmlParser, void, undefined> {
    if (this.#isRead) throw withCode(new TypeError('the document has been read'), 'stream-read')
    this.#isRead = true
    const { signal, resolve } = this.#options
    const cursor = this.#open()
    const parser = new XmlParser(program, sink, parserOptions(this.#options), new TextPosition(cursor.offset, 1, 1, 0))
    try {
      signal?.throwIfAborted()
      yield parser
      for (;;) {
        let advance: Advance
        try {
          advance = parser.advance()
        } catch (error) {
          sink.finish()
          yield parser
          throw error
        }
        if (advance === 'done') sink.finish()
        yield parser
        if (advance === 'done') return
        if (advance === 'input') await this.#feed(parser, cursor)
        else parser.answer(decodeExternal(await resolve?.(parser.request as ExternalRequest)))
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
