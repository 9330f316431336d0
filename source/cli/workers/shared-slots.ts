// Memory that threads share and that is used again: where all that goes through a program is in new buffers, making and clearing them takes
// longer than copying.

/** Slots are at least of this size, in bytes. */
const USUAL_SIZE = 4 * 1024 * 1024

export class SharedSlots {
  readonly #free: SharedArrayBuffer[] = []
  #reserved: SharedArrayBuffer | undefined

  /** Memory of `length` bytes: the same when it is asked for again before `commit`. */
  reserve(length: number): Uint8Array {
    if (!this.#reserved || this.#reserved.byteLength < length) {
      const index = this.#free.findIndex(({ byteLength }) => byteLength >= length)
      if (this.#reserved) this.#free.push(this.#reserved)
      this.#reserved =
        index === -1 ? new SharedArrayBuffer(Math.max(length, USUAL_SIZE)) : this.#free.splice(index, 1)[0]
    }
    return new Uint8Array(this.#reserved as SharedArrayBuffer, 0, length)
  }

  /** What was reserved is used until it is released. */
  commit(): void {
    this.#reserved = undefined
  }

  /** Gives back what was committed. */
  release({ buffer }: Uint8Array): void {
    this.#free.push(buffer as SharedArrayBuffer)
  }
}
