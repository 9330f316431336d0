// Bytes that repeat much, in little room: what is new, and copies of what stands before.
//
// A packed piece is a series of steps. Each step has a number of new bytes, these bytes, and, unless the piece ends there, the length and
// the distance of a copy. The distance may be smaller than the length. Numbers are LEB128: seven bits in each byte, the low ones first,
// and the eighth bit where more follow. The idea is that of LZ4: unpacking 30 KiB of tables takes some 500 steps, each a copy by the host.
// Huffman codes would be smaller, but decoding them bit by bit costs more than it saves, in a program that has just started.

/** Copies are worth their two numbers from this length on: a word, by which they are found. */
const SHORTEST_COPY = 4
/** Places where a copy may begin that are tried, the nearest first. */
const MOST_PLACES = 100
/** What a step costs besides its bytes: where two ways are as short, the one of fewer steps is quicker. */
const STEP_COST = 0.5

/** The bytes of `all` from `start` on, as a piece. Copies may come from before `start`. */
export function packBytes(all: Uint8Array, start: number): Uint8Array {
  const best = findCheapest(all, start)
  const packed: number[] = []
  let position = start
  while (position < all.length) {
    const { fresh } = best[position] as Choice
    addNumber(packed, fresh)
    for (let i = 0; i < fresh; i++) packed.push(all[position + i] as number)
    position += fresh
    if (position === all.length) break
    const { length, distance } = best[position] as Choice
    addNumber(packed, length)
    addNumber(packed, distance)
    position += length
  }
  return Uint8Array.from(packed)
}

/** Unpacks a piece into `all` from `start` on. What it was packed after must stand there. */
export function unpackBytes(packed: Uint8Array, all: Uint8Array, start: number): void {
  let read = 0
  let position = start
  const readNumber = () => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = packed[read++] as number
      number |= (byte & 127) << shift
      if (byte < 128) return number
    }
  }
  while (read < packed.length) {
    const fresh = readNumber()
    all.set(packed.subarray(read, read + fresh), position)
    read += fresh
    position += fresh
    if (read === packed.length) return
    const end = position + readNumber()
    const from = position - readNumber()
    // A copy that overlaps itself grows by all that is there, each time.
    while (position < end) {
      const length = Math.min(end - position, position - from)
      all.copyWithin(position, from, from + length)
      position += length
    }
  }
}

/** What is best done at a place: how many new bytes a step that begins there has, and the copy that is made after those of another. */
interface Choice {
  /** Bytes of the cheapest way to the end from here, with a step that begins here. */
  cost: number
  fresh: number
  /** The same with a copy that begins here. */
  costOfCopy: number
  length: number
  distance: number
}

/** Works backwards, so that what comes after each choice is known. */
function findCheapest(all: Uint8Array, start: number): Choice[] {
  const places = findPlaces(all)
  const best: Choice[] = []
  best[all.length] = { cost: 0, fresh: 0, costOfCopy: 0, length: 0, distance: 0 }
  for (let at = all.length - 1; at >= start; at--) {
    const choice = {
      cost: Number.POSITIVE_INFINITY,
      fresh: 0,
      costOfCopy: Number.POSITIVE_INFINITY,
      length: 0,
      distance: 0,
    }
    // Places are farther and farther away: only a longer copy is worth it.
    let longest = SHORTEST_COPY - 1
    let place = places[at] as number
    for (let tried = 0; place >= 0 && tried < MOST_PLACES; tried++) {
      const possible = countEqual(all, place, at)
      for (let length = possible; length > longest; length--) {
        const cost = sizeOf(length) + sizeOf(at - place) + STEP_COST + (best[at + length] as Choice).cost
        if (cost < choice.costOfCopy) Object.assign(choice, { costOfCopy: cost, length, distance: at - place })
      }
      longest = Math.max(longest, possible)
      place = places[place] as number
    }
    best[at] = choice
    // Either the copy is made at once, or this byte is new, and the step that would begin at the next one begins here.
    const next = best[at + 1] as Choice
    const cost = next.cost - sizeOf(next.fresh) + sizeOf(next.fresh + 1) + 1
    if (cost < 1 + choice.costOfCopy) Object.assign(choice, { cost, fresh: next.fresh + 1 })
    else choice.cost = 1 + choice.costOfCopy
  }
  return best
}

/** For each place where the same bytes stand before it for the last time; -1 where they do not. */
function findPlaces(all: Uint8Array): Int32Array {
  const { buffer, byteLength } = all.slice()
  const view = new DataView(buffer)
  const last = new Map<number, number>()
  const places = new Int32Array(byteLength).fill(-1)
  for (let at = 0; at + SHORTEST_COPY <= byteLength; at++) {
    const bytes = view.getUint32(at)
    places[at] = last.get(bytes) ?? -1
    last.set(bytes, at)
  }
  return places
}

/** How many bytes from `place` on are those from `at` on. */
function countEqual(all: Uint8Array, place: number, at: number): number {
  let count = 0
  while (at + count < all.length && all[place + count] === all[at + count]) count++
  return count
}

function sizeOf(number: number): number {
  return number < 128 ? 1 : 1 + sizeOf(number >>> 7)
}

function addNumber(bytes: number[], number: number): void {
  if (number < 128) bytes.push(number)
  else {
    bytes.push((number & 127) | 128)
    addNumber(bytes, number >>> 7)
  }
}
