// Where a command writes its results: standard output or a file.

import { constants, fstatSync, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Transform, Writable } from 'node:stream'
import { OutputClosed, OutputError, UsageError } from '../errors/errors.ts'
import { outcome } from '../terminal/outcome.ts'
import { escapeText, tell } from '../terminal/terminal.ts'
import { OutputFile } from './output-file.ts'

/** Milliseconds that an interrupted command waits for a reader that does not read. */
const BLOCKED_PATIENCE = 200
const decoder = new TextDecoder()
/** Milliseconds between two looks whether somebody reads a named pipe. */
const PIPE_INTERVAL = 50

export class Output {
  readonly #stream: Writable | undefined
  readonly name: string
  readonly #signal: AbortSignal
  /** Whether it is a terminal, which would obey the control characters of others. */
  readonly isTerminal: boolean
  readonly #file: OutputFile | undefined
  readonly #passedOn: Promise<void> | undefined
  #error: Error | undefined
  /** Ends the write that is waited for. */
  #giveUp: ((error: Error) => void) | undefined
  #isImpatient = false

  /**
   * When the signal aborts, a write that is blocked is waited for only a little longer. `file` is what the stream writes, or somebody else if there is no stream; `passedOn` settles
   * when what was written to the stream is all in it, for streams that pass it on.
   */
  constructor(
    stream: Writable | undefined,
    name: string,
    signal: AbortSignal,
    file?: OutputFile,
    passedOn?: Promise<void>,
  ) {
    this.#stream = stream
    this.name = name
    this.#signal = signal
    this.isTerminal = stream === process.stdout && process.stdout.isTTY
    this.#file = file
    this.#passedOn = passedOn
    signal.addEventListener('abort', () => this.#setPatience(), { once: true })
    passedOn?.catch((error: Error) => {
      this.#error ??= error
      // A stream of zlib that is destroyed while it compresses says nothing of the write that it has begun.
      this.#giveUp?.(error)
    })
    // The callbacks below get errors; without a listener the event would end the process.
    stream?.on('error', () => {})
  }

  /** Where it is written by somebody else; undefined for a stream. */
  get path(): string | undefined {
    return this.#stream ? undefined : this.#file?.path
  }

  /** Writes text, and waits until it is passed on, so that a reader that is slow slows us down. */
  async write(text: string | Uint8Array): Promise<void> {
    const shown = this.isTerminal ? escapeText(typeof text === 'string' ? text : decoder.decode(text)) : text
    await this.#settle((done) => this.#stream?.write(shown, done))
    if (this.#stream === process.stdout) outcome().bytes += Buffer.byteLength(shown)
  }

  /** Closes a file that is complete. Standard output stays open for those who print after us. What `allow` throws takes the file away. */
  async close(allow?: () => Promise<void>): Promise<void> {
    await this.#end()
    await allow?.().catch(async (error) => {
      await this.#file?.discard()
      throw error
    })
    await this.#attempt(async () => this.#file?.finish())
  }

  /** Closes a file that is not wanted, and takes it away: what was there before stays. */
  async discard(): Promise<void> {
    await this.#end()
    await this.#attempt(async () => this.#file?.discard())
  }

  /** Closes a file that is not complete, for whatever reason, and says under which other name it is kept. Throws nothing. */
  async abandon(): Promise<void> {
    await this.#end().catch(() => {})
    const kept = await this.#file?.abandon().catch(() => undefined)
    if (kept !== undefined) tell(`xylem: the output is not complete; what was written is kept in ${kept}`)
  }

  async #end(): Promise<void> {
    const stream = this.#stream
    if (!stream || stream === process.stdout) return
    await this.#settle((done) => stream.end(done))
    await this.#attempt(async () => this.#passedOn)
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    await this.#settle((done) => void act().then(() => done(), done))
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
    throw new OutputError(this.name, this.#error)
  }
}

/** Whether an output that a command line names, or does not, is standard output. */
export function isStandardOutput(path: string | undefined): boolean {
  return path === undefined || path === '-'
}

/**
 * Standard output, or the file at `path`, which is overwritten unless it is standard output. `inputPath` names inputs besides standard input.
 *
 * Throws a `UsageError` when the file is the input as well, and an `OutputError` when it cannot be opened.
 */
export async function openOutput(
  path: string | undefined,
  inputPath: string | readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Output> {
  if (path === undefined || isStandardOutput(path)) return new Output(process.stdout, 'standard output', signal)
  await requireOther(path, inputPath)
  try {
    const isPipe = await stat(path).then(
      (status) => status.isFIFO(),
      () => false, // there is none yet
    )
    if (isPipe) return new Output(await openPipe(path, signal), path, signal)
    const compressor = await makeCompressor(path)
    // To replace the file would lose what others have written there, and will write.
    if (!compressor && (await isSameFile(path, process.stdout.fd)))
      return new Output(process.stdout, 'standard output', signal)
    const file = await OutputFile.create(path)
    if (!compressor) return new Output(file.stream, path, signal, file)
    const { pipeline } = await import('node:stream/promises')
    return new Output(compressor, path, signal, file, pipeline(compressor, file.stream))
  } catch (error) {
    throw error instanceof UsageError ? error : new OutputError(path, error as Error)
  }
}

/** A file that a format writes by itself. Throws a `UsageError` for standard output, devices and inputs, and an `OutputError` if it cannot be written. */
export async function reserveOutput(
  title: string,
  path: string | undefined,
  inputPath: string | readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Output> {
  if (path === undefined || isStandardOutput(path))
    throw new UsageError(`${title} is written into a file: use --output`)
  await requireOther(path, inputPath)
  const file = await OutputFile.reserve(path).catch((error) => {
    throw new OutputError(path, error)
  })
  if (!file) throw new UsageError(`${title} is written into a file, which ${path} is not`)
  return new Output(undefined, path, signal, file)
}

/** Throws a `UsageError` when a file that is written is an input as well, or standard input. */
async function requireOther(path: string, inputPath: string | readonly string[] | undefined): Promise<void> {
  for (const input of [inputPath ?? [], process.stdin.fd].flat()) {
    if (await isSameFile(path, input)) throw new UsageError(`the output would overwrite the input: ${path}`)
  }
}

/**
 * Opens an output, lets it be written, and closes it; where `write` returns false, what was there before stays. Where writing fails, what there is of
 * it is kept under another name. `allow` is called before a file gets its name, and throws if that may not be.
 */
export async function writeOutput(
  path: string | undefined,
  inputPath: string | readonly string[] | undefined,
  signal: AbortSignal,
  write: (output: Output) => Promise<unknown>,
  allow?: () => Promise<void>,
): Promise<void> {
  const output = await openOutput(path, inputPath, signal)
  try {
    if ((await write(output)) === false) await output.discard()
    else await output.close(allow)
  } catch (error) {
    await output.abandon()
    throw error
  }
}

/** What compresses a file of this name; undefined where it is not to be compressed. */
async function makeCompressor(path: string): Promise<Transform | undefined> {
  if (!/\.(gz|zst)$/i.test(path)) return undefined
  const { default: zlib } = await import('node:zlib')
  if (/\.gz$/i.test(path)) return zlib.createGzip()
  const { createZstdCompress } = zlib as { createZstdCompress?: () => Transform }
  if (createZstdCompress) return createZstdCompress()
  throw new UsageError(`cannot write zstd (${path}): it needs Node 22.15 or newer`)
}

/** Opens a named pipe when somebody reads it. Opening it at once would wait in a thread that nothing can end. */
async function openPipe(path: string, signal: AbortSignal): Promise<Writable> {
  const [{ Socket }, { setTimeout: sleep }] = await Promise.all([import('node:net'), import('node:timers/promises')])
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

/** Whether a path leads to a regular file that is also the other: a path, or the number of an open file. */
async function isSameFile(path: string, other: string | number): Promise<boolean> {
  try {
    const one = await stat(path, { bigint: true })
    const two = typeof other === 'number' ? fstatSync(other, { bigint: true }) : await stat(other, { bigint: true })
    if (!one.isFile()) return false
    return one.dev === two.dev && one.ino === two.ino
  } catch {
    return false // one of them does not exist
  }
}
