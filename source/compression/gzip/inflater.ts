// Deflated data (RFC 1951) in plain TypeScript, for gzip where there is no zlib: the DecompressionStream of browsers reads one member
// and does not say where it ends, and dumps have many.

/** The data is corrupt. */
export class InflateError extends Error {}

/**
 * Codes of one alphabet, by as many of the next bits as the longest one has: the symbol above the lowest four bits, the length of its
 * code in them.
 */
type CodeTable = Uint16Array

const MOST_BITS = 15
/** Output: what can be referred to, and new bytes after it. */
const WINDOW = 32768
const BUFFER = 4 * WINDOW
const LONGEST_MATCH = 258
/** A header with its codes has at most 17 + 19 × 3 + 320 × 14 bits; a length with its distance 48. */
const HEADER_BYTES = 600
const SYMBOL_BYTES = 8

// Section 3.2.5.
const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
// Section 3.2.7.
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const FIXED_LENGTHS = makeTable([
  ...new Array(144).fill(8),
  ...new Array(112).fill(9),
  ...new Array(24).fill(7),
  ...new Array(8).fill(8),
])
const FIXED_DISTANCES = makeTable(new Array(32).fill(5))

const NOTHING = new Uint8Array(0)

/** Inflates one stream of deflated data, which may come in pieces. */
export class Inflater {
  /** Whether the data has ended. */
  ended = false
  /** Whether output must be taken before there can be more: of the input there may be something left that would become some. */
  isFull = false
  readonly #output = new Uint8Array(BUFFER)
  #length = 0
  /** Where what was not taken begins. */
  #taken = 0
  /** Bytes of all output, up to the size of the window: how far back can be referred to. */
  #history = 0
  #input: Uint8Array = NOTHING
  #next = 0
  #bits = 0
  #bitCount = 0
  /** What is being read: the header of a block, stored bytes, or symbols. */
  #state: 'header' | 'stored' | 'symbols' = 'header'
  #isLast = false
  #storedLeft = 0
  #lengths: CodeTable = FIXED_LENGTHS
  #distances: CodeTable = FIXED_DISTANCES

  /**
   * Inflates from the start of `input` until it is used up or the output is full, and returns how many bytes are used up. The others must be
   * given again, with more after them, or with `isFinal` when there are none. Throws an {@link InflateError}; what came before it can be
   * taken.
   */
  write(input: Uint8Array, isFinal: boolean): number {
    this.#input = input
    this.#next = 0
    try {
      while (!this.ended && !this.isFull && this.#step(isFinal)) this.isFull = this.#length > BUFFER - LONGEST_MATCH
      this.#returnBytes()
    } finally {
      this.#input = NOTHING
    }
    return this.#next
  }

  /** The output since this was called last, up to 128 KiB of it, which is the receiver's. */
  take(): Uint8Array {
    const output = this.#output.slice(this.#taken, this.#length)
    this.#history = Math.min(this.#history + output.length, WINDOW)
    this.#taken = this.#length
    this.isFull = false
    if (this.#length <= BUFFER / 2) return output
    this.#output.copyWithin(0, this.#length - WINDOW, this.#length)
    this.#length = WINDOW
    this.#taken = WINDOW
    return output
  }

  /** Gives back the complete bytes among the bits that were taken. */
  #returnBytes(): void {
    this.#next -= this.#bitCount >> 3
    this.#bitCount &= 7
    this.#bits &= (1 << this.#bitCount) - 1
  }

  /** Decodes a little more. False when more input is needed. */
  #step(isFinal: boolean): boolean {
    const available = this.#input.length - this.#next
    switch (this.#state) {
      case 'header':
        if (available < HEADER_BYTES && !isFinal) return false
        return this.#isComplete(() => this.#readHeader())
      case 'stored': {
        const count = Math.min(this.#storedLeft, available, BUFFER - this.#length)
        this.#output.set(this.#input.subarray(this.#next, this.#next + count), this.#length)
        this.#next += count
        this.#length += count
        this.#storedLeft -= count
        if (this.#storedLeft === 0) this.#endBlock()
        return count > 0 || this.#storedLeft === 0
      }
      case 'symbols':
        if (available < SYMBOL_BYTES && !isFinal) return false
        return this.#isComplete(() => this.#readSymbols(isFinal))
    }
  }

  /** Reads something; when it is not all there, nothing has been read. */
  #isComplete(read: () => void): boolean {
    const next = this.#next
    const bits = this.#bits
    const bitCount = this.#bitCount
    const length = this.#length
    try {
      read()
      if (!this.#isPastEnd) return true
    } catch (error) {
      if (!(error instanceof InflateError) || !this.#isPastEnd) throw error
    }
    this.#next = next
    this.#bits = bits
    this.#bitCount = bitCount
    this.#length = length
    return false
  }

  get #isPastEnd(): boolean {
    return this.#next - (this.#bitCount >> 3) > this.#input.length
  }

  #readHeader(): void {
    this.#isLast = this.#read(1) === 1
    switch (this.#read(2)) {
      case 0: {
        this.#read(this.#bitCount & 7)
        const length = this.#read(16)
        if (this.#read(16) !== (length ^ 0xffff)) throw new InflateError('the length of a stored block is wrong')
        this.#returnBytes()
        this.#storedLeft = length
        this.#state = 'stored'
        return
      }
      case 1:
        this.#lengths = FIXED_LENGTHS
        this.#distances = FIXED_DISTANCES
        break
      case 2:
        this.#readCodes()
        break
      default:
        throw new InflateError('a block has a reserved type')
    }
    this.#state = 'symbols'
  }

  #readCodes(): void {
    const lengthCount = this.#read(5) + 257
    const distanceCount = this.#read(5) + 1
    if (lengthCount > 286 || distanceCount > 30) throw new InflateError('there are too many literal or distance codes')
    const codeCount = this.#read(4) + 4
    const codeLengths = new Array<number>(19).fill(0)
    for (let i = 0; i < codeCount; i++) codeLengths[CODE_ORDER[i] as number] = this.#read(3)
    const codes = makeTable(codeLengths, true)
    const all: number[] = []
    while (all.length < lengthCount + distanceCount) {
      const symbol = this.#readSymbol(codes)
      if (symbol < 16) all.push(symbol)
      else if (symbol === 16) {
        const before = all.at(-1)
        if (before === undefined) throw new InflateError('a repeated code length has no previous length')
        for (let count = 3 + this.#read(2); count > 0; count--) all.push(before)
      } else for (let count = symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7); count > 0; count--) all.push(0)
    }
    if (all.length > lengthCount + distanceCount) throw new InflateError('there are too many code lengths')
    if (all[256] === 0) throw new InflateError('there is no code for the end of a block')
    this.#lengths = makeTable(all.slice(0, lengthCount))
    this.#distances = makeTable(all.slice(lengthCount))
  }

  /** Reads symbols as long as there is surely enough of both input and room; at the end of the input, one. */
  #readSymbols(isFinal: boolean): void {
    const output = this.#output
    const end = this.#input.length - SYMBOL_BYTES
    do {
      const symbol = this.#readSymbol(this.#lengths)
      if (symbol < 256) {
        output[this.#length++] = symbol
        continue
      }
      if (symbol === 256) {
        if (!this.#isPastEnd) this.#endBlock()
        return
      }
      const lengthBase = LENGTH_BASES[symbol - 257]
      if (lengthBase === undefined) throw new InflateError('a length is invalid')
      const length = lengthBase + this.#read(LENGTH_BITS[symbol - 257] as number)
      const code = this.#readSymbol(this.#distances)
      const distanceBase = DISTANCE_BASES[code]
      if (distanceBase === undefined) throw new InflateError('a distance is invalid')
      const distance = distanceBase + this.#read(DISTANCE_BITS[code] as number)
      if (distance > Math.min(this.#history + this.#length - this.#taken, WINDOW))
        throw new InflateError('a distance points before the start of the data')
      let at = this.#length
      const stop = at + length
      for (let from = at - distance; at < stop; at++, from++) output[at] = output[from] as number
      this.#length = at
    } while (this.#next <= end && this.#length <= BUFFER - LONGEST_MATCH && !isFinal)
  }

  #endBlock(): void {
    this.#state = 'header'
    if (this.#isLast) this.ended = true
  }

  /** Up to 16 bits, least significant first; zeros after the end of the input. */
  #read(count: number): number {
    while (this.#bitCount < count) this.#takeByte()
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return value
  }

  #readSymbol(table: CodeTable): number {
    while (this.#bitCount < MOST_BITS) this.#takeByte()
    const entry = table[this.#bits & (table.length - 1)] as number
    const length = entry & 15
    if (length === 0) throw new InflateError('a code is invalid')
    this.#bits >>>= length
    this.#bitCount -= length
    return entry >> 4
  }

  #takeByte(): void {
    this.#bits |= (this.#input[this.#next++] ?? 0) << this.#bitCount
    this.#bitCount += 8
  }
}

/**
 * Canonical codes (section 3.2.2), whose bits come most significant first. Not all codes need be used where there is one only, or none,
 * unless they must be complete.
 */
function makeTable(lengths: readonly number[], mustBeComplete = false): CodeTable {
  const longest = Math.max(...lengths)
  const table = new Uint16Array(1 << longest)
  let code = 0
  for (let length = 1; length <= longest; length++) {
    for (const [symbol, own] of lengths.entries()) {
      if (own !== length) continue
      if (code >= 1 << length) throw new InflateError('a set of codes is oversubscribed')
      for (let entry = reverse(code, length); entry < table.length; entry += 1 << length)
        table[entry] = (symbol << 4) | length
      code++
    }
    if (length < longest) code <<= 1
  }
  const isComplete = code === 1 << longest
  if (!isComplete && (longest > 1 || mustBeComplete)) throw new InflateError('a set of codes is incomplete')
  return table
}

function reverse(code: number, length: number): number {
  let reversed = 0
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit)
  return reversed
}
