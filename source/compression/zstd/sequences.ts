// The sequences of a block (RFC 8878, section 3.1.1.3.2): how many literals come next, and what is repeated after them.

import { ZstdError } from './frame-decoder.ts'
import { type FseTable, makeSingleTable, makeTable, readTable } from './fse-table.ts'
import { ReverseBits, wordAt } from './reverse-bits.ts'

/** How a table is given; in another way it is described, in 2. */
const PREDEFINED = 0
const SINGLE = 1
const REPEATED = 3
/** As many as can be written down. */
const MOST_SEQUENCES = 0xffff + 0x7f00
/** Offsets of more bits go beyond the largest window, of 128 MiB. */
const MOST_OFFSET_BITS = 27

/** What is coded in one of three ways (section 3.1.1.3.2.2). */
interface CodeKind {
  readonly mostLog: number
  readonly lastSymbol: number
  readonly predefined: FseTable
}

const LITERAL_LENGTHS: CodeKind = {
  mostLog: 9,
  lastSymbol: 35,
  predefined: makeTable(
    [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
    6,
  ),
}
const MATCH_LENGTHS: CodeKind = {
  mostLog: 9,
  lastSymbol: 52,
  predefined: makeTable(
    [
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    6,
  ),
}
const OFFSETS: CodeKind = {
  mostLog: 8,
  lastSymbol: 31,
  predefined: makeTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
}

/** How many bits follow a code, and the least value of the code: values follow one another. */
const LITERAL_BITS = Uint8Array.of(
  ...[
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
  ],
)
const MATCH_BITS = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
)
const LITERAL_BASES = sumUp(LITERAL_BITS, 0)
const MATCH_BASES = sumUp(MATCH_BITS, 3)

function sumUp(bits: Uint8Array, first: number): Int32Array {
  let next = first
  return Int32Array.from(bits, (count) => {
    const base = next
    next += 1 << count
    return base
  })
}

/** Reads the sequences of the blocks of one frame after the other. */
export class Sequences {
  count = 0
  /** Of each so many literals, and the length and the value of the offset of what is repeated then. */
  readonly literalLengths = new Int32Array(MOST_SEQUENCES)
  readonly matchLengths = new Int32Array(MOST_SEQUENCES)
  readonly offsetValues = new Int32Array(MOST_SEQUENCES)
  /** Tables of the last block, which the next one may use again. */
  readonly #tables = new Map<CodeKind, FseTable>()

  /** Forgets the tables: a frame begins. */
  begin(): void {
    this.#tables.clear()
  }

  /** Reads the bytes from `at` to `end`; `view` is a view of the same bytes. Throws a {@link ZstdError}. */
  read(bytes: Uint8Array, view: DataView, at: number, end: number): void {
    const first = at < end ? (bytes[at] as number) : 0
    const length = first < 128 ? 1 : first < 255 ? 2 : 3
    if (at + length > end) throw new ZstdError('it ends before its sequences')
    const [second = 0, third = 0] = bytes.subarray(at + 1, at + 3)
    this.count = length === 1 ? first : length === 2 ? ((first - 128) << 8) + second : second + (third << 8) + 0x7f00
    if (this.count > 0) this.#readCodes(bytes, view, at + length, end)
    else if (at + length < end) throw new ZstdError('it has no sequences, but data after its literals')
  }

  #readCodes(bytes: Uint8Array, view: DataView, at: number, end: number): void {
    const modes = at < end ? (bytes[at] as number) : 0
    if ((modes & 3) !== 0) throw new ZstdError('the mode of its tables is invalid')
    const literals = this.#readTable(LITERAL_LENGTHS, modes >> 6, bytes, at + 1, end)
    const offsets = this.#readTable(OFFSETS, (modes >> 4) & 3, bytes, literals.next, end)
    const matches = this.#readTable(MATCH_LENGTHS, (modes >> 2) & 3, bytes, offsets.next, end)
    this.#decode(literals.table, offsets.table, matches.table, view, matches.next, end)
  }

  #readTable(
    kind: CodeKind,
    mode: number,
    bytes: Uint8Array,
    at: number,
    end: number,
  ): { table: FseTable; next: number } {
    const read = readTableAs(kind, mode, this.#tables.get(kind), bytes, at, end)
    this.#tables.set(kind, read.table)
    return read
  }

  // Long, because it is where a third of the time goes: bits are read here and not by a ReverseBits, which took 1.2 times as long.
  #decode(literals: FseTable, offsets: FseTable, matches: FseTable, view: DataView, start: number, end: number): void {
    const { count, literalLengths, matchLengths, offsetValues } = this
    const { states: literalStates } = literals
    const { states: offsetStates } = offsets
    const { states: matchStates } = matches
    const bits = new ReverseBits(view, start, end)
    let literalState = bits.read(literals.log)
    let offsetState = bits.read(offsets.log)
    let matchState = bits.read(matches.log)
    let { left } = bits
    for (let i = 0; i < count; i++) {
      const literal = literalStates[literalState] as number
      const offset = offsetStates[offsetState] as number
      const match = matchStates[matchState] as number
      const offsetBits = offset & 255
      if (offsetBits > MOST_OFFSET_BITS) throw new ZstdError('it refers to data more than 128 MiB before it')
      // A word has 25 bits.
      const lowBits = offsetBits > 16 ? 16 : offsetBits
      const highBits = offsetBits - lowBits
      let value = 1 << offsetBits
      if (highBits > 0) {
        left -= highBits
        value += (wordAt(view, start, left) & ((1 << highBits) - 1)) << 16
      }
      left -= lowBits
      offsetValues[i] = value + (wordAt(view, start, left) & ((1 << lowBits) - 1))
      const matchBits = MATCH_BITS[match & 255] as number
      left -= matchBits
      matchLengths[i] = (MATCH_BASES[match & 255] as number) + (wordAt(view, start, left) & ((1 << matchBits) - 1))
      const literalBits = LITERAL_BITS[literal & 255] as number
      left -= literalBits
      literalLengths[i] =
        (LITERAL_BASES[literal & 255] as number) + (wordAt(view, start, left) & ((1 << literalBits) - 1))
      if (left < 0) break
      if (i + 1 === count) break
      // Of the next states the first two have 18 bits at the most.
      const nextLiteral = (literal >> 8) & 255
      const nextMatch = (match >> 8) & 255
      const nextOffset = (offset >> 8) & 255
      left -= nextLiteral + nextMatch
      const word = wordAt(view, start, left)
      literalState = (literal >>> 16) + ((word >>> nextMatch) & ((1 << nextLiteral) - 1))
      matchState = (match >>> 16) + (word & ((1 << nextMatch) - 1))
      left -= nextOffset
      offsetState = (offset >>> 16) + (wordAt(view, start, left) & ((1 << nextOffset) - 1))
    }
    if (left !== 0) throw new ZstdError('its sequences do not end at the end of the block')
  }
}

function readTableAs(
  kind: CodeKind,
  mode: number,
  before: FseTable | undefined,
  bytes: Uint8Array,
  at: number,
  end: number,
): { table: FseTable; next: number } {
  switch (mode) {
    case PREDEFINED:
      return { table: kind.predefined, next: at }
    case SINGLE: {
      const symbol = at < end ? (bytes[at] as number) : 0
      if (at >= end || symbol > kind.lastSymbol) throw new ZstdError('a table has an invalid code')
      return { table: makeSingleTable(symbol), next: at + 1 }
    }
    case REPEATED:
      if (!before) throw new ZstdError('it repeats a table, but no earlier block has one')
      return { table: before, next: at }
    default:
      return readTable(bytes, at, end, kind)
  }
}
