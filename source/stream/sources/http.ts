/// <reference lib="esnext.disposable" preserve="true" />
// The content of a URL, from any offset on: range requests (RFC 9110, section 14).

import { OpenReadings } from '../../async/open-readings.ts'
import { pause } from '../../async/waiting.ts'
import { type OptionKinds, requireNumber, requireOptions } from '../options.ts'
import type { SeekableSource } from '../seekable.ts'
import { HttpRepresentation } from './http-representation.ts'
import type { Progress, ReportsProgress } from './source-reader.ts'

export interface HttpSourceOptions {
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch
  /** Sent with each request. */
  headers?: Record<string, string>
  /** Ends the requests, and the pauses between them. */
  signal?: AbortSignal
  /**
   * How many attempts in a row to resume a broken transfer may fail to get a byte (default 5). A transfer is resumed where it stopped, and
   * only if the server proves that the content is unchanged: by a strong `ETag`, or without one by `Last-Modified`.
   */
  retries?: number
  /** Milliseconds before the first of these attempts (default 1000). Each pause is twice as long as the one before. */
  retryDelay?: number
}

const HTTP_SOURCE_OPTIONS: OptionKinds<HttpSourceOptions> = {
  fetch: 'function',
  headers: 'object',
  signal: 'signal',
  retries: 'any',
  retryDelay: 'any',
}
const DEFAULT_RETRIES = 5
const DEFAULT_RETRY_DELAY = 1000

/** The body of a response, which begins with the byte that was asked for. */
interface Transfer {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  /** Offset at which it ends, as the server announced; undefined where it did not. */
  readonly end: number | undefined
}

/** The network has failed, or the server for the time being: it may be continued. */
class BrokenTransfer extends Error {}

/**
 * The content at a URL. It is requested when reading begins, and the request is aborted when reading ends.
 *
 * Iterating throws an `Error` that describes the response if it is not what was requested: a status other than 200, or 206 for a part; a
 * different range; a part with a `Content-Encoding`; more or fewer bytes than announced. It throws a `SourceError` with the code
 * `source-changed` if `ETag`, `Last-Modified` or size differ from the first response to this source, or to a source that `from` made of it.
 * To read the new content, create a new source.
 */
export class HttpSource implements AsyncIterable<Uint8Array>, AsyncDisposable, ReportsProgress, SeekableSource {
  readonly #url: string | URL
  readonly #options: HttpSourceOptions
  readonly #start: number
  readonly #end: number | undefined
  /** Of this source and of all that are made of it. */
  #representation: HttpRepresentation
  #progress: Progress = { bytesRead: 0, totalBytes: undefined }
  readonly #iterations = new OpenReadings()

  /**
   * From offset `start` on, to the end or to the offset `end`. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for
   * options that are not valid.
   */
  constructor(url: string | URL, options: HttpSourceOptions = {}, start = 0, end?: number) {
    this.#url = url
    this.#options = options
    this.#start = start
    this.#end = end
    this.#representation = new HttpRepresentation(String(url))
    requireOptions(options, HTTP_SOURCE_OPTIONS)
    for (const name of ['retries', 'retryDelay'] as const) requireNumber(name, options[name] ?? 0, 0)
  }

  get progress(): Progress {
    return this.#progress
  }

  /** @internal What the server says of the encoding. */
  get charset(): string | undefined {
    return this.#representation.charset
  }

  /**
   * The values of `ETag` and `Last-Modified`, as far as a response has had them.
   *
   * @internal
   */
  get tags(): ReadonlyMap<string, string> {
    return this.#representation.tags
  }

  from(offset: number, end?: number): HttpSource {
    const part = new HttpSource(this.#url, this.#options, offset, end)
    part.#representation = this.#representation
    return part
  }

  /**
   * The size of the content at the URL in bytes. Requests a part if no response has reported the size yet. Rejects like reading, and with
   * an `Error` if the server does not report the size.
   */
  async size(): Promise<number> {
    if (this.#representation.size === undefined) for await (const _ of this.from(0, 1)) break
    const { size } = this.#representation
    if (size === undefined) throw this.#makeError('the server does not report the size')
    return size
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#iterations.begin((signal) => this.#read(signal), this.#options.signal)
  }

  /** Ends all iterations, and their requests. The source can be iterated again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#iterations.close()
  }

  async *#read(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { retries = DEFAULT_RETRIES, retryDelay = DEFAULT_RETRY_DELAY } = this.#options
    let failures = 0
    for (let position = this.#start; position < (this.#end ?? Number.POSITIVE_INFINITY); ) {
      let transfer: Transfer | undefined
      try {
        transfer = await this.#request(position, signal)
        this.#report(position)
        for (;;) {
          const chunk = await this.#receive(transfer, position)
          if (!chunk) break
          if (chunk.length > 0) failures = 0
          position += chunk.length
          this.#report(position)
          yield chunk
        }
        if (transfer.end === undefined || transfer.end === (this.#target ?? transfer.end)) return
        // A server may send less than it was asked for: the rest is asked for like that of a transfer that broke off.
        this.#requireProof(`the server sends no bytes after byte ${position}`)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!(error instanceof BrokenTransfer)) throw error
        if (position === this.#target) return
        this.#requireProof(error.message, error.cause)
        if (failures >= retries) throw this.#makeError(`${error.message} (after ${retries} retries)`, error.cause)
        await pause(retryDelay * 2 ** failures++, signal)
      } finally {
        await transfer?.reader.cancel().catch(() => {})
      }
    }
  }

  /** Offset at which reading ends, as far as it is known. */
  get #target(): number | undefined {
    const { size } = this.#representation
    return this.#end === undefined || size === undefined ? (this.#end ?? size) : Math.min(this.#end, size)
  }

  #report(position: number): void {
    const target = this.#target
    this.#progress = {
      bytesRead: position - this.#start,
      totalBytes: target === undefined ? undefined : target - this.#start,
    }
  }

  async #request(position: number, signal: AbortSignal): Promise<Transfer> {
    const { fetch = globalThis.fetch } = this.#options
    const isContinued = position > this.#start
    const range = `bytes=${position}-${this.#end === undefined ? '' : this.#end - 1}`
    const isPart = position > 0 || this.#end !== undefined
    const headers = new Headers(this.#options.headers)
    // Offsets are those of the bytes as they are stored. Browsers ask for an encoding all the same where all is asked for.
    if (!headers.has('Accept-Encoding')) headers.set('Accept-Encoding', 'identity')
    if (isPart) headers.set('Range', range)
    if (isContinued) headers.set('If-Range', this.#representation.validator as string)
    let response: Response
    try {
      response = await fetch(this.#url, { headers, signal })
    } catch (error) {
      if (isContinued) throw new BrokenTransfer(describe(error), { cause: error })
      throw this.#makeError(describe(error), error)
    }
    try {
      const end = isPart ? this.#acceptPart(response, position, range) : this.#acceptAll(response)
      if (!response.body) throw this.#makeError(`the server sends no content: ${describeStatus(response)}`)
      return { reader: response.body.getReader(), end }
    } catch (error) {
      await response.body?.cancel().catch(() => {})
      throw error
    }
  }

  /** The offset at which the content of a response ends that is to have all; undefined where it does not say. */
  #acceptAll(response: Response): number | undefined {
    const { status, headers, type } = response
    if (status !== 200) throw this.#makeError(`the server answers ${describeStatus(response)}`)
    // What is encoded is decoded by fetch, and its length is another one. Other origins may hide in browsers that it is.
    const isEncoded = type === 'cors' || encodingOf(headers) !== undefined
    const length = Number(headers.get('Content-Length') ?? Number.NaN)
    const size = isEncoded || Number.isNaN(length) ? undefined : length
    this.#representation.accept(headers, size, 0)
    return size
  }

  /** The offset at which the content of a response ends that is to have a part from an offset on. */
  #acceptPart(response: Response, position: number, asked: string): number {
    const { status, headers } = response
    const isContinued = position > this.#start
    const refuse = (answer: string) => this.#makeError(`asked for ${asked}, the server ${answer}`)
    if (isContinued && (status >= 500 || status === 429 || status === 408))
      throw new BrokenTransfer(`the server answers ${describeStatus(response)}`)
    if (status === 200) {
      if (isContinued && !this.#representation.isProvedBy(headers))
        throw this.#representation.makeChanged('the server sends the complete content instead of the rest', position)
      throw refuse(`does not support ranges: it answers ${describeStatus(response)}`)
    }
    const said = headers.get('Content-Range')
    if (status === 416) this.#representation.accept(headers, parseUnsatisfiedRange(said), position)
    if (status !== 206) throw refuse(`answers ${describeStatus(response)}`)
    const encoding = encodingOf(headers)
    if (encoding !== undefined) throw refuse(`sends a part of the content encoded as ${encoding}`)
    const range = parseContentRange(said)
    if (!range)
      throw refuse(said === null ? describeMissingRange(response) : `sends ${said}, which is not a valid byte range`)
    this.#representation.accept(headers, range.size, position)
    if (range.start !== position || range.end > (this.#end ?? range.end)) throw refuse(`sends ${said}`)
    return range.end
  }

  /** The next chunk; undefined where the transfer has ended as it should. */
  async #receive({ reader, end }: Transfer, position: number): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new BrokenTransfer(`the transfer broke off at byte ${position}: ${describe(error)}`, { cause: error })
    })
    if (done && position < (end ?? 0))
      throw new BrokenTransfer(`the transfer ended at byte ${position}, but ${end} bytes were announced`)
    if (!done && position + value.length > (end ?? Number.POSITIVE_INFINITY))
      throw this.#makeError(`the server sends more than the ${end} bytes that it announced`)
    return value
  }

  /** Throws where nothing would prove that what comes next belongs to what was read. */
  #requireProof(what: string, cause?: unknown): void {
    if (this.#representation.validator !== undefined) return
    const why = 'the server sends neither a strong ETag nor an old enough Last-Modified'
    throw this.#makeError(`${what}. The transfer cannot be resumed: ${why}`, cause)
  }

  #makeError(message: string, cause?: unknown): Error {
    return new Error(`${this.#url}: ${message}`, { cause })
  }
}

function describe(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: unknown }
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

function describeStatus({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trimEnd()
}

/** Undefined where the content is as it is stored. */
function encodingOf(headers: Headers): string | undefined {
  const encoding = headers.get('Content-Encoding') ?? 'identity'
  return encoding.toLowerCase() === 'identity' ? undefined : encoding
}

function describeMissingRange({ headers, type }: Response): string {
  if (type === 'cors') return 'hides which part it sends; it must send Access-Control-Expose-Headers: Content-Range'
  const media = headers.get('Content-Type')
  return `does not report which part it sends${media === null ? '' : `: its answer is ${media}`}`
}

/** The part of a representation that a response has, as its header says (RFC 9110, section 14.4). */
interface ContentRange {
  /** Offset of the first byte of the part, and of the one after its last. */
  readonly start: number
  readonly end: number
  /** Bytes of the complete representation; undefined where the server does not know. */
  readonly size: number | undefined
}

/** Undefined for anything that is not a valid range of bytes. */
export function parseContentRange(value: string | null): ContentRange | undefined {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(value ?? '') ?? []
  if (first === undefined) return undefined
  const range = { start: Number(first), end: Number(last) + 1, size: size === '*' ? undefined : Number(size) }
  return range.start < range.end && range.end <= (range.size ?? range.end) ? range : undefined
}

/** The size of the complete representation in a response that has no part of it; undefined where it does not say. */
export function parseUnsatisfiedRange(value: string | null): number | undefined {
  const [, size] = /^bytes \*\/(\d+)$/i.exec(value ?? '') ?? []
  return size === undefined ? undefined : Number(size)
}
