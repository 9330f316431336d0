// The loop that waits, round the parser that does not.

import { breathe } from '../../async/breathe.ts'
import { type Leaving, signalOf } from '../../async/leaving.ts'
import { abortable } from '../../async/waiting.ts'
import type { Program } from '../../machine/program/program.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { Cursor, hasArrived } from '../../stream/cursor.ts'
import { LimitError } from '../../stream/errors.ts'
import { InputLimit } from '../../stream/input-limit.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import { StreamCache, type StreamCacheOptions } from '../../stream/stream-cache.ts'
import type { Position } from '../../text/line-counter.ts'
import type { Delivery } from '../delivery.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import { XmlError } from '../errors/errors.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { kernels, readableWithoutKernel } from '../language/kernels.ts'
import { type DocumentProgram, getProgram, programModules } from '../language/programs.ts'
import { parserOptions, type XmlOptions } from '../options.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import { transcoding } from '../text/transcoding.ts'
import type { Consumer, ToSource } from './consumer.ts'
import { type Advance, loadKernels, XmlParser } from './parser.ts'
import type { XmlParserOptions } from './parser-options.ts'

/** The beginning of a document, which is not in the source and is read first. The source is UTF-8, and continues the document somewhere after it. */
export interface DocumentHead {
  /** UTF-8 without a byte order mark, from the start of the document to a place between two parts of content. */
  readonly bytes: Uint8Array
  /** Where in the document the source begins. */
  readonly next: Position
  /** The end of what lies between the head and the source, or all of it; undefined where that is not known. Errors quote it. */
  readonly before?: Uint8Array | undefined
}

/** What only readers of our own may say of a reading. */
export interface RunOptions extends Omit<XmlOptions, 'signal'>, Pick<XmlParserOptions, 'boundary'> {
  signal?: AbortSignal | Leaving | undefined
  /** How much may be read of what the source is a part of; without it, `maxInput` counts from where reading begins. */
  limit?: InputLimit | undefined
  /** What the source continues. */
  head?: DocumentHead | undefined
  /** Where the input begins, in lines and columns, if it has no head; by default at the start of line 1. */
  position?: Position | undefined
  /** A cursor of our own at the start of the source, if that was opened before. It is released at the end. */
  cursor?: Cursor | undefined
  /** Where the input ends for this reading, in a source that continues; asked for again and again, it may become known at last. */
  until?: () => number
  /** Moves the cursor that the source is. Without it, the cursor follows the parser. */
  delivery?: Delivery | undefined
  /** Whether what a server says of the encoding does not count: dumps are in UTF-8. */
  ignoresServer?: boolean | undefined
  /** Decodes the source, from its first byte on. */
  decoder?: DocumentDecoder | undefined
  /** For a document that others may follow; without it, the input ends with the document. */
  part?: DocumentPart | undefined
}

/** A document that others may follow: it ends where its root does. */
export interface DocumentPart {
  /** The program that ends with the root. */
  programOf(program: Program): Program
  /** How much of the input is read at once when so much was read: all documents together must not take more than their lengths. */
  pieceAfter(length: number): number
  /** Where the document has ended, in its source, and its encoding. */
  end(position: Position, encoding: string): void
}

const NOTHING = new Uint8Array(0)
/** Bytes that are decoded at once: what they become takes up to three times as much. */
export const DECODED_PIECE = 64 * 1024

/** Runs a parser over a source. Gives way whenever the consumer may have something, also before it throws. */
export async function* runParser(
  source: ByteSource | Cursor,
  program: DocumentProgram,
  consumer: Consumer,
  options: RunOptions,
): AsyncGenerator<XmlParser, void, undefined> {
  const { signal, onReplace, onSkippedEntity, head, delivery, part } = options
  const followed = source instanceof Cursor && !delivery ? source : undefined
  const cursor = options.cursor ?? openSource(source, signal)
  const start = cursor.offset
  const parsing = parserOptions(options)
  const limit = options.limit ?? new InputLimit(start, parsing.machineLimits.maxInput)
  const decoder = options.decoder ?? (head ? DocumentDecoder.ofUtf8() : new DocumentDecoder(options.encoding, start))
  let parser: XmlParser | undefined
  let feeder: Feeder | undefined
  // Those who have read the head have counted what is malformed in it, and what was left out.
  // The machine looks at all that has arrived, of which some may be of another document, or left out: what it replaced is reported when it is read.
  let replaced: number[] = []
  const onReplaceHere = onReplace && ((offset: number) => feeder?.isInHead || replaced.push(decoder.toSource(offset)))
  const reportReplaced = (advance: Advance | Error, running: XmlParser) => {
    if (replaced.length === 0) return
    const isWhole = advance === 'done' && !part
    // An error may be what it became.
    const read = advance instanceof XmlError ? advance.byteOffset + 1 : running.toSource(running.readTo)
    const end = isWhole ? Number.POSITIVE_INFINITY : read
    const due = replaced.filter((offset) => offset < end)
    replaced = replaced.filter((offset) => offset >= end)
    for (const offset of due) onReplace?.(offset)
  }
  try {
    if (!programModules[program].module) await programModules[program].load()
    const loading = loadKernelsFirst(program, consumer, options)
    if (loading) await loading
    signal?.throwIfAborted()
    // Where the document begins is known when it is known how it is encoded.
    const text = head ? head.bytes : await readHead(decoder, cursor, limit, options)
    const { line, column } = options.position ?? TextPosition.START
    const position = new TextPosition(start + decoder.skipped, line, column, 0)
    parsing.toSource = mapOf(decoder)
    parsing.onReplace = onReplaceHere
    parsing.boundary = options.boundary
    if (head && onSkippedEntity) parsing.onSkippedEntity = (entity) => feeder?.isInHead || onSkippedEntity(entity)
    parser = new XmlParser(
      part ? part.programOf(getProgram(program)) : getProgram(program),
      consumer,
      parsing,
      head ? TextPosition.START : position,
      kernels[program],
    )
    feeder = new Feeder(parser, decoder, cursor, limit, text, head)
    feeder.begin()
    for (;;) {
      const advance = advanceTo(parser, consumer)
      reportReplaced(advance, parser)
      // The position of a lent cursor is known if its bytes are those that are parsed.
      if (followed && decoder.isTransparent) moveTo(followed, feeder.placeAfter(advance))
      yield parser
      signal?.throwIfAborted()
      if (advance instanceof Error) throw advance
      if (advance === 'done') {
        const end = part ? parser.toSource(parser.position) : cursor.offset
        if (delivery) delivery.end = end
        part?.end({ ...parser.locate(), byteOffset: end }, decoder.encoding)
        return
      }
      // Before more is waited for, for which there must be room.
      delivery?.follow(parser.toSource(parser.readTo))
      decoder.release(parser.retainedFrom)
      if (advance === 'input') await feeder.feed(options)
      else if (advance === 'load') await parser.load()
      else if (advance === 'resolve') parser.answer(await resolveExternal(parser.request as ExternalRequest, options))
      const turn = breathe()
      if (turn) await turn
      signal?.throwIfAborted()
    }
  } catch (error) {
    throw retrace(advise(error, decoder.advice))
  } finally {
    cursor.release()
    parser?.release()
    if (followed && !decoder.isTransparent) moveTo(followed, cursor.offset)
  }
}

/**
 * Loads the kernels where they come first: where they are asked for, or so much was read before that they pay. Undefined where there is nothing to wait
 * for.
 */
function loadKernelsFirst(
  program: DocumentProgram,
  consumer: Consumer,
  { engine }: RunOptions,
): Promise<unknown> | undefined {
  const kernel = kernels[program]
  const isLoaded = kernel.module !== undefined && (!consumer.kernel || consumer.kernel.module !== undefined)
  const isTooSoon = kernel.module === undefined && engine === undefined && readableWithoutKernel() > 0
  if (isLoaded || isTooSoon || engine === 'plain') return undefined
  const loading = loadKernels(kernel, consumer)
  return engine ? loading : loading.catch(() => undefined)
}

/**
 * The same error, whose stack begins with the function that waits for it: V8 shows ten frames, and of errors in the input those of the parser say nothing
 * to its users, whose own would not be among them.
 */
function retrace(error: unknown): unknown {
  const { captureStackTrace } = Error as { captureStackTrace?: (error: object, below: unknown) => void }
  if (error instanceof XmlError || error instanceof LimitError) captureStackTrace?.(error, runParser)
  return error
}

/** The same error with advice, where bytes are not text in the encoding that was chosen. */
function advise(error: unknown, advice: string): unknown {
  const isAdvised = advice !== '' && error instanceof XmlError && error.code === 'malformed-text'
  return isAdvised ? new XmlError(`${error.detail}${advice}`, error) : error
}

/** Lets a lent cursor follow, so that it retains no more than the parser does. Whoever has lent it may have released it. */
function moveTo(cursor: Cursor, offset: number): void {
  if (offset > cursor.offset && !cursor.done) cursor.skip(offset - cursor.offset)
}

/** How offsets are reported; undefined where they are those of the source. */
export function mapOf(decoder: DocumentDecoder): ToSource | undefined {
  return decoder.isTransparent ? undefined : (offset) => decoder.toSource(offset)
}

/** Continues, and keeps an error until what came before it was delivered. */
function advanceTo(parser: XmlParser, consumer: Consumer): Advance | Error {
  try {
    const advance = parser.advance()
    return advance === 'done' ? (finish(consumer) ?? advance) : advance
  } catch (error) {
    return finish(consumer) ?? (error as Error)
  }
}

/** Tells a consumer that nothing more comes. Gives an error that it finds before that. */
function finish(consumer: Consumer): Error | undefined {
  try {
    consumer.finish?.()
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** What a resolver gives for an external entity. */
async function resolveExternal(request: ExternalRequest, options: RunOptions): Promise<ExternalText> {
  const { resolve } = options
  const signal = signalOf(options.signal)
  const given = Promise.resolve(resolve?.(signal ? { ...request, signal } : request))
  return await abortable(given, signal)
}

/** A cursor of our own at the start. */
export function openSource(
  source: ByteSource | Cursor,
  signal: RunOptions['signal'],
  limits?: StreamCacheOptions['limits'],
): Cursor {
  if (source instanceof Cursor) return source.clone()
  if (source instanceof StreamCache) return source.cursor()
  // What is read is copied: into the machine's memory, or by decoding.
  return StreamCache.reusing(source, signal, limits).cursor()
}

/** What has arrived, or waits for it; undefined at the end. */
async function nextChunk(cursor: Cursor, limit: InputLimit, options: RunOptions): Promise<Uint8Array | undefined> {
  const { signal, until, part } = options
  let chunk = cursor.peekChunk()
  while (chunk.length === 0) {
    if (cursor.done || !(await canRead(cursor, signalOf(signal)))) return undefined
    chunk = cursor.peekChunk()
  }
  chunk = limit.cut(chunk, cursor.offset)
  if (part) chunk = chunk.subarray(0, part.pieceAfter(cursor.offset - limit.start))
  if (!until) return chunk
  const left = until() - cursor.offset
  return left > 0 ? chunk.subarray(0, left) : undefined
}

/** Waits for a byte. Throws the signal's reason and not what the stream makes of it. */
async function canRead(cursor: Cursor, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return await cursor.fill(1, signal && { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

/** Finds out the encoding: the first text, or undefined when the input has ended. Throws an `XmlError`. */
async function readHead(
  decoder: DocumentDecoder,
  cursor: Cursor,
  limit: InputLimit,
  options: RunOptions,
): Promise<Uint8Array | undefined> {
  try {
    for (;;) {
      const chunk = await nextChunk(cursor, limit, options)
      if (!chunk) return await decodeHead(decoder, () => decoder.end())
      decoder.isOfText = cursor.isOfText
      if (!options.ignoresServer) decoder.charset = cursor.charset
      const piece = chunk.subarray(0, DECODED_PIECE)
      const pushed = await decodeHead(decoder, (isAgain) => decoder.push(isAgain ? NOTHING : piece))
      // Its memory may be used again from here on.
      const text = pushed.buffer === piece.buffer ? pushed.slice() : pushed
      cursor.skip(piece.length)
      if (decoder.isDecided) return text
    }
  } catch (error) {
    throw error instanceof UnplacedError ? locateHeadFault(error, limit.start, options.position) : error
  }
}

/** Decodes, and does so again when what the encoding takes was loaded. */
async function decodeHead(decoder: DocumentDecoder, decode: (isAgain: boolean) => Uint8Array): Promise<Uint8Array> {
  const text = decode(false)
  if (!decoder.needsTranscoder) return text
  await transcoding.load()
  return decode(true)
}

/** An error in the encoding is at the very start. */
export function locateHeadFault({ message, code }: UnplacedError, byteOffset: number, position?: Position): XmlError {
  const { line, column } = position ?? TextPosition.START
  return new XmlError(message, { code, byteOffset, line, column })
}

/** Gives a parser the text of what arrives. */
class Feeder {
  readonly #parser: XmlParser
  readonly #decoder: DocumentDecoder
  readonly #cursor: Cursor
  readonly #limit: InputLimit
  /** Text that has not been taken over. */
  #rest: Uint8Array | undefined

  /** `text` is the head, or the text that showed the encoding. */
  constructor(
    parser: XmlParser,
    decoder: DocumentDecoder,
    cursor: Cursor,
    limit: InputLimit,
    text: Uint8Array | undefined,
    head: DocumentHead | undefined,
  ) {
    this.#head = head
    this.#parser = parser
    this.#decoder = decoder
    this.#cursor = cursor
    this.#limit = limit
    this.#rest = text
  }

  /** What the parser reads before the source. */
  #head: DocumentHead | undefined
  /** Offsets that the parser gets, minus those of the cursor. */
  #shift = 0

  /** Whether the parser reads what is not in the source. */
  get isInHead(): boolean {
    return this.#head !== undefined
  }

  /** The offset in the source up to which it is read, after a step of the parser. */
  placeAfter(advance: Advance | Error): number {
    if (this.#head) return this.#cursor.offset
    return (advance === 'done' ? this.#parser.position : this.#parser.readTo) - this.#shift
  }

  /** Gives it the first text. */
  begin(): void {
    if (this.#rest !== undefined && this.#rest.length > 0) this.#pushRest()
  }

  /** Gives it what has arrived, or waits for it. */
  async feed(options: RunOptions): Promise<void> {
    if (this.#head && !this.#rest?.length && !this.#leaveHead(this.#head)) return
    while (this.#rest === undefined || this.#rest.length === 0) {
      const { fault } = this.#decoder
      if (fault !== undefined) return this.#parser.refuse(fault)
      const chunk = await this.#nextChunk(options)
      if (chunk === 'exceeded') return
      if (chunk && this.#decoder.isTransparent) {
        this.#cursor.skip(this.#parser.append(chunk))
        return
      }
      if (chunk) {
        const piece = chunk.subarray(0, DECODED_PIECE)
        this.#rest = this.#decoder.push(piece)
        this.#cursor.skip(piece.length)
      } else {
        this.#rest = this.#decoder.end()
        if (this.#rest.length === 0 && this.#decoder.fault === undefined) return this.#parser.finish()
      }
    }
    this.#pushRest()
  }

  /** `exceeded`: the input continues after its limit (`maxInput`), and the parser knows. */
  async #nextChunk(options: RunOptions): Promise<Uint8Array | 'exceeded' | undefined> {
    try {
      return (await this.#mayRead(options)) ? await nextChunk(this.#cursor, this.#limit, options) : undefined
    } catch (error) {
      if (!(error instanceof LimitError && error.code === 'input-limit')) throw error
      this.#parser.exceed(error)
      return 'exceeded'
    }
  }

  /** Of a small document this is all of it, and the parser need not come back to learn that nothing follows. */
  #pushRest(): void {
    const rest = this.#rest as Uint8Array
    this.#rest = rest.subarray(this.#parser.append(rest))
    const isAll = this.#rest.length === 0 && this.#cursor.done && this.#decoder.isTransparent && !this.#head
    if (isAll) this.#parser.finish()
  }

  /** Whether it is to read on: for the excerpt of an error only what is there, also where the source fails. */
  async #mayRead(options: RunOptions): Promise<boolean> {
    return this.#parser.failedAt === undefined || (await hasArrived(this.#cursor, signalOf(options.signal)))
  }

  /** Gives the parser the position where it continues. Returns false if there is an error in the head, which does not wait for the source. */
  #leaveHead({ next, before }: DocumentHead): boolean {
    if (this.#parser.failedAt !== undefined) {
      this.#parser.finish()
      return false
    }
    this.#head = undefined
    this.#shift = next.byteOffset - this.#cursor.offset
    this.#parser.relocate(next, before)
    return true
  }
}
