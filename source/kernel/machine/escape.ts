// Code points in JSON strings (RFC 8259, section 7), in UTF-8.

export const QUOTE: u32 = 0x22
export const BACKSLASH: u32 = 0x5c
/** A backslash with `n`, `r` and `t`, as words of two bytes. */
const ESCAPED_FEED: u16 = 0x6e5c
const ESCAPED_RETURN: u16 = 0x725c
const ESCAPED_TAB: u16 = 0x745c

/** Writes a code point into a string at an address, and gives the address after it. */
export function putEscaped(point: u32, to: usize): usize {
  if (point == 0x0a || point == 0x0d || point == 0x09) {
    store<u16>(to, point == 0x0a ? ESCAPED_FEED : point == 0x0d ? ESCAPED_RETURN : ESCAPED_TAB)
    return to + 2
  }
  if (point == QUOTE || point == BACKSLASH) {
    store<u8>(to, <u8>BACKSLASH)
    store<u8>(to, <u8>point, 1)
    return to + 2
  }
  if (point < 0x80) {
    store<u8>(to, <u8>point)
    return to + 1
  }
  if (point < 0x800) {
    store<u8>(to, <u8>(0xc0 | (point >>> 6)))
    store<u8>(to, <u8>(0x80 | (point & 63)), 1)
    return to + 2
  }
  if (point < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (point >>> 12)))
    store<u8>(to, <u8>(0x80 | ((point >>> 6) & 63)), 1)
    store<u8>(to, <u8>(0x80 | (point & 63)), 2)
    return to + 3
  }
  store<u8>(to, <u8>(0xf0 | (point >>> 18)))
  store<u8>(to, <u8>(0x80 | ((point >>> 12) & 63)), 1)
  store<u8>(to, <u8>(0x80 | ((point >>> 6) & 63)), 2)
  store<u8>(to, <u8>(0x80 | (point & 63)), 3)
  return to + 4
}
