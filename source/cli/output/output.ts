// Where a command writes its results: standard output or a file.

import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { stdout } from 'node:process'
import type { Writable } from 'node:stream'
import { OutputClosed, OutputError, UsageError } from '../errors.ts'

export class Output {
  readonly #stream: Writable
  #error: Error | undefined

  constructor(stream: Writable) {
    this.#stream = stream
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
    this.#error ??= (await new Promise<Error | null | undefined>(act)) ?? undefined
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
export async function openOutput(path: string | undefined, inputPath: string | undefined): Promise<Output> {
  if (path === undefined) return new Output(stdout)
  if (inputPath !== undefined && (await isSameFile(path, inputPath))) {
    throw new UsageError(`the output would overwrite the input: ${path}`)
  }
  try {
    const file = await open(path, 'w')
    return new Output(createWriteStream(path, { fd: file }))
  } catch (error) {
    throw new OutputError((error as Error).message, { cause: error })
  }
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  try {
    const [one, two] = await Promise.all([stat(path, { bigint: true }), stat(other, { bigint: true })])
    return one.dev === two.dev && one.ino === two.ino
  } catch {
    return false // one of them does not exist
  }
}
