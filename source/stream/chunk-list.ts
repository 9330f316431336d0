// The chunks that can still be reached, in order, by absolute byte offset, and the places of the cursors in them.
//
//        head                                        tail
//     ┌────────┐      ┌────────┐      ┌────────┐      ┌───┐
//     │ chunk  │ ───▶ │ chunk  │ ───▶ │ chunk  │ ───▶ │   │  empty: what arrives next goes here
//     └────────┘      └────────┘      └────────┘      └───┘
//        ▲ ▲                             ▲              ▲
//        places of two cursors           a third        a fourth, which has read all there is
//
// A place knows its chunk, so nothing is ever searched for: reading on follows `next`, a clone stands where its origin stands,
// and a cursor at the end stands in the tail, which the next arrival turns into a chunk. Walking over a chunk happens once a
// cursor, whatever the number of chunks.
//
// Chunks before the first one that holds a place are dropped as soon as the last place leaves them. A list that has not had a
// place yet keeps everything. Places do not know their cursors: a cursor that is forgotten can be collected.

/** A run of bytes as it arrived. */
export interface Chunk {
  /** Offset of its first byte in the stream. */
  readonly start: number
  /** Empty in the tail. */
  bytes: Uint8Array
  next: Chunk | undefined
  /** One of the places in this chunk; the others hang on it. */
  places: Place | undefined
  /** Bytes joined over the end of this chunk, when somebody read over it: the newest, for whoever has none that will do. */
  bridge: Bridge | undefined
}

/** Where a cursor stands. */
export interface Place {
  chunk: Chunk
  /** The chunk's bytes; stale (empty) when the chunk was the tail when the place came to it. */
  bytes: Uint8Array
  /** Memory of those bytes, and the index in it where they begin: a view made from these costs half a `subarray`. */
  buffer: ArrayBufferLike
  base: number
  /** Index of the next byte in the chunk. */
  position: number
  /**
   * Bytes joined over the end of the chunk for this place. The chunk's own may be replaced by those of a place farther on, and
   * two places that take turns would join theirs anew each time.
   */
  bridge: Bridge | undefined
  previous: Place | undefined
  next: Place | undefined
}

/**
 * A contiguous copy of bytes that lie in several chunks. Every chunk whose end it spans refers to it, so that the same place is
 * joined once, whoever reads it. It grows in place as far as its capacity goes: views of it stay valid.
 */
interface Bridge {
  readonly start: number
  readonly bytes: Uint8Array
  length: number
  /** Where the copying continues. */
  chunk: Chunk
  position: number
}

const NOTHING = new Uint8Array(0)
const SMALLEST_BRIDGE = 4096

export class ChunkList {
  #head: Chunk = makeChunk(0)
  #tail: Chunk = this.#head
  #count = 0
  #placeCount = 0
  /** The slowest place in the head chunk, and the offset at which it stood, when it was last asked for. */
  #slowest: Place | undefined
  #slowestOffset = 0
  /** Called for the bytes of each chunk that is dropped, if anybody wants them. */
  onDrop: ((bytes: Uint8Array) => void) | undefined

  /** Offset after the last byte that has arrived. */
  get end(): number {
    return this.#tail.start
  }

  /** Offset of the first byte that some place can still reach. */
  get start(): number {
    const head = this.#head
    // Places only move forward: while the slowest one is where it was, no place is before it, and the others need not be examined.
    // (Its index alone is not enough: it may have reached the same one in the next chunk, and others may be before it there.)
    const isUnmoved = this.#slowest?.chunk === head && head.start + this.#slowest.position === this.#slowestOffset
    if (!isUnmoved) {
      this.#slowest = undefined
      for (let place = head.places; place; place = place.next) {
        if (!this.#slowest || place.position < this.#slowest.position) this.#slowest = place
      }
      this.#slowestOffset = head.start + (this.#slowest?.position ?? 0)
    }
    return this.#slowestOffset
  }

  /** How many chunks can be reached, without the tail. */
  get count(): number {
    return this.#count
  }

  get placeCount(): number {
    return this.#placeCount
  }

  /** Takes over bytes (at least one) after all others. */
  append(bytes: Uint8Array): void {
    const filled = this.#tail
    filled.bytes = bytes
    this.#count++
    this.#tail = filled.next = makeChunk(filled.start + bytes.length)
  }

  /** A new place at the first retained byte. */
  enter(): Place {
    return this.#addPlace(this.#head, this.start - this.#head.start)
  }

  /** A new place where another one is. */
  duplicate({ chunk, position, bridge }: Place): Place {
    const place = this.#addPlace(chunk, position)
    place.bridge = bridge
    return place
  }

  /** Moves a place by `distance` bytes, which must have arrived. */
  move(place: Place, distance: number): void {
    let { chunk } = place
    let position = place.position + distance
    while (position >= chunk.bytes.length && chunk.next) {
      position -= chunk.bytes.length
      chunk = chunk.next
    }
    place.position = position
    if (chunk === place.chunk) return
    unlink(place)
    link(place, chunk)
    this.#free()
  }

  /** Takes a place out. When it was the last one, everything is dropped. */
  leave(place: Place): void {
    unlink(place)
    place.bridge = undefined
    if (place === this.#slowest) this.#slowest = undefined
    this.#placeCount--
    this.#free()
  }

  /** `length` bytes from a place on, which must have arrived and reach over the end of its chunk, as one array. */
  join(place: Place, length: number): Uint8Array {
    const { chunk, position } = place
    const from = chunk.start + position
    let bridge = holds(place.bridge, from, length) ? place.bridge : chunk.bridge
    if (!holds(bridge, from, length)) {
      // Twice what is asked for: windows that slide or grow by small steps copy each byte a bounded number of times.
      const capacity = Math.max(SMALLEST_BRIDGE, 2 * length)
      bridge = { start: from, bytes: new Uint8Array(capacity), length: 0, chunk, position }
    }
    place.bridge = bridge
    extend(bridge, from + length - bridge.start)
    return bridge.bytes.subarray(from - bridge.start, from - bridge.start + length)
  }

  #addPlace(chunk: Chunk, position: number): Place {
    const { bytes } = chunk
    const place: Place = {
      chunk,
      bytes,
      buffer: bytes.buffer,
      base: bytes.byteOffset,
      position,
      bridge: undefined,
      previous: undefined,
      next: undefined,
    }
    link(place, chunk)
    this.#placeCount++
    return place
  }

  #free(): void {
    while (!this.#head.places && this.#head.next) {
      const freed = this.#head
      this.#head = this.#head.next
      this.#count--
      // A dropped chunk that was promoted to the old generation would keep all younger ones alive until a full collection.
      freed.next = undefined
      freed.bridge = undefined
      this.onDrop?.(freed.bytes)
    }
  }
}

function makeChunk(start: number): Chunk {
  return { start, bytes: NOTHING, next: undefined, places: undefined, bridge: undefined }
}

function link(place: Place, chunk: Chunk): void {
  place.chunk = chunk
  place.bridge = undefined
  openChunk(place)
  place.previous = undefined
  place.next = chunk.places
  if (chunk.places) chunk.places.previous = place
  chunk.places = place
}

/** Takes the chunk's bytes into the place: when it comes to the chunk, and when the tail was filled since. */
export function openChunk(place: Place): void {
  const { bytes } = place.chunk
  place.bytes = bytes
  place.buffer = bytes.buffer
  place.base = bytes.byteOffset
}

function unlink(place: Place): void {
  if (place.previous) place.previous.next = place.next
  else place.chunk.places = place.next
  if (place.next) place.next.previous = place.previous
}

/** Whether a bridge has room for `length` bytes at the offset `from`. */
function holds(bridge: Bridge | undefined, from: number, length: number): bridge is Bridge {
  return bridge !== undefined && from >= bridge.start && from + length <= bridge.start + bridge.bytes.length
}

/** Copies on until the bridge holds `length` bytes. */
function extend(bridge: Bridge, length: number): void {
  while (bridge.length < length) {
    const rest = bridge.chunk.bytes.subarray(bridge.position)
    const piece = rest.subarray(0, length - bridge.length)
    bridge.bytes.set(piece, bridge.length)
    bridge.length += piece.length
    bridge.position += piece.length
    if (piece.length < rest.length) return
    bridge.chunk.bridge = bridge
    if (!bridge.chunk.next) return
    bridge.chunk = bridge.chunk.next
    bridge.position = 0
  }
}
