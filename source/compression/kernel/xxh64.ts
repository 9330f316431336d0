// The hashing kernel: XXH64 with the seed 0 ("xxHash fast digest algorithm", version 0.2.1). Its lanes are numbers of 64 bits;
// numbers of JavaScript hold no more than 53.
//
// Memory layout:
//   1024  .. 1055   LANES: the four accumulators
//   1056  .. 1087   REST: bytes after the last complete stripe, `held` of them
//   1088  .. 1095   HASH: what finish has made
//   65536 ..        WINDOW: the bytes to add; the host copies them here, at most WINDOW_SIZE at a time
// What must change together: WINDOW and HASH, and xxh64.ts, which reads them from the exports. One hash is made at a time. The twin
// for runtimes without WebAssembly is compiled from this too; what need not lie at a multiple of its size has an alignment of 1 (bzip2/kernel.ts).

const LANES: usize = 1024
const REST: usize = 1056
export const HASH: usize = 1088
export const WINDOW: usize = 65536
export const WINDOW_SIZE: i32 = 131072

const STRIPE = 32

const P1: u64 = 0x9e3779b185ebca87
const P2: u64 = 0xc2b2ae3d27d4eb4f
const P3: u64 = 0x165667b19e3779f9
const P4: u64 = 0x85ebca77c2b2ae63
const P5: u64 = 0x27d4eb2f165667c5

let total: u64 = 0
let held: i32 = 0

/** Begins a hash. */
export function begin(): void {
  store<u64>(LANES, P1 + P2)
  store<u64>(LANES, P2, 8)
  store<u64>(LANES, 0, 16)
  store<u64>(LANES, 0 - P1, 24)
  total = 0
  held = 0
}

/** Adds the first `length` bytes of the window. */
export function add(length: i32): void {
  let at = WINDOW
  const end = WINDOW + <usize>length
  total += length
  if (held > 0) {
    const taken = min(STRIPE - held, length)
    memory.copy(REST + <usize>held, at, taken)
    at += taken
    held += taken
    if (held < STRIPE) return
    addStripes(REST, REST + STRIPE)
  }
  const last = at + ((end - at) & ~(STRIPE - 1))
  addStripes(at, last)
  held = <i32>(end - last)
  memory.copy(REST, last, held)
}

function addStripes(from: usize, to: usize): void {
  let one = load<u64>(LANES)
  let two = load<u64>(LANES, 8)
  let three = load<u64>(LANES, 16)
  let four = load<u64>(LANES, 24)
  for (let at = from; at < to; at += STRIPE) {
    one = round(one, load<u64>(at, 0, 1))
    two = round(two, load<u64>(at, 8, 1))
    three = round(three, load<u64>(at, 16, 1))
    four = round(four, load<u64>(at, 24, 1))
  }
  store<u64>(LANES, one)
  store<u64>(LANES, two, 8)
  store<u64>(LANES, three, 16)
  store<u64>(LANES, four, 24)
}

/** Writes the hash of all bytes that were added. */
export function finish(): void {
  const one = load<u64>(LANES)
  const two = load<u64>(LANES, 8)
  const three = load<u64>(LANES, 16)
  const four = load<u64>(LANES, 24)
  let hash = P5
  if (total >= <u64>STRIPE) {
    hash = rotl(one, 1) + rotl(two, 7) + rotl(three, 12) + rotl(four, 18)
    hash = merge(merge(merge(merge(hash, one), two), three), four)
  }
  hash += total
  let at = REST
  const end = REST + <usize>held
  for (; at + 8 <= end; at += 8) hash = rotl(hash ^ round(0, load<u64>(at)), 27) * P1 + P4
  if (at + 4 <= end) {
    hash = rotl(hash ^ (<u64>load<u32>(at) * P1), 23) * P2 + P3
    at += 4
  }
  for (; at < end; at++) hash = rotl(hash ^ (<u64>load<u8>(at) * P5), 11) * P1
  hash = (hash ^ (hash >> 33)) * P2
  hash = (hash ^ (hash >> 29)) * P3
  store<u64>(HASH, hash ^ (hash >> 32))
}

@inline
function round(lane: u64, input: u64): u64 {
  const sum = lane + input * P2
  // Without WebAssembly rotl is a function that is called: this takes two thirds of the time.
  return ((sum << 31) | (sum >> 33)) * P1
}

@inline
function merge(hash: u64, lane: u64): u64 {
  return (hash ^ round(0, lane)) * P1 + P4
}
