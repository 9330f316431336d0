// Short strings that come again and again: names, values, and white space between tags. To find one takes a fraction of what it takes to make it, in browsers above all,
// and what is kept takes memory once.

const PLACES = 512

/**
 * Strings of ASCII that were made of a few bytes, each in the place that its bytes say. A string is kept when it comes for the second time in a row to its place: most that come once
 * never come again, and each reference from here costs the garbage collector something.
 */
export class RecentTexts {
  readonly #texts = new Array<string>(PLACES).fill('')
  /** What came last to each place. */
  readonly #hashes = new Int32Array(PLACES)
  /** Where the string belongs that was not found last; undefined if it is not to be kept. */
  #place: number | undefined

  /** The string of the bytes from one index to another; undefined if it is not here. */
  find(bytes: Uint8Array, from: number, to: number): string | undefined {
    this.#place = undefined
    let hash = 0
    for (let i = from; i < to; i++) {
      const byte = bytes[i] as number
      if (byte >= 0x80) return undefined
      hash = Math.imul(hash, 31) + byte
    }
    const place = (hash ^ (hash >>> 9)) & (PLACES - 1)
    const known = this.#texts[place] as string
    if (isAscii(known, bytes, from, to)) return known
    if (this.#hashes[place] === hash) this.#place = place
    this.#hashes[place] = hash
    return undefined
  }

  /** Keeps the string that was not found last, if it was there before. */
  keep(text: string): string {
    if (this.#place !== undefined) this.#texts[this.#place] = text
    return text
  }
}

/** Whether a string of ASCII is what the bytes from one index to another are. */
function isAscii(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let i = from; i < to; i++) if (text.charCodeAt(i - from) !== bytes[i]) return false
  return true
}
