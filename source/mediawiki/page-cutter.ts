// Cutting the pages out of a dump. In dump text `<` is always escaped, and there are no comments and no CDATA sections: the bytes
// `<page>` are only ever a tag. So pages are found by searching for them, and each is parsed by itself.
//
//     <mediawiki …> … <page>  …  </page>  <page>  …          </mediawiki>
//     └─ envelope ──┘ └──── page ──────┘                     └ envelope ┘
//                     ▲ cursor   ▲ ahead
//
// Two cursors: one stands before what is not dealt with yet, the other searches ahead of it. Nothing here waits.

import { scanner } from '../kernel/scanner.ts'
import type { Cursor } from '../stream/cursor.ts'
import { LineCounter } from '../text/line-counter.ts'
import { ParseError } from '../text/parse-error.ts'
import { findCutSequence, findMalformed, utf8Length } from '../text/utf8.ts'
import { Envelope } from './envelope.ts'
import type { Page } from './page.ts'
import { parsePage } from './page-parser.ts'
import { XmlFault } from './strict-parser.ts'

const encoder = new TextEncoder()
const PAGE_START = encoder.encode('<page>')
const PAGE_END = encoder.encode('</page>')
const EXCERPT_SIDE = 40

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export class PageCutter {
  /** Before what is not dealt with yet. */
  readonly #cursor: Cursor
  /** Where the search goes on. */
  readonly #ahead: Cursor
  readonly #lines = new LineCounter()
  readonly #envelope = new Envelope()
  #isInPage = false
  /** How far the stream had arrived at the last search. More may have come by the time that somebody waits for it. */
  #seenEnd = 0

  /** Takes a cursor at the start of the stream over. */
  constructor(cursor: Cursor) {
    this.#cursor = cursor
    this.#ahead = cursor.clone()
  }

  /**
   * The next page, or undefined when it has not arrived as a whole.
   *
   * Throws a `ParseError` where the dump is not well-formed, is not a dump, or is not in UTF-8.
   */
  next(): Page | undefined {
    if (!this.#isInPage) {
      this.#isInPage = this.#search(PAGE_START)
      this.#passEnvelope()
      if (!this.#isInPage) return undefined
      if (!this.#envelope.isInRoot) this.#fail(new XmlFault('a page stands outside <mediawiki>', 0), this.#peekFound())
    }
    if (!this.#search(PAGE_END)) return undefined
    this.#ahead.skip(PAGE_END.length)
    const bytes = this.#peekFound()
    const page = this.#parse(bytes, parsePage)
    this.#pass(bytes)
    this.#isInPage = false
    return page
  }

  /** Waits for more of the stream than the search has seen; false at its end. */
  refill(): Promise<boolean> {
    return this.#ahead.fill(this.#seenEnd + 1 - this.#ahead.offset)
  }

  /** Deals with what is left at the end of the stream. Throws a `ParseError` when the dump is not complete. */
  end(): void {
    this.#ahead.skip(this.#ahead.available)
    const { line, column } = this.#lines.position
    const rest = this.#peekFound()
    if (!this.#isInPage) this.#parse(rest, (text) => this.#envelope.write(text))
    this.#pass(rest)
    if (this.#isInPage) {
      this.#fail(new XmlFault(`the input ends inside the page that begins at line ${line}, column ${column}`, 0))
    }
    this.#parse(NOTHING, () => this.#envelope.end())
  }

  release(): void {
    this.#cursor.release()
    this.#ahead.release()
  }

  /** Moves ahead to the next `needle`, or, when it has not arrived, as far as it cannot begin. */
  #search(needle: Uint8Array): boolean {
    const ahead = this.#ahead
    this.#seenEnd = ahead.offset + ahead.available
    while (ahead.available > 0) {
      const chunk = ahead.peekChunk()
      const found = scanner().findBytes(chunk, needle, 0)
      if (found !== -1) {
        ahead.skip(found)
        return true
      }
      // The needle may begin in the last bytes of the chunk and go on in the next one: </pa | ge>
      const tail = Math.min(chunk.length, needle.length - 1)
      ahead.skip(chunk.length - tail)
      for (let rest = tail; rest > 0; rest--) {
        const window = ahead.peek(needle.length)
        if (window?.length !== needle.length) return false
        if (window.every((byte, index) => byte === needle[index])) return true
        ahead.skip(1)
      }
    }
    return false
  }

  /** Deals with what lies before the place found. */
  #passEnvelope(): void {
    this.#requireUtf8()
    const bytes = this.#peekFound()
    // What has arrived may end inside a character.
    const whole = bytes.subarray(0, findCutSequence(bytes))
    this.#parse(whole, (text) => this.#envelope.write(text))
    this.#pass(whole)
  }

  /** The bytes from the cursor to the place found. */
  #peekFound(): Uint8Array {
    return this.#cursor.peek(this.#ahead.offset - this.#cursor.offset) as Uint8Array // they have arrived
  }

  #pass(bytes: Uint8Array): void {
    this.#lines.advance(bytes)
    this.#cursor.skip(bytes.length)
  }

  #parse<T>(bytes: Uint8Array, parse: (text: string) => T): T {
    let text: string | undefined
    try {
      text = decoder.decode(bytes)
      return parse(text)
    } catch (error) {
      if (text === undefined) this.#failAt('malformed-utf8', 'malformed UTF-8', bytes, findMalformed(bytes))
      if (!(error instanceof XmlFault)) throw error
      this.#fail(error, bytes, text)
    }
  }

  #requireUtf8(): void {
    if (this.#cursor.offset > 0) return
    const [first, second] = this.#cursor.peek(Math.min(2, this.#cursor.available)) as Uint8Array
    const isUtf16 =
      (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe) || first === 0 || second === 0
    if (!isUtf16) return
    const message = 'dumps in UTF-16 are not read yet; convert it before: iconv -f UTF-16 -t UTF-8'
    this.#failAt('unsupported-encoding', message, NOTHING, 0)
  }

  /** Throws a fault in the text that begins at the cursor. */
  #fail(fault: XmlFault, bytes: Uint8Array = NOTHING, text = decoder.decode(bytes)): never {
    const index = Math.min(unfold(text, fault.index), text.length)
    const excerpt = text.slice(Math.max(0, index - EXCERPT_SIDE), index + EXCERPT_SIDE).replace(/\s+/g, ' ')
    this.#failAt('malformed-xml', fault.message, bytes, utf8Length(text, 0, index), excerpt)
  }

  #failAt(code: string, message: string, bytes: Uint8Array, index: number, excerpt?: string): never {
    const lines = this.#lines.clone()
    lines.advance(bytes.subarray(0, index))
    throw new ParseError(message, { code, ...lines.position, excerpt })
  }
}

const NOTHING = new Uint8Array(0)

/** The index in `text` of what is at `index` once its line ends are folded. */
function unfold(text: string, index: number): number {
  let unfolded = index
  for (let at = text.indexOf('\r\n'); at !== -1 && at < unfolded; at = text.indexOf('\r\n', at + 2)) unfolded++
  return unfolded
}
