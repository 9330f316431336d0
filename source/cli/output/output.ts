// Where a command writes its results: standard output or a file.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { stdout } from 'node:process'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { OutputClosed, OutputError, UsageError } from '../errors.ts'

/** Milliseconds that an interrupted command waits for a reader that does not read. */
const BLOCKED_PATIENCE = 200

export class Output {
  readonly #stream: Writable
  readonly #signal: AbortSignal
  #error: Error | undefined

  /** When the signal aborts, a write that is blocked is waited for only a little longer. */
  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream
    this.#signal = signal
    // Faults are learned from the callbacks below; without a listener the event would end the process.
    stream.on('error', () => {})
  }

  /** Writes text, and waits until it is passed on, so that a reader that is behind slows us down. */
  async write(text: string): Promise<void> {
    await this.#settle((done) => this.#stream.write(text, done))
  }

  /** Closes a file. Standard output stays open for those who print after us. */
  async close(): Promise<void> {
    if (this.#stream !== stdout) await this.#settle((done) => this.#stream.end(done))
  }

  async #settle(act: (done: (error?: Error | null) => void) => void): Promise<void> {
    const patience = new AbortController()
    const interrupted = waitForAbort(this.#signal, patience.signal)
    const error = await Promise.race([new Promise<Error | null | undefined>(act), interrupted])
    patience.abort()
    this.#error ??= error ?? undefined
    this.#throwIfFailed()
  }

  #throwIfFailed(): void {
    if (this.#error === undefined) return
    const { code } = this.#error as { code?: unknown }
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') throw new OutputClosed()
    throw new OutputError(this.#error.message, { cause: this.#error })
  }
}

/**
 * Standard output, or the file at `path`, which is overwritten.
 *
 * Throws a `UsageError` when the file is the input as well, and an `OutputError` when it cannot be opened.
 */
export async function openOutput(
  path: string | undefined,
  inputPath: string | undefined,
  signal: AbortSignal,
): Promise<Output> {
  if (path === undefined) return new Output(stdout, signal)
  if (inputPath !== undefined && (await isSameFile(path, inputPath))) {
    throw new UsageError(`the output would overwrite the input: ${path}`)
  }
  try {
    const file = await open(path, 'w')
    return new Output(createWriteStream(path, { fd: file }), signal)
  } catch (error) {
    throw new OutputError((error as Error).message, { cause: error })
  }
}

/** The reason of the signal, a little after it aborts; never when `patience` aborts before. */
async function waitForAbort(signal: AbortSignal, patience: AbortSignal): Promise<Error> {
  try {
    if (!signal.aborted) await once(signal, 'abort', { signal: patience })
    await sleep(BLOCKED_PATIENCE, undefined, { signal: patience })
  } catch {
    // It is written: nobody waits for this any more.
  }
  return new Error('interrupted while the output was blocked')
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  try {
    const [one, two] = await Promise.all([stat(path, { bigint: true }), stat(other, { bigint: true })])
    return one.dev === two.dev && one.ino === two.ino
  } catch {
    return false // one of them does not exist
  }
}
