// What lies behind a URL, from any offset on: range requests (RFC 9110, section 14).

import type { SeekableSource } from '../seekable.ts'
import type { Progress, ReportsProgress } from '../source.ts'

export interface HttpSourceOptions {
  /** What is asked in place of the global `fetch`. */
  fetch?: typeof fetch
  /** Sent with each request. */
  headers?: Record<string, string>
  /** Ends the requests. */
  signal?: AbortSignal
}

/**
 * What lies behind a URL. It is asked for when reading begins, and the response is cancelled when reading ends.
 *
 * Iterating fails with an `Error` that says the status when that is not 200 or 206, and when a part was asked for and the server sends all.
 */
export class HttpSource implements AsyncIterable<Uint8Array>, ReportsProgress, SeekableSource {
  readonly #url: string | URL
  readonly #options: HttpSourceOptions
  readonly #start: number
  readonly #end: number | undefined
  #progress: Progress = { bytesRead: 0, totalBytes: undefined }

  /** From offset `start` on, to the end or to the offset `end`. */
  constructor(url: string | URL, options: HttpSourceOptions = {}, start = 0, end?: number) {
    this.#url = url
    this.#options = options
    this.#start = start
    this.#end = end
  }

  get progress(): Progress {
    return this.#progress
  }

  from(offset: number, end?: number): HttpSource {
    return new HttpSource(this.#url, this.#options, offset, end)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { fetch = globalThis.fetch, headers = {}, signal } = this.#options
    const isPart = this.#start > 0 || this.#end !== undefined
    if (this.#end !== undefined && this.#end <= this.#start) return
    const range = `bytes=${this.#start}-${this.#end === undefined ? '' : this.#end - 1}`
    const response = await fetch(this.#url, {
      headers: isPart ? { ...headers, range } : headers,
      ...(signal && { signal }),
    })
    if (response.status !== (isPart ? 206 : 200) || !response.body) {
      await response.body?.cancel()
      const what = isPart && response.status === 200 ? 'sends no parts of it' : `answers ${response.status}`
      throw new Error(`${this.#url}: the server ${what} ${response.statusText}`.trimEnd())
    }
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    const totalBytes = Number.isNaN(length) ? undefined : length
    let bytesRead = 0
    this.#progress = { bytesRead, totalBytes }
    const reader = response.body.getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        bytesRead += next.value.length
        this.#progress = { bytesRead, totalBytes }
        yield next.value
      }
    } finally {
      await reader.cancel().catch(() => {})
    }
  }
}
