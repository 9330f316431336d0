// What text is written as in kernels of machines, which have this file as their output.ts: code units. As long as there is only ASCII, a unit is a byte; with
// the first character that is not, all become UTF-16.

let target: usize = 0
export let units: usize = 0
let isWide = false

/** Begins to write at an address. */
export function begin(to: usize): void {
  target = to
  units = 0
  isWide = false
}

/** Takes back what was written after so many units. */
export function cut(count: usize): void {
  units = count
}

/** Bytes of a unit. */
export function unitSize(): u32 {
  return isWide ? 2 : 1
}

/** Makes units of two bytes of those that are there: from the end, so that none is overwritten before it is moved. */
function widen(): void {
  isWide = true
  let i = units
  while (i >= 16) {
    i -= 16
    const bytes = v128.load(target + i)
    v128.store(target + (i << 1), i16x8.extend_high_i8x16_u(bytes), 16)
    v128.store(target + (i << 1), i16x8.extend_low_i8x16_u(bytes))
  }
  while (i > 0) {
    i--
    store<u16>(target + (i << 1), <u16>load<u8>(target + i))
  }
}

/** Writes a code point. */
export function put(point: u32): void {
  if (!isWide) {
    if (point < 0x80) {
      store<u8>(target + units, <u8>point)
      units++
      return
    }
    widen()
  }
  const to = target + (units << 1)
  if (point < 0x10000) {
    store<u16>(to, <u16>point)
    units++
  } else {
    store<u16>(to, <u16>(0xd7c0 + (point >>> 10)))
    store<u16>(to, <u16>(0xdc00 | (point & 0x3ff)), 2)
    units += 2
  }
}

/** Address of a table by which units move together when others are left out: for each set of eight the indices of the bytes that stay. */
const STAYING: usize = PROGRAM - 256 * 16

function makeTable(): void {
  for (let set: usize = 0; set < 256; set++) {
    let to = STAYING + (set << 4)
    for (let unit: usize = 0; unit < 8; unit++) {
      if (((set >> unit) & 1) == 0) continue
      store<u8>(to, <u8>(unit << 1))
      store<u8>(to, <u8>((unit << 1) | 1), 1)
      to += 2
    }
  }
}

makeTable()

/** What the units of continuing bytes have too much: the marks of the first byte, shifted, and their own. */
const MARKS: i16 = (0xc0 << 6) + 0x80

/** Units of bytes, where those of continuing bytes become those of their sequences of two; `before` are the units of the bytes before. */
// @ts-ignore: decorator
@inline function join(units: v128, before: v128, continuing: v128): v128 {
  return i16x8.add(units, v128.and(i16x8.sub(i16x8.shl(before, 6), i16x8.splat(MARKS)), continuing))
}

/** Where the 16 bytes are in a set. */
// @ts-ignore: decorator
@inline function findStops(bytes: v128, stops: v128): i32 {
  return i8x16.bitmask(i8x16.eq(i8x16.swizzle(stops, v128.and(bytes, i8x16.splat(15))), bytes))
}

/**
 * Writes well-formed text up to the first byte of a set (content.ts), and gives the address of that; `end` where there is none. Reads and writes up to 16
 * bytes and units more.
 */
export function appendUpTo(from: usize, end: usize, stops: v128): usize {
  let at = from
  while (!isWide && at < end) {
    const bytes = v128.load(at)
    const others = i8x16.bitmask(bytes)
    const found = findStops(bytes, stops)
    const count = <usize>ctz(others | found | 0x10000)
    v128.store(target + units, bytes)
    if (at + count >= end) {
      units += end - at
      return end
    }
    units += count
    at += count
    if (count == 16) continue
    if (((found >>> <i32>count) & 1) != 0) return at
    widen()
  }
  let previous = i8x16.splat(0)
  while (at < end) {
    const bytes = v128.load(at)
    const others = i8x16.bitmask(bytes)
    const found = findStops(bytes, stops)
    const to = target + (units << 1)
    if ((others | found) == 0) {
      v128.store(to, i16x8.extend_low_i8x16_u(bytes))
      v128.store(to, i16x8.extend_high_i8x16_u(bytes), 16)
      const count = min(end - at, 16)
      units += count
      at += count
      continue
    }
    // Sequences of one byte and of two; their units stand where they end, so that one may be cut between two vectors. The next address
    // depends on nothing that is in this one, unless something ends it.
    const ending = i8x16.bitmask(i8x16.gt_u(bytes, i8x16.splat(-33))) | found
    const count = min(ctz(ending | 0x10000), <i32>(end - at))
    const continuing = i8x16.lt_s(bytes, i8x16.splat(-64))
    const before = i8x16.shuffle(previous, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
    const firsts = others & ~i8x16.bitmask(continuing)
    const staying = ~firsts & ((1 << count) - 1)
    const low = join(
      i16x8.extend_low_i8x16_u(bytes),
      i16x8.extend_low_i8x16_u(before),
      i16x8.extend_low_i8x16_s(continuing),
    )
    const high = join(
      i16x8.extend_high_i8x16_u(bytes),
      i16x8.extend_high_i8x16_u(before),
      i16x8.extend_high_i8x16_s(continuing),
    )
    v128.store(to, i8x16.swizzle(low, v128.load(STAYING + (<usize>(staying & 255) << 4))))
    const lowCount = <usize>popcnt(staying & 255)
    v128.store(to + (lowCount << 1), i8x16.swizzle(high, v128.load(STAYING + (<usize>(staying >> 8) << 4))))
    units += lowCount + <usize>popcnt(staying >> 8)
    if (ending == 0) {
      previous = bytes
      at += 16
      continue
    }
    previous = i8x16.splat(0)
    at += count
    if (at >= end || ((found >>> count) & 1) != 0) break
    while (at < end) {
      const first = <u32>load<u8>(at)
      if (first < 0xe0) break
      if (first < 0xf0) {
        const rest = ((<u32>load<u8>(at, 1) & 63) << 6) | (<u32>load<u8>(at, 2) & 63)
        store<u16>(target + (units << 1), <u16>(((first & 15) << 12) | rest))
        units++
        at += 3
      } else {
        const middle = ((<u32>load<u8>(at, 1) & 63) << 12) | ((<u32>load<u8>(at, 2) & 63) << 6)
        put(((first & 7) << 18) | middle | (<u32>load<u8>(at, 3) & 63))
        at += 4
      }
    }
  }
  return min(at, end)
}
