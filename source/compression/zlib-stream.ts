// A decompressing stream of Node's zlib, driven a piece at a time so that nothing it has made is lost when it fails.

/** What is used of such a stream. */
export interface ZlibTransform {
  readonly bytesWritten: number
  readonly readableLength: number
  on(event: 'data', listener: (bytes: Uint8Array) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
  write(bytes: Uint8Array, callback: () => void): void
  end(): void
  destroy(): void
}

/** Output buffer of zlib: with its default of 16 KiB it reaches 0.4 of the throughput (gzip, Node 20: 241 against 545 MB/s). */
export const ZLIB_CHUNK_SIZE = 1024 * 1024

export class ZlibStream {
  readonly #stream: ZlibTransform
  #output: Uint8Array[] = []
  /** Called after each event of the stream. */
  #notify: () => void = () => {}
  ended = false
  error: Error | undefined

  constructor(stream: ZlibTransform) {
    this.#stream = stream
    stream.on('data', (bytes) => {
      this.#output.push(bytes)
      this.#notify()
    })
    stream.on('error', (error) => {
      this.error = error
      this.#notify()
    })
    stream.on('end', () => {
      this.ended = true
      this.#notify()
    })
  }

  /** Decompresses a piece, and says how much of it was used: less than all when the data ended in it. */
  write(piece: Uint8Array): Promise<number> {
    const before = this.#stream.bytesWritten
    return new Promise((resolve) => {
      let isWritten = false
      this.#notify = () => {
        const used = this.#stream.bytesWritten - before
        const isDrained = isWritten && this.#stream.readableLength === 0
        // Input left over means that the data has ended, which the stream tells a little later.
        if (this.error || this.ended || (isDrained && used === piece.length)) resolve(used)
      }
      this.#stream.write(piece, () => {
        isWritten = true
        this.#notify()
      })
    })
  }

  /** Says that nothing follows, and waits for what is left. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = () => {
        if (this.error || this.ended) resolve()
      }
      this.#stream.end()
      this.#notify()
    })
  }

  takeOutput(): Uint8Array[] {
    const output = this.#output
    this.#output = []
    return output
  }

  close(): void {
    this.#stream.destroy()
  }
}
