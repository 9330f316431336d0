// Where a command writes its results: standard output or a file.

import { constants, createWriteStream, fstatSync, openSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { stdin, stdout } from 'node:process'
import type { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { OutputClosed, OutputError, UsageError } from '../errors.ts'

/** Milliseconds that an interrupted command waits for a reader that does not read. */
const BLOCKED_PATIENCE = 200
/** Milliseconds between two looks whether somebody reads a named pipe. */
const PIPE_INTERVAL = 50

export class Output {
  readonly #stream: Writable
  readonly #name: string
  readonly #signal: AbortSignal
  readonly #passedOn: Promise<void> | undefined
  #error: Error | undefined
  /** Ends the write that is waited for. */
  #giveUp: ((error: Error) => void) | undefined
  #isImpatient = false

  /**
   * When the signal aborts, a write that is blocked is waited for only a little longer. `passedOn` settles when what was written to the
   * stream is all where it is to be, for streams that pass it on.
   */
  constructor(stream: Writable, name: string, signal: AbortSignal, passedOn?: Promise<void>) {
    this.#stream = stream
    this.#name = name
    this.#signal = signal
    this.#passedOn = passedOn
    signal.addEventListener('abort', () => this.#setPatience(), { once: true })
    passedOn?.catch((error: Error) => {
      this.#error ??= error
    })
    // Faults are learned from the callbacks below; without a listener the event would end the process.
    stream.on('error', () => {})
  }

  /** Writes text, and waits until it is passed on, so that a reader that is behind slows us down. */
  async write(text: string | Uint8Array): Promise<void> {
    await this.#settle((done) => this.#stream.write(text, done))
  }

  /** Closes a file. Standard output stays open for those who print after us. */
  async close(): Promise<void> {
    if (this.#stream === stdout) return
    await this.#settle((done) => this.#stream.end(done))
    await this.#settle((done) => void (this.#passedOn ?? Promise.resolve()).then(() => done(), done))
  }

  async #settle(act: (done: (error?: Error | null) => void) => void): Promise<void> {
    const error = await new Promise<Error | null | undefined>((resolve) => {
      // Interrupted, it is waited for only a little longer.
      this.#giveUp = resolve
      if (this.#signal.aborted) this.#setPatience()
      act(resolve)
    })
    this.#giveUp = undefined
    this.#error ??= error ?? undefined
    this.#throwIfFailed()
  }

  #setPatience(): void {
    if (this.#isImpatient) return
    this.#isImpatient = true
    setTimeout(() => {
      this.#isImpatient = false
      this.#giveUp?.(new Error('interrupted while the output was blocked'))
    }, BLOCKED_PATIENCE).unref()
  }

  #throwIfFailed(): void {
    if (this.#error === undefined) return
    const { code } = this.#error as { code?: unknown }
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') throw new OutputClosed()
    throw new OutputError(this.#name, this.#error)
  }
}

/**
 * Standard output, or the file at `path`, which is overwritten. `inputPath` names inputs besides standard input.
 *
 * Throws a `UsageError` when the file is the input as well, and an `OutputError` when it cannot be opened.
 */
export async function openOutput(
  path: string | undefined,
  inputPath: string | readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Output> {
  if (path === undefined) return new Output(stdout, 'standard output', signal)
  for (const input of [inputPath, undefined].flat()) {
    if (await isSameFile(path, input)) throw new UsageError(`the output would overwrite the input: ${path}`)
  }
  try {
    const isPipe = await stat(path).then(
      (status) => status.isFIFO(),
      () => false, // there is none yet
    )
    if (isPipe) return new Output(await openPipe(path, signal), path, signal)
    const compressor = makeCompressor(path)
    const file = createWriteStream(path, { fd: await open(path, 'w') })
    if (!compressor) return new Output(file, path, signal)
    return new Output(compressor, path, signal, pipeline(compressor, file))
  } catch (error) {
    throw error instanceof UsageError ? error : new OutputError(path, error as Error)
  }
}

/** What compresses a file of this name; undefined where it is not to be compressed. */
function makeCompressor(path: string): Transform | undefined {
  if (/\.gz$/i.test(path)) return zlib.createGzip()
  if (!/\.zst$/i.test(path)) return undefined
  const { createZstdCompress } = zlib as { createZstdCompress?: () => Transform }
  if (createZstdCompress) return createZstdCompress()
  throw new UsageError(`this version of Node cannot write zstd, which came with 22.15: ${path}`)
}

/** Opens a named pipe when somebody reads it. Opening it at once would wait in a thread that nothing can end. */
async function openPipe(path: string, signal: AbortSignal): Promise<Writable> {
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
      return new Socket({ fd, readable: false, writable: true })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENXIO') throw error
    }
    await sleep(PIPE_INTERVAL, undefined, { signal })
  }
}

async function isSameFile(path: string, input: string | undefined): Promise<boolean> {
  try {
    const one = await stat(path, { bigint: true })
    const two = input === undefined ? fstatSync(stdin.fd, { bigint: true }) : await stat(input, { bigint: true })
    if (!one.isFile()) return false
    return one.dev === two.dev && one.ino === two.ino
  } catch {
    return false // one of them does not exist
  }
}
