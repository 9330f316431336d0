// What a file was when it was first read, to know whether it is still the same.

import { SourceError } from '../errors.ts'

/** What the system says of a file, as numbers of Node's `BigIntStats`. */
export interface FileStatus {
  readonly dev: bigint
  readonly ino: bigint
  /** Bytes. */
  readonly size: bigint
  /** When it was last written, in nanoseconds. */
  readonly mtimeNs: bigint
}

/** Bytes that were read at an offset of the file. */
export interface FileSample {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Reads bytes at an offset of the file; fewer where it ends. */
type ReadAt = (offset: number, length: number) => Promise<Uint8Array>

/** A file that has grown is compared with what was read by so many bytes of each such stretch. */
const SAMPLE_SIZE = 32
const SAMPLE_DISTANCE = 1024 * 1024

/**
 * A file must stay what it was when it was first opened: the same file, with the same size and time of writing. It may only grow: what was
 * read is then still its beginning, which is true of a log that is appended to, and not of a file that is written anew. So samples of what
 * was read are compared.
 */
export class FileState {
  readonly #path: string
  #status: FileStatus | undefined
  /** By the stretch of the file. */
  readonly #samples = new Map<number, FileSample>()

  /** `status` is that of the file when it was opened, where that was already. */
  constructor(path: string, status?: FileStatus) {
    this.#path = path
    this.#status = status
  }

  /** Remembers some of the bytes that were read at an offset, if any. */
  addSample(offset: number, bytes: Uint8Array): void {
    const stretch = Math.floor(offset / SAMPLE_DISTANCE)
    if (!this.#samples.has(stretch)) this.#samples.set(stretch, { offset, bytes: bytes.slice(0, SAMPLE_SIZE) })
  }

  /** The samples, which this state does not have any more: another one, in the thread that reads the file to its end, compares them. */
  takeSamples(): FileSample[] {
    const samples = [...this.#samples.values()]
    this.#samples.clear()
    return samples
  }

  /**
   * Takes the status of the file the first time, and compares it from then on. `offset` is that of the next byte; `readAt` is needed where
   * there are samples. Throws a `SourceError` with the code `source-changed`.
   */
  async check(status: FileStatus, offset: number, readAt?: ReadAt): Promise<void> {
    const before = this.#status
    if (before && (status.dev !== before.dev || status.ino !== before.ino)) {
      throw this.#makeChanged('it was replaced by another file', offset)
    }
    if (before && status.size <= before.size && status.mtimeNs !== before.mtimeNs) {
      throw this.#makeChanged(status.size < before.size ? 'it was truncated' : 'it was written to', offset)
    }
    if (before && status.size > before.size) {
      for (const sample of this.#samples.values()) {
        if (isEqual(await readAt?.(sample.offset, sample.bytes.length), sample.bytes)) continue
        throw this.#makeChanged(`it was written to at byte ${sample.offset}`, offset)
      }
    }
    this.#status = status
  }

  #makeChanged(how: string, offset: number): SourceError {
    return new SourceError('source-changed', `${this.#path} changed while it was read: ${how}`, offset, undefined)
  }
}

function isEqual(one: Uint8Array | undefined, two: Uint8Array): boolean {
  return one?.length === two.length && one.every((byte, index) => byte === two[index])
}
