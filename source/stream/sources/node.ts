/// <reference lib="esnext.disposable" preserve="true" />
// Files and standard input in Node.

import { type BigIntStats, constants, createReadStream, fstatSync, openSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { OpenReadings } from '../../async/open-readings.ts'
import { withCode } from '../errors.ts'
import { type OptionKinds, requireNumber, requireOptions } from '../options.ts'
import type { SeekableSource } from '../seekable.ts'
import { type FileSample, FileState } from './file-state.ts'
import { type Progress, REUSE, type ReportsProgress } from './source-reader.ts'

export interface FileSourceOptions {
  /**
   * Bytes read at a time (default 1 MiB). Measured on Node 20: reads of 64 KiB, the default of `fs.createReadStream`, reach a
   * third of the throughput.
   */
  chunkSize?: number | undefined
  /** Offset of the first byte to read (default 0), and of the end (exclusive; default: the end of the file). */
  start?: number | undefined
  end?: number | undefined
}

const FILE_SOURCE_OPTIONS: OptionKinds<FileSourceOptions> = { chunkSize: 'any', start: 'any', end: 'any' }
const DEFAULT_CHUNK_SIZE = 1024 * 1024
const READS_AHEAD = 2
/** Buffers that wait to be used again, at the most: as many as a cache and the reads ahead of it need. */
const MOST_SPARE = 4

/** A read that has begun. */
interface Read {
  readonly memory: ArrayBuffer
  readonly length: number
  readonly result: Promise<{ bytesRead: number }>
}

/**
 * A file, opened when reading begins and closed when it ends, fails or is left. Pipes and devices may be named too.
 *
 * Each chunk has its own memory, so you can keep it. Iterating twice reads the file twice; `progress` is that of the newest iteration.
 *
 * The file is compared when it is opened, and again after the last byte. Iterating throws a `SourceError` with the code `source-changed` if
 * the file was written to or truncated since this source (or a source that `from` made of it) first opened it, or replaced by another file
 * before an iteration. A file may grow: reading ends at the end that it has then. A file that is replaced or removed while it is open stays
 * readable. Pipes, devices, and files with size 0 (as in `/proc`) are not compared. To read a changed file, create a new source.
 */
export class FileSource implements AsyncIterable<Uint8Array>, AsyncDisposable, ReportsProgress, SeekableSource {
  readonly #path: string | URL
  readonly #chunkSize: number
  readonly #start: number
  readonly #end: number
  /** Of this source and of all that are made of it. */
  #state: FileState
  #progress: Progress = { bytesRead: 0, totalBytes: undefined }
  /** Memory of chunks that nobody can reach any more, while the file is read so many times at once. */
  readonly #spare: ArrayBuffer[] = []
  #readings = 0
  readonly #iterations = new OpenReadings()

  /**
   * `path`: a path, or a `file:` URL. Throws a `TypeError` or a `RangeError` with the code `invalid-option` for options
   * that are not valid.
   */
  constructor(path: string | URL, options: FileSourceOptions = {}) {
    requireOptions(options, FILE_SOURCE_OPTIONS)
    this.#path = path
    this.#state = new FileState(String(path))
    this.#start = requireNumber('start', options.start ?? 0, 0)
    this.#end = requireNumber('end', options.end ?? Number.POSITIVE_INFINITY, 0)
    this.#chunkSize = options.chunkSize ?? DEFAULT_CHUNK_SIZE
    if (!(Number.isInteger(this.#chunkSize) && this.#chunkSize > 0)) {
      const message = `chunkSize must be a whole number of at least 1, not ${options.chunkSize}`
      throw withCode(new RangeError(message), 'invalid-option')
    }
  }

  get progress(): Progress {
    return this.#progress
  }

  /** The current size of the complete file in bytes. Rejects with a system error if there is no file. */
  async size(): Promise<number> {
    return (await stat(this.#path)).size
  }

  /** The file from an offset on. */
  from(offset: number, end?: number): FileSource {
    const part = new FileSource(this.#path, { chunkSize: this.#chunkSize, start: offset, end })
    part.#state = this.#state
    return part
  }

  /**
   * Samples of what was read, for the source of another thread.
   *
   * @internal
   */
  takeSamples(): FileSample[] {
    return this.#state.takeSamples()
  }

  /**
   * Takes samples of what another thread has read: where the file has grown, they are compared.
   *
   * @internal
   */
  addSamples(samples: readonly FileSample[]): void {
    for (const { offset, bytes } of samples) this.#state.addSample(offset, bytes)
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#iterations.begin((signal) => this.#read(signal))
  }

  /** Ends all iterations, and closes the file. The source can be iterated again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#iterations.close()
  }

  async *#read(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    this.#progress = { bytesRead: 0, totalBytes: undefined }
    const isPipe = (await stat(this.#path)).isFIFO()
    if (signal.aborted) return // a pipe that is opened now would be left to nobody
    yield* isPipe ? this.#readPipe(signal) : this.#readFile()
  }

  // Opening a pipe waits until somebody writes, and so does reading it: in a thread of the pool, where nothing can end it, not
  // even the end of the process. A socket waits in the event loop.
  async *#readPipe(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { Socket } = await import('node:net')
    if (signal.aborted) return
    const fd = openSync(this.#path, constants.O_RDONLY | constants.O_NONBLOCK)
    const pipe = new Socket({ fd, readable: true, writable: false })
    signal.addEventListener('abort', () => pipe.destroy())
    for await (const chunk of pipe as AsyncIterable<Buffer>) {
      this.#count(chunk.length, undefined)
      yield chunk
    }
  }

  async *#readFile(): AsyncGenerator<Uint8Array, void, undefined> {
    const file = await open(this.#path)
    this.#readings++
    try {
      const status = await file.stat({ bigint: true })
      const isCompared = isComparable(status)
      if (isCompared) await this.#compare(file, status, this.#start)
      let position = this.#start
      for await (const bytes of this.#readPieces(file, status)) {
        if (isCompared) this.#state.addSample(position, bytes)
        position += bytes.length
        yield bytes
      }
      if (isCompared) await this.#compare(file, await file.stat({ bigint: true }), position)
    } finally {
      this.#readings--
      if (this.#readings === 0) this.#spare.length = 0
      await file.close() // which waits for what is read ahead
    }
  }

  async *#readPieces(file: FileHandle, status: BigIntStats): AsyncGenerator<Uint8Array, void, undefined> {
    const size = status.isFile() ? Math.max(0, Math.min(Number(status.size), this.#end) - this.#start) : undefined
    this.#progress = { bytesRead: 0, totalBytes: size }
    const isPart = this.#start > 0 || this.#end !== Number.POSITIVE_INFINITY
    const knownEnd = this.#start + (size ?? 0)
    const ahead: Read[] = []
    for (let position = this.#start, next = position; position < this.#end; ) {
      // Two at a time: the one that is waited for takes longer now and then. Only a file has its bytes at places.
      while (ahead.length === 0 || (ahead.length < READS_AHEAD && next < knownEnd)) {
        const length = Math.min(this.#chunkSize, this.#end - next)
        ahead.push(this.#begin(file, size === undefined && !isPart ? null : next, length))
        next += length
      }
      const { memory, length, result } = ahead.shift() as Read
      const { bytesRead } = await result
      if (bytesRead === 0) return
      position += bytesRead
      if (bytesRead < length) {
        // What is read ahead does not follow.
        await Promise.allSettled(ahead.splice(0).map((read) => read.result))
        next = position
      }
      this.#progress = { bytesRead: position - this.#start, totalBytes: size }
      // What is read in small pieces must not keep large buffers.
      const bytes = new Uint8Array(memory, 0, bytesRead)
      yield bytesRead < this.#chunkSize / 2 ? bytes.slice() : bytes
    }
  }

  #compare(file: FileHandle, status: BigIntStats, offset: number): Promise<void> {
    return this.#state.check(status, offset, async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    })
  }

  #begin(file: FileHandle, position: number | null, length: number): Read {
    // Not zeroed: only the bytes that are read are passed on.
    const memory = this.#spare.pop() ?? (Buffer.allocUnsafeSlow(length).buffer as ArrayBuffer)
    const result = file.read(new Uint8Array(memory), 0, length, position)
    // It is awaited in its turn, or not at all: until then its rejection must not count as unhandled.
    result.catch(() => {})
    return { memory, length, result }
  }

  /** @internal */
  [REUSE](chunk: Uint8Array<ArrayBuffer>): void {
    const isOwn = chunk.buffer.byteLength === this.#chunkSize
    if (isOwn && this.#readings > 0 && this.#spare.length < MOST_SPARE) this.#spare.push(chunk.buffer)
  }

  #count(bytes: number, totalBytes: number | undefined): void {
    this.#progress = { bytesRead: this.#progress.bytesRead + bytes, totalBytes }
  }
}

/** Whether the system knows of a file what is in it: it does not of pipes and devices, nor of what only looks like a file. */
function isComparable(status: BigIntStats): boolean {
  return status.isFile() && status.size > 0n
}

/**
 * Standard input. If it is a file, it is read in large chunks and has a known size. It can be read once.
 *
 * Iterating fails after the last byte with a `SourceError` with the code `source-changed` if a file was written to or truncated meanwhile.
 * It may grow.
 */
export class StandardInput implements AsyncIterable<Uint8Array>, AsyncDisposable, ReportsProgress {
  readonly #stream: Readable
  readonly #totalBytes: number | undefined
  /** Undefined where it is not a file, or not one that can be compared. */
  readonly #state: FileState | undefined
  #bytesRead = 0

  constructor() {
    const status = fstatSync(process.stdin.fd, { bigint: true })
    const isFile = status.isFile()
    const fileOptions = { fd: process.stdin.fd, autoClose: false, highWaterMark: DEFAULT_CHUNK_SIZE }
    this.#stream = isFile ? createReadStream('', fileOptions) : process.stdin
    this.#totalBytes = isFile ? Number(status.size) : undefined
    this.#state = isComparable(status) ? new FileState('standard input', status) : undefined
  }

  get progress(): Progress {
    return { bytesRead: this.#bytesRead, totalBytes: this.#totalBytes }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return new CancellableGenerator(({ signal }) => this.#read(signal))
  }

  /** Closes standard input. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream.destroy()
  }

  async *#read(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    // A process can end then although standard input stays open at its other end.
    signal.addEventListener('abort', () => this.#stream.destroy())
    for await (const chunk of this.#stream as AsyncIterable<Buffer>) {
      this.#bytesRead += chunk.length
      yield chunk
    }
    // Where in the file its bytes lie is not known, since others may have read before: no samples of them can be compared.
    await this.#state?.check(fstatSync(process.stdin.fd, { bigint: true }), this.#bytesRead)
  }
}
