// The plain twin of the bzip2 kernel: what runs where there is no WebAssembly SIMD, and what the kernel is tested against.

import { type BlockDecoder, BlockStatus, MAX_BLOCK_LENGTH } from './block-decoder.ts'

const PIECE = 1024 * 1024
/** The longest run of one emission: four bytes, and 255 more. */
const LONGEST_RUN = 259
const GROUP_SIZE = 50
const MAX_SELECTORS = 18002
const MAX_CODE_LENGTH = 20
const QUICK_BITS = 10
const RUN_B = 1

/** Thrown inside, caught in `retrieve`. */
class BlockError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** Codes of one table: `quick` by the next bits (symbol and length), then by length. */
interface CodeTable {
  readonly quick: Uint16Array
  /** For each length the first code that is longer, with {@link MAX_CODE_LENGTH} bits. */
  readonly limits: Uint32Array
  /** What to add to a code of a length to have its place in `symbols`. */
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
}

/** Decodes one block at a time. */
export class PlainBlockDecoder implements BlockDecoder {
  readonly engine = 'plain'
  readonly lanes = 1
  /** The last column, and after `walk` the block as it was before sorting. */
  readonly #last = new Uint8Array(MAX_BLOCK_LENGTH)
  /** For each row its first byte in the low eight bits, and above them the row of the rotation after. */
  readonly #links = new Uint32Array(MAX_BLOCK_LENGTH)
  readonly #counts = new Uint32Array(256)
  readonly #output = new Uint8Array(PIECE)
  #length = 0
  #row = 0
  #walked = 0
  #position = 0
  #checksum = 0
  #storedChecksum = 0
  #bits = new BitReader(new Uint8Array(0), 0)

  retrieve(_lane: number, bytes: Uint8Array, bit: number): number {
    const bits = new BitReader(bytes, bit)
    this.#bits = bits
    this.#walked = 0
    this.rewind()
    bits.read(24)
    bits.read(24)
    this.#storedChecksum = bits.read(32)
    const status = this.#readBlock(bits)
    // What was read after the input is no information, and above all not an error.
    const outcome = bits.isExhausted ? BlockStatus.TRUNCATED : status
    if (outcome !== BlockStatus.GOOD) this.#length = 0
    return outcome
  }

  #readBlock(bits: BitReader): number {
    try {
      if (bits.read(1)) return BlockStatus.RANDOMISED
      const origin = bits.read(24)
      const order = readSymbolsInUse(bits)
      const tableCount = bits.read(3)
      if (tableCount < 2 || tableCount > 6) return BlockStatus.BAD_TABLE_COUNT
      const selectors = readSelectors(bits, tableCount)
      const tables = Array.from({ length: tableCount }, () => makeTable(readCodeLengths(bits, order.length + 2)))
      this.#length = this.#readColumn(bits, order, selectors, tables)
      if (origin >= this.#length) return BlockStatus.BAD_ORIGIN
      this.#row = origin
      return BlockStatus.GOOD
    } catch (error) {
      if (error instanceof BlockError) return error.status
      throw error
    }
  }

  /** Reads the symbols of the block, writes the last column, and returns its length. */
  #readColumn(bits: BitReader, order: number[], selectors: Uint8Array, tables: readonly CodeTable[]): number {
    const last = this.#last
    const counts = this.#counts.fill(0)
    const endSymbol = order.length + 1
    let length = 0
    // A run of the byte in front, whose length is written in digits of 1 and 2, least significant first.
    let run = 0
    let digit = 0
    for (const selector of selectors) {
      const table = tables[selector] as CodeTable
      for (let left = GROUP_SIZE; left > 0; left--) {
        const symbol = bits.readSymbol(table)
        if (symbol <= RUN_B) {
          if (digit > 20) throw new BlockError(BlockStatus.TOO_LONG)
          run += (symbol + 1) << digit++
          continue
        }
        if (run > 0) {
          if (length + run > MAX_BLOCK_LENGTH) throw new BlockError(BlockStatus.TOO_LONG)
          const byte = order[0] as number
          last.fill(byte, length, length + run)
          counts[byte] = (counts[byte] as number) + run
          length += run
          run = 0
          digit = 0
        }
        if (symbol === endSymbol) return length
        if (length >= MAX_BLOCK_LENGTH) throw new BlockError(BlockStatus.TOO_LONG)
        const place = symbol - 1
        const byte = order[place] as number
        order.copyWithin(1, 0, place)
        order[0] = byte
        counts[byte] = (counts[byte] as number) + 1
        last[length++] = byte
      }
    }
    throw new BlockError(BlockStatus.NO_SELECTOR_LEFT)
  }

  prepare(): void {
    const counts = this.#counts
    let sum = 0
    for (let byte = 0; byte < 256; byte++) {
      const count = counts[byte] as number
      counts[byte] = sum
      sum += count
    }
    for (let row = 0; row < this.#length; row++) {
      const byte = this.#last[row] as number
      const link = counts[byte] as number
      this.#links[link] = row * 256 + byte
      counts[byte] = link + 1
    }
  }

  endBit(): number {
    return this.#bits.position
  }
  length(): number {
    return this.#length
  }
  storedChecksum(): number {
    return this.#storedChecksum
  }

  walk(count: number, limit: number): boolean {
    if (count === 0) return true
    const end = Math.min(this.#length, this.#walked + limit)
    let row = this.#row
    for (let i = this.#walked; i < end; i++) {
      const link = this.#links[row] as number
      this.#last[i] = link
      row = link >>> 8
    }
    this.#row = row
    this.#walked = end
    return end === this.#length
  }

  emit(): Uint8Array | undefined {
    const block = this.#last
    const output = this.#output
    let at = 0
    let from = this.#position
    while (from < this.#length && at < PIECE - LONGEST_RUN) {
      const byte = block[from] as number
      let equal = 1
      while (equal < 4 && from + equal < this.#length && block[from + equal] === byte) equal++
      output.fill(byte, at, at + equal)
      from += equal
      at += equal
      if (equal < 4) continue
      if (from === this.#length) return undefined
      const more = block[from++] as number
      output.fill(byte, at, at + more)
      at += more
    }
    this.#position = from
    const piece = output.subarray(0, at)
    this.#checksum = addToChecksum(this.#checksum, piece)
    return piece
  }
  isEmitted(): boolean {
    return this.#position === this.#length
  }
  checksum(): number {
    return ~this.#checksum >>> 0
  }
  rewind(): void {
    this.#position = 0
    this.#checksum = -1
  }
}

/** The bytes that occur, in order: the list that is moved to the front. */
function readSymbolsInUse(bits: BitReader): number[] {
  const ranges = bits.read(16)
  const used: number[] = []
  for (let range = 0; range < 16; range++) {
    if (!((ranges >> (15 - range)) & 1)) continue
    const members = bits.read(16)
    for (let i = 0; i < 16; i++) if ((members >> (15 - i)) & 1) used.push(range * 16 + i)
  }
  if (used.length === 0) throw new BlockError(BlockStatus.NO_SYMBOLS)
  return used
}

/** Which table is for which group of symbols. More than a block can need are written by some programs, and ignored by all. */
function readSelectors(bits: BitReader, tableCount: number): Uint8Array {
  const count = bits.read(15)
  if (count === 0) throw new BlockError(BlockStatus.NO_SELECTOR_LEFT)
  const order = [0, 1, 2, 3, 4, 5]
  const selectors = new Uint8Array(Math.min(count, MAX_SELECTORS))
  for (let i = 0; i < count; i++) {
    let place = 0
    while (bits.read(1)) {
      if (++place >= tableCount) throw new BlockError(BlockStatus.BAD_SELECTOR)
    }
    bits.throwIfExhausted()
    order.unshift(...order.splice(place, 1))
    selectors[i] = order[0] as number
  }
  return selectors
}

function readCodeLengths(bits: BitReader, symbolCount: number): Uint8Array {
  const lengths = new Uint8Array(symbolCount)
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    for (;;) {
      if (length < 1 || length > MAX_CODE_LENGTH) throw new BlockError(BlockStatus.BAD_CODE_LENGTH)
      if (!bits.read(1)) break
      length += bits.read(1) ? -1 : 1
      bits.throwIfExhausted()
    }
    lengths[symbol] = length
  }
  return lengths
}

/** Codes are canonical: shorter ones first, those of one length in the order of their symbols. */
function makeTable(lengths: Uint8Array): CodeTable {
  const table = {
    quick: new Uint16Array(1 << QUICK_BITS),
    limits: new Uint32Array(MAX_CODE_LENGTH + 1),
    offsets: new Int32Array(MAX_CODE_LENGTH + 1),
    symbols: new Uint16Array(lengths.length),
  }
  let place = 0
  let code = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    code *= 2
    table.offsets[length] = place - code
    for (let symbol = lengths.indexOf(length); symbol !== -1; symbol = lengths.indexOf(length, symbol + 1)) {
      table.symbols[place++] = symbol
      if (length <= QUICK_BITS) {
        const first = code << (QUICK_BITS - length)
        table.quick.fill((symbol << 5) | length, first, first + (1 << (QUICK_BITS - length)))
      }
      code++
    }
    // More codes than bits can distinguish.
    if (code > 2 ** length) throw new BlockError(BlockStatus.BAD_CODE_LENGTH)
    table.limits[length] = code * 2 ** (MAX_CODE_LENGTH - length)
  }
  return table
}

/** Bits, the most significant first. After the end of the bytes there are zeros. */
class BitReader {
  readonly #bytes: Uint8Array
  #next: number
  /** The next bits are the lowest `#count` of these, which are 32 at most. */
  #bits = 0
  #count = 0

  constructor(bytes: Uint8Array, bit: number) {
    this.#bytes = bytes
    this.#next = 0
    if (bit > 0) this.read(bit)
  }

  /** In bits from the first byte. */
  get position(): number {
    return this.#next * 8 - this.#count
  }

  get isExhausted(): boolean {
    return this.position > this.#bytes.length * 8
  }

  throwIfExhausted(): void {
    if (this.isExhausted) throw new BlockError(BlockStatus.TRUNCATED)
  }

  /** Up to 32 bits. */
  read(count: number): number {
    if (count > 24) return this.read(count - 16) * 65536 + this.read(16)
    this.#ensure(count)
    this.#count -= count
    return (this.#bits >>> this.#count) & ((1 << count) - 1)
  }

  readSymbol({ quick, limits, offsets, symbols }: CodeTable): number {
    this.#ensure(MAX_CODE_LENGTH)
    const entry = quick[(this.#bits >>> (this.#count - QUICK_BITS)) & ((1 << QUICK_BITS) - 1)] as number
    if (entry !== 0) {
      this.#count -= entry & 31
      return entry >>> 5
    }
    const code = (this.#bits >>> (this.#count - MAX_CODE_LENGTH)) & ((1 << MAX_CODE_LENGTH) - 1)
    for (let length = QUICK_BITS + 1; length <= MAX_CODE_LENGTH; length++) {
      if (code >= (limits[length] as number)) continue
      this.#count -= length
      return symbols[(offsets[length] as number) + (code >>> (MAX_CODE_LENGTH - length))] as number
    }
    this.throwIfExhausted()
    throw new BlockError(BlockStatus.BAD_CODE)
  }

  #ensure(count: number): void {
    while (this.#count < count) {
      this.#bits = (this.#bits << 8) | (this.#bytes[this.#next++] ?? 0)
      this.#count += 8
    }
  }
}

// The CRC-32 of Ethernet, most significant bit first.
const CHECKSUM_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})

function addToChecksum(checksum: number, bytes: Uint8Array): number {
  let value = checksum
  for (const byte of bytes) value = (value << 8) ^ (CHECKSUM_TABLE[(value >>> 24) ^ byte] as number)
  return value
}
