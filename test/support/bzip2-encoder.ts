// Writes bzip2, for tests: plainly and slowly, and with more freedom than real encoders take.

/** What may be chosen; everything has a default. */
export interface EncodeOptions {
  level?: number
  /** Bytes of a block, before the runs are taken out. */
  blockSize?: number
  /** A number in [0, 1), for lengths of codes, numbers of tables and selectors. */
  random?: () => number
}

/** Numbers in [0, 1) that a seed determines (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One stream with the content. */
export function encodeBzip2(content: Uint8Array, options: EncodeOptions = {}): Uint8Array {
  const { level = 9, blockSize = 5000, random = () => 0 } = options
  const bits = new BitWriter()
  for (const byte of [0x42, 0x5a, 0x68, 0x30 + level]) bits.write(byte, 8)
  let streamChecksum = 0
  for (let start = 0; start < content.length; start += blockSize) {
    const part = content.subarray(start, start + blockSize)
    const checksum = crc32(part)
    const { last, origin } = transform(takeOutRuns(part))
    writeBlock(bits, checksum, origin, toSymbols(last), usedBytes(last), random)
    streamChecksum = (checksum ^ ((streamChecksum << 1) | (streamChecksum >>> 31))) >>> 0
  }
  bits.write(0x177245, 24)
  bits.write(0x385090, 24)
  bits.write(streamChecksum, 32)
  return bits.finish()
}

/**
 * A stream with a block of chosen symbols, and its content; undefined where the block would end in a run without a length. All codes have so
 * many bits, and are the symbols themselves: from 2, which is the second byte in the list that is moved to the front, to two less than there
 * are codes.
 */
export function encodeSymbols(
  symbols: readonly number[],
  codeLength: number,
  origin = 0,
): { bytes: Uint8Array; content: Buffer } | undefined {
  const used = [...new Array(2 ** codeLength - 2).keys()]
  const content = putInRuns(untransform(symbols, used, origin))
  if (!content) return undefined
  const bits = new BitWriter()
  for (const byte of [0x42, 0x5a, 0x68, 0x39]) bits.write(byte, 8)
  const checksum = crc32(content)
  writeBlock(bits, checksum, origin, [...symbols, used.length + 1], used, () => 0)
  bits.write(0x177245, 24)
  bits.write(0x385090, 24)
  bits.write(checksum, 32)
  return { bytes: bits.finish(), content }
}

/** What symbols stand for, before the runs are put in. */
function untransform(symbols: readonly number[], used: readonly number[], origin: number): number[] {
  const order = [...used]
  const last = symbols.map((symbol) => {
    const [byte] = order.splice(symbol - 1, 1) as [number]
    order.unshift(byte)
    return byte
  })
  const rows = [...last.keys()].sort((one, two) => (last[one] as number) - (last[two] as number) || one - two)
  const bytes: number[] = []
  for (let row = origin; bytes.length < last.length; row = rows[row] as number)
    bytes.push(last[rows[row] as number] as number)
  return bytes
}

/** Four equal bytes are followed by how many more there are. */
function putInRuns(bytes: readonly number[]): Buffer | undefined {
  const content: number[] = []
  let run = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    run = run > 0 && byte === content.at(-1) ? run + 1 : 1
    content.push(byte)
    if (run < 4) continue
    if (++at === bytes.length) return undefined
    content.push(...new Array<number>(bytes[at] as number).fill(byte))
    run = 0
  }
  return Buffer.from(content)
}

function writeBlock(
  bits: BitWriter,
  checksum: number,
  origin: number,
  symbols: readonly number[],
  used: readonly number[],
  random: () => number,
): void {
  bits.write(0x314159, 24)
  bits.write(0x265359, 24)
  bits.write(checksum, 32)
  bits.write(0, 1)
  bits.write(origin, 24)
  const ranges = new Set(used.map((byte) => byte >> 4))
  for (let range = 0; range < 16; range++) bits.write(ranges.has(range) ? 1 : 0, 1)
  for (let byte = 0; byte < 256; byte++) if (ranges.has(byte >> 4)) bits.write(used.includes(byte) ? 1 : 0, 1)
  const tableCount = 2 + Math.floor(random() * 5)
  const groups = Math.ceil(symbols.length / 50)
  bits.write(tableCount, 3)
  bits.write(groups, 15)
  const selectors = Array.from({ length: groups }, () => Math.floor(random() * tableCount))
  const order = [...new Array(tableCount).keys()]
  for (const selector of selectors) {
    const place = order.indexOf(selector)
    for (let i = 0; i < place; i++) bits.write(1, 1)
    bits.write(0, 1)
    order.unshift(...order.splice(place, 1))
  }
  const tables = Array.from({ length: tableCount }, () => makeLengths(used.length + 2, random))
  for (const lengths of tables) writeLengths(bits, lengths)
  const codes = tables.map(makeCodes)
  for (const [index, symbol] of symbols.entries()) {
    const table = selectors[Math.floor(index / 50)] as number
    bits.write(codes[table]?.[symbol] as number, tables[table]?.[symbol] as number)
  }
}

/** Lengths that a code can have: those of equally long codes, or more. */
function makeLengths(count: number, random: () => number): number[] {
  const equal = Math.ceil(Math.log2(count))
  const spread = Math.floor(random() * (21 - equal))
  return Array.from({ length: count }, () => equal + Math.floor(random() * (spread + 1)))
}

function writeLengths(bits: BitWriter, lengths: readonly number[]): void {
  let current = lengths[0] as number
  bits.write(current, 5)
  for (const length of lengths) {
    for (; current < length; current++) bits.write(0b10, 2)
    for (; current > length; current--) bits.write(0b11, 2)
    bits.write(0, 1)
  }
}

function makeCodes(lengths: readonly number[]): number[] {
  const codes: number[] = []
  let code = 0
  for (let length = 1; length <= 20; length++) {
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = code++
    code *= 2
  }
  return codes
}

function takeOutRuns(bytes: Uint8Array): number[] {
  const out: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    let run = 1
    while (run < 259 && bytes[at + run] === byte) run++
    for (let i = 0; i < Math.min(run, 4); i++) out.push(byte)
    if (run >= 4) out.push(run - 4)
    at += run
  }
  return out
}

/** The last column of the sorted rotations, and the row of the first one. */
function transform(bytes: readonly number[]): { last: number[]; origin: number } {
  const twice = Buffer.from([...bytes, ...bytes])
  const { length } = bytes
  const rows = [...bytes.keys()].sort((one, two) => twice.compare(twice, two, two + length, one, one + length))
  return { last: rows.map((row) => twice[row + length - 1] as number), origin: rows.indexOf(0) }
}

function usedBytes(bytes: readonly number[]): number[] {
  return [...new Set(bytes)].sort((one, two) => one - two)
}

/** Moved to the front, with runs of what is in front already written in digits of 1 and 2. */
function toSymbols(bytes: readonly number[]): number[] {
  const order = usedBytes(bytes)
  const symbols: number[] = []
  let run = 0
  const writeRun = (): void => {
    for (; run > 0; run = (run - 1) >> 1) symbols.push((run - 1) & 1)
  }
  for (const byte of bytes) {
    const place = order.indexOf(byte)
    if (place === 0) {
      run++
      continue
    }
    writeRun()
    symbols.push(place + 1)
    order.unshift(...order.splice(place, 1))
  }
  writeRun()
  symbols.push(order.length + 1)
  return symbols
}

/** The CRC-32 that bzip2 uses, bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return ~crc >>> 0
}

/** Bits, the most significant first. */
class BitWriter {
  readonly #bytes: number[] = []
  #byte = 1

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#byte = this.#byte * 2 + ((value >>> bit) & 1)
      if (this.#byte < 256) continue
      this.#bytes.push(this.#byte & 255)
      this.#byte = 1
    }
  }

  finish(): Uint8Array {
    while (this.#byte !== 1) this.write(0, 1)
    return Uint8Array.from(this.#bytes)
  }
}
