// What a URL stands for, as the headers of responses describe it (RFC 9110, section 8): to know it again in the next response.

import { SourceError } from '../errors.ts'

/** Milliseconds by which a date of modification must be older than its response to prove anything (section 8.8.2.2). */
const STRONG_DATE_AGE = 1000

/** The parameter, after others, whose quoted values may have semicolons. */
const CHARSET = /^[^;]*(?:;(?:[^;"]|"(?:[^"\\]|\\.)*")*)*?;\s*charset="?([^\s";]+)/i

export class HttpRepresentation {
  readonly #url: string
  readonly #tags = new Map<string, string>()
  #size: number | undefined
  #charset: string | undefined
  #validator: string | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Bytes of all of it; undefined as long as no response has said so. */
  get size(): number | undefined {
    return this.#size
  }

  /** The charset of `Content-Type` (sections 5.6.6 and 8.3.2), as the first response has it; undefined where it has none. */
  get charset(): string | undefined {
    return this.#charset
  }

  /** The values of `ETag` and `Last-Modified`, as far as a response has had them. */
  get tags(): ReadonlyMap<string, string> {
    return this.#tags
  }

  /** What `If-Range` asks for (section 13.1.5); undefined where the server has sent nothing that proves two responses to be of the same bytes. */
  get validator(): string | undefined {
    return this.#validator
  }

  /**
   * Takes what a response says of it. Throws a `SourceError` with the code `source-changed` where that is not what an earlier one said.
   * `offset` is that of the next byte.
   */
  accept(headers: Headers, size: number | undefined, offset: number): void {
    for (const name of ['ETag', 'Last-Modified']) {
      const now = headers.get(name)
      const before = this.#tags.get(name)
      if (now === null) continue
      if (before !== undefined && before !== now)
        throw this.makeChanged(`its ${name} was ${before} and is now ${now}`, offset)
      this.#tags.set(name, now)
    }
    if (size !== undefined && this.#size !== undefined && size !== this.#size) {
      throw this.makeChanged(`it had ${this.#size} bytes and now has ${size}`, offset)
    }
    this.#size ??= size
    this.#charset ??= CHARSET.exec(headers.get('Content-Type') ?? '')?.[1]
    this.#validator ??= findValidator(headers)
  }

  /** Whether a response has the same validator. */
  isProvedBy(headers: Headers): boolean {
    return this.#validator !== undefined && findValidator(headers) === this.#validator
  }

  makeChanged(how: string, offset: number): SourceError {
    const message = `${this.#url} changed while it was read: ${how}`
    return new SourceError('source-changed', message, offset, undefined)
  }
}

/** A strong entity tag; or the date of modification where there is no tag, and the date is strong. */
function findValidator(headers: Headers): string | undefined {
  const tag = headers.get('ETag')
  if (tag !== null) return tag.startsWith('"') ? tag : undefined
  const modified = headers.get('Last-Modified') ?? ''
  const age = Date.parse(headers.get('Date') ?? '') - Date.parse(modified)
  return age >= STRONG_DATE_AGE ? modified : undefined
}
