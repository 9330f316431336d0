// Writes FlatBuffers (https://flatbuffers.dev/internals/): tables, texts and vectors, each before what it refers to.

/** Writes itself, and returns where it begins. */
export type FlatPart = (to: FlatBytes) => number

/** A number of 1, 2, 4 or 8 bytes. Those of 8 bytes are safe integers from 0. */
export interface FlatNumber {
  readonly width: 1 | 2 | 4 | 8
  readonly value: number
}

const WORD = 2 ** 32
const encoder = new TextEncoder()

class FlatBytes {
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  #end = 0

  /** What was written. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#end)
  }

  /** Makes room for some bytes, of which the one at `aligned` has an address that is a multiple of `alignment`. Returns where they begin. */
  reserve(length: number, alignment: number, aligned = 0): number {
    const start = Math.ceil((this.#end + aligned) / alignment) * alignment - aligned
    this.#end = start + length
    if (this.#end > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#end)
      larger.set(this.#bytes)
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return start
  }

  put(at: number, { width, value }: FlatNumber): void {
    if (width === 1) this.#view.setUint8(at, value)
    else if (width === 2) this.#view.setUint16(at, value, true)
    else this.#view.setUint32(at, value % WORD, true)
    if (width === 8) this.#view.setUint32(at + 4, Math.floor(value / WORD), true)
  }

  /** Writes a part, and at `at` the distance from there to it. */
  refer(at: number, part: FlatPart): void {
    this.put(at, { width: 4, value: part(this) - at })
  }

  copy(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at)
  }
}

/** A table by its fields in the order of its schema; undefined for one that is absent. */
export function flatTable(...fields: readonly (FlatNumber | FlatPart | undefined)[]): FlatPart {
  return (to) => {
    let size = 4
    const places = fields.map((field) => {
      if (field === undefined) return 0
      const width = typeof field === 'function' ? 4 : field.width
      const place = Math.ceil(size / width) * width
      size = place + width
      return place
    })
    const head = [4 + 2 * fields.length, size, ...places]
    const vtable = to.reserve(2 * head.length, 2)
    for (const [i, value] of head.entries()) to.put(vtable + 2 * i, { width: 2, value })
    const start = to.reserve(size, 8)
    to.put(start, { width: 4, value: start - vtable })
    for (const [i, field] of fields.entries()) {
      const at = start + (places[i] as number)
      if (typeof field === 'function') to.refer(at, field)
      else if (field) to.put(at, field)
    }
    return start
  }
}

export function flatText(text: string): FlatPart {
  const bytes = encoder.encode(text)
  return (to) => {
    // A zero byte follows it.
    const start = to.reserve(4 + bytes.length + 1, 4)
    to.put(start, { width: 4, value: bytes.length })
    to.copy(start + 4, bytes)
    return start
  }
}

/** A vector of tables. */
export function flatVector(parts: readonly FlatPart[]): FlatPart {
  return (to) => {
    const start = to.reserve(4 + 4 * parts.length, 4)
    to.put(start, { width: 4, value: parts.length })
    for (const [i, part] of parts.entries()) to.refer(start + 4 + 4 * i, part)
    return start
  }
}

/** A vector of structs that are numbers of 8 bytes each. */
export function flatStructs(structs: readonly (readonly number[])[]): FlatPart {
  return (to) => {
    const numbers = structs.flat()
    const start = to.reserve(4 + 8 * numbers.length, 8, 4)
    to.put(start, { width: 4, value: structs.length })
    for (const [i, value] of numbers.entries()) to.put(start + 4 + 8 * i, { width: 8, value })
    return start
  }
}

/** A complete FlatBuffer, whose length is a multiple of 8. */
export function flatBuffer(root: FlatPart): Uint8Array {
  const to = new FlatBytes()
  to.refer(to.reserve(4, 4), root)
  to.reserve(0, 8)
  return to.written
}
