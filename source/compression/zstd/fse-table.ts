// Tables of finite state entropy codes (RFC 8878, section 4.1): a state stands for a symbol, and says how many bits lead to the next state.

import { ZstdError } from './frame-decoder.ts'

/** A table that is ready to decode with. */
export interface FseTable {
  /** The first state is given by so many bits. */
  readonly log: number
  /** For each state its symbol in the low eight bits, above them how many bits are read, above these what is added to them: the next state. */
  readonly states: Uint32Array
}

/** What an encoded table may be. */
interface FseLimits {
  readonly mostLog: number
  readonly lastSymbol: number
}

/** One symbol, whatever the state: no bits are read. */
export function makeSingleTable(symbol: number): FseTable {
  return { log: 0, states: Uint32Array.of(symbol) }
}

/**
 * Spreads symbols over the states: each has as many as its probability says, in sixty-fourths and the like; one of -1 has a single state at
 * the end, which any state may follow.
 */
export function makeTable(probabilities: readonly number[], log: number): FseTable {
  const size = 1 << log
  const symbols = new Uint8Array(size)
  let last = size
  for (const [symbol, probability] of probabilities.entries()) if (probability === -1) symbols[--last] = symbol
  const step = (size >> 1) + (size >> 3) + 3
  let place = 0
  for (const [symbol, probability] of probabilities.entries()) {
    for (let i = 0; i < probability; i++) {
      symbols[place] = symbol
      do place = (place + step) & (size - 1)
      while (place >= last)
    }
  }
  const next = probabilities.map((probability) => Math.abs(probability))
  const states = new Uint32Array(size)
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number
    const number = next[symbol] as number
    next[symbol] = number + 1
    const bits = log - (31 - Math.clz32(number))
    states[state] = (((number << bits) - size) << 16) | (bits << 8) | symbol
  }
  return { log, states }
}

/**
 * Reads the description of a table (section 4.1.1) at `at`, which ends before `end`. Gives the table, and where what follows it begins.
 * Throws a {@link ZstdError}.
 */
export function readTable(
  bytes: Uint8Array,
  at: number,
  end: number,
  { mostLog, lastSymbol }: FseLimits,
): { table: FseTable; next: number } {
  let position = at * 8
  const peek = (count: number): number => {
    const byte = position >> 3
    const word = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16)
    return (word >> (position & 7)) & ((1 << count) - 1)
  }
  const log = peek(4) + 5
  position += 4
  if (log > mostLog) throw new ZstdError('a table of codes has more states than allowed')
  const probabilities: number[] = []
  for (let left = 1 << log; left > 0; ) {
    if (position > end * 8) throw new ZstdError('a table of codes is truncated')
    // One of left + 2 values. Those that are less than what is left over up to a power of two have a bit less.
    const width = 32 - Math.clz32(left + 1)
    const spare = (1 << width) - (left + 2)
    const short = peek(width - 1)
    let value = short
    if (short < spare) position += width - 1
    else {
      value = peek(width)
      if (value >= 1 << (width - 1)) value -= spare
      position += width
    }
    probabilities.push(value - 1)
    left -= Math.abs(value - 1)
    // After a symbol that does not occur comes how many more do not: three of them may be followed by more.
    for (let zeros = value === 1 ? 3 : 0; zeros === 3 && probabilities.length <= lastSymbol; ) {
      zeros = peek(2)
      position += 2
      for (let i = 0; i < zeros; i++) probabilities.push(0)
    }
    if (probabilities.length > lastSymbol + 1) throw new ZstdError('a table of codes has an invalid symbol')
  }
  const next = Math.ceil(position / 8)
  if (next > end) throw new ZstdError('a table of codes is truncated')
  return { table: makeTable(probabilities, log), next }
}
