// Huffman codes of literals (RFC 8878, section 4.2).

import { ZstdError } from './frame-decoder.ts'
import { readTable } from './fse-table.ts'
import { ReverseBits, wordAt } from './reverse-bits.ts'

const MOST_BITS = 11
const MOST_SYMBOLS = 256
/** Of tables in which weights are encoded. */
const WEIGHT_LIMITS = { mostLog: 6, lastSymbol: 255 }

/** Codes of up to `bits` bits: by the next so many bits the symbol, above four bits for the length of its code. */
export interface HuffmanTable {
  readonly bits: number
  readonly codes: Uint16Array
}

/**
 * Reads the description of codes at `at` of the bytes, which ends before `end`; `view` is of the same memory. Gives the codes, and where
 * what follows begins. Throws a {@link ZstdError}.
 */
export function readHuffmanTable(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  end: number,
): { table: HuffmanTable; next: number } {
  const header = at < end ? (bytes[at] as number) : 0
  const start = at + 1
  const count = header - 127
  const next = start + (header < 128 ? header : (count + 1) >> 1)
  if (next > end) throw new ZstdError('the code lengths of literals are truncated')
  const weights = header < 128 ? decodeWeights(bytes, view, start, next) : unpackWeights(bytes, start, count)
  return { table: makeCodes(weights), next }
}

function unpackWeights(bytes: Uint8Array, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => ((bytes[start + (i >> 1)] as number) >> (i % 2 === 0 ? 4 : 0)) & 15)
}

/** Weights that are encoded with two states, which take turns until no bits are left. */
function decodeWeights(bytes: Uint8Array, view: DataView, start: number, end: number): number[] {
  const { table, next } = readTable(bytes, start, end, WEIGHT_LIMITS)
  const bits = new ReverseBits(view, next, end)
  const current = [bits.read(table.log), bits.read(table.log)] as [number, number]
  if (bits.left < 0) throw new ZstdError('the code lengths of literals are truncated')
  const weights: number[] = []
  for (let turn = 0; ; turn ^= 1) {
    const state = table.states[current[turn] as number] as number
    weights.push(state & 255)
    const count = (state >> 8) & 255
    if (bits.left < count) {
      weights.push((table.states[current[turn ^ 1] as number] as number) & 255)
      return weights
    }
    current[turn] = (state >>> 16) + bits.read(count)
    if (weights.length >= MOST_SYMBOLS) throw new ZstdError('there are codes for more than 256 literals')
  }
}

/** The weight of the last symbol is not written: it is what is missing. Symbols of lesser weight, which have longer codes, come first. */
function makeCodes(weights: number[]): HuffmanTable {
  const sum = weights.reduce((before, weight) => before + ((1 << weight) >> 1), 0)
  const bits = 32 - Math.clz32(sum)
  const missing = (1 << bits) - sum
  if (sum === 0 || bits > MOST_BITS || (missing & (missing - 1)) !== 0 || weights.length >= MOST_SYMBOLS)
    throw new ZstdError('the code lengths of literals are invalid')
  weights.push(32 - Math.clz32(missing))
  const codes = new Uint16Array(1 << bits)
  let place = 0
  for (let weight = 1; weight <= bits; weight++) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue
      const count = 1 << (weight - 1)
      codes.fill((symbol << 4) | (bits + 1 - weight), place, place + count)
      place += count
    }
    // The longest codes come in pairs; there must be at least one pair.
    if (weight === 1 && place < 2) throw new ZstdError('the code lengths of literals are invalid')
  }
  return { bits, codes }
}

/** Decodes literals from bits that stand in the view from `start` to `end`. Throws a {@link ZstdError} unless these are just all bits. */
export function decodeLiterals(
  { bits, codes }: HuffmanTable,
  view: DataView,
  start: number,
  end: number,
  literals: Uint8Array,
): void {
  const mask = (1 << bits) - 1
  const { length } = literals
  let { left } = new ReverseBits(view, start, end)
  let i = 0
  // A word has at least 25 of the bits that are next: two codes.
  for (; i + 2 <= length && left >= 25; i += 2) {
    const word = wordAt(view, start, left - 25)
    const one = codes[(word >>> (25 - bits)) & mask] as number
    const used = one & 15
    const two = codes[(word >>> (25 - bits - used)) & mask] as number
    literals[i] = one >> 4
    literals[i + 1] = two >> 4
    left -= used + (two & 15)
  }
  for (; i < length && left > 0; i++) {
    // Zeros follow the last bits.
    const place = Math.max(0, left - bits)
    const code = codes[(wordAt(view, start, place) << (bits - (left - place))) & mask] as number
    literals[i] = code >> 4
    left -= code & 15
  }
  if (i < length || left !== 0) throw new ZstdError('the literals do not end at the end of their stream')
}
