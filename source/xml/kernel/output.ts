// What text is written as in the kernel of XML: UTF-8, as it is or in one of the notations of lines. In each, what is written is at most twice as long as
// the text.

/** Notations: none, the inside of a JSON string (RFC 8259, section 7), a cell of a row with commas (RFC 4180) or with tabs, without quotes around it. */
export const RAW: u32 = 0
export const JSON: u32 = 1
export const COMMA_CELL: u32 = 2
export const TAB_CELL: u32 = 3

export const QUOTE: u32 = 0x22
export const COMMA: u32 = 0x2c
export const BACKSLASH: u32 = 0x5c
export const TAB: u32 = 0x09
export const LINE_FEED: u32 = 0x0a
export const CARRIAGE_RETURN: u32 = 0x0d

let notation: u32 = RAW
/** Where is written. */
let to: usize = 0
/** Whether the cell needs quotes around it. */
export let isQuoted = false

/** Begins to write at an address. */
export function begin(target: usize, as: u32): void {
  to = target
  notation = as
  isQuoted = false
}

/** The address after what was written. */
export function written(): usize {
  return to
}

/** What is written for a character after a backslash, or in a cell with commas after a quote; 0 if it is written as it is. */
function escapeOf(point: u32): u32 {
  if (notation == RAW) return 0
  const isQuote = point == QUOTE
  if (notation == COMMA_CELL) {
    isQuoted = isQuoted || isQuote || point == COMMA || point == LINE_FEED || point == CARRIAGE_RETURN
    return isQuote ? point : 0
  }
  if (point == LINE_FEED) return 0x6e
  if (point == CARRIAGE_RETURN) return 0x72
  if (point == TAB) return 0x74
  return point == BACKSLASH || (isQuote && notation == JSON) ? point : 0
}

/** Writes a code point. */
export function put(point: u32): void {
  const escape = point < 0x80 ? escapeOf(point) : 0
  if (escape != 0) {
    store<u8>(to, <u8>(notation == COMMA_CELL ? QUOTE : BACKSLASH))
    store<u8>(to, <u8>escape, 1)
    to += 2
  } else if (point < 0x80) {
    store<u8>(to++, <u8>point)
  } else {
    const length: usize = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    let rest = point
    for (let i = length - 1; i > 0; i--, rest >>>= 6) store<u8>(to + i, <u8>(0x80 | (rest & 63)))
    store<u8>(to, <u8>((0xf00 >>> length) | rest))
    to += length
  }
}

/** A set of bytes (content.ts) with those that the notation has to write in another way; a backslash, or a comma, has no room in it. */
// @ts-ignore: decorator
@inline function withOwnStops(stops: v128): v128 {
  if (notation == RAW) return stops
  let own = stops
  if (notation != TAB_CELL) own = i8x16.replace_lane(own, 2, <i8>QUOTE)
  if (notation != COMMA_CELL) own = i8x16.replace_lane(own, 9, <i8>TAB)
  // In quotes, all but quotes is written as it is.
  if (isQuoted) return own
  return i8x16.replace_lane(i8x16.replace_lane(own, 10, <i8>LINE_FEED), 13, <i8>CARRIAGE_RETURN)
}

/**
 * Writes well-formed text up to the first byte of a set (content.ts), or one that the notation writes in another way, and gives the address of that; `end`
 * where there is none. Reads and writes up to 16 bytes more.
 */
export function appendUpTo(from: usize, end: usize, stops: v128): usize {
  const own = withOwnStops(stops)
  const other = i8x16.splat(notation == RAW || isQuoted ? 0 : notation == COMMA_CELL ? <i8>COMMA : <i8>BACKSLASH)
  let at = from
  let target = to
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(target, bytes)
    const found = v128.or(
      i8x16.eq(i8x16.swizzle(own, v128.and(bytes, i8x16.splat(15))), bytes),
      i8x16.eq(bytes, other),
    )
    const mask = i8x16.bitmask(found)
    // A branch of its own: the next address is then known before the bytes are.
    if (mask == 0) {
      at += 16
      target += 16
      continue
    }
    const count = <usize>ctz(mask)
    at += count
    target += count
    break
  }
  const excess = at > end ? at - end : 0
  to = target - excess
  return at - excess
}
