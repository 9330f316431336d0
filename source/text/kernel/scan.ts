// The scanning kernel: finding a byte sequence and counting line feeds, sixteen bytes at a time.
//
// Memory layout (one page of 64 KiB for the needle and the module's own data, then the window):
//   0     .. 1023   left to the compiler
//   1024  .. 2047   NEEDLE: the bytes to look for, 1 to 1024 of them
//   65536 ..        WINDOW: the bytes to look in; the host copies them here, at most WINDOW_SIZE at a time
// The kernel keeps nothing between two calls. What must change together: these offsets, and scanner.ts, which reads them
// from the exports below.

export const NEEDLE: usize = 1024
export const NEEDLE_SIZE: i32 = 1024
export const WINDOW: usize = 65536
export const WINDOW_SIZE: i32 = 262144

/**
 * The index of the first occurrence of the needle in the window's first `length` bytes, or -1.
 *
 * Compares the needle's first and last byte at sixteen places at once, and the bytes between only where both match
 * (the "generic SIMD" search of Wojciech Muła, http://0x80.pl/articles/simd-strfind.html).
 */
export function find(length: i32, needleLength: i32): i32 {
  const last = needleLength - 1
  const places = length - last // candidate places: 0 .. places - 1
  if (places <= 0) return -1
  const firstByte = load<u8>(NEEDLE)
  const lastByte = load<u8>(NEEDLE + <usize>last)
  const firsts = i8x16.splat(<i8>firstByte)
  const lasts = i8x16.splat(<i8>lastByte)
  let place = 0
  for (; place + 16 <= places; place += 16) {
    const at = WINDOW + <usize>place
    const hits = v128.and(
      i8x16.eq(v128.load(at), firsts),
      i8x16.eq(v128.load(at + <usize>last), lasts),
    )
    let mask = i8x16.bitmask(hits)
    while (mask != 0) {
      const candidate = place + ctz(mask)
      if (memory.compare(WINDOW + <usize>candidate, NEEDLE, <usize>needleLength) == 0) return candidate
      mask &= mask - 1
    }
  }
  for (; place < places; place++) {
    if (load<u8>(WINDOW + <usize>place) != firstByte) continue
    if (memory.compare(WINDOW + <usize>place, NEEDLE, <usize>needleLength) == 0) return place
  }
  return -1
}

/** How many line feeds (byte 10) the window's first `length` bytes hold. */
export function countLineFeeds(length: i32): i32 {
  const feeds = i8x16.splat(10)
  let count = 0
  let place = 0
  for (; place + 16 <= length; place += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(WINDOW + <usize>place), feeds)))
  }
  for (; place < length; place++) {
    if (load<u8>(WINDOW + <usize>place) == 10) count++
  }
  return count
}
