// Reading the inputs of a command, decompressed.

import { decompress } from '../../compression/decompress.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Progress, ReportsProgress } from '../../stream/sources/source-reader.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { InputError, ReportedError } from '../errors/errors.ts'
import { ExitCode } from '../errors/exit-codes.ts'
import { report } from '../errors/report.ts'
import { findInput, findInputs, type Input } from './inputs.ts'

export interface ReadingOptions {
  /** Threads that decompress bzip2. */
  readonly jobs: number
  readonly signal: AbortSignal
}

/** The bytes of an input, decompressed. */
export function openCache(input: Input, { jobs, signal }: ReadingOptions): StreamCache {
  return StreamCache.from(decompress(input.open(signal), { threads: jobs }), { signal })
}

/** Items of several inputs, one input after the other. Errors are `InputError`s that name the input. */
export class InputsReader<Item> implements ReportsProgress {
  readonly #inputs: readonly Input[]
  readonly #options: ReadingOptions
  readonly #read: (cache: StreamCache, name: string) => AsyncIterable<Item>
  /** Bytes of the inputs before the current one. */
  #before = 0
  #current: StreamCache | undefined

  /** `read` reads one input, with the name that messages give it. */
  constructor(
    inputs: readonly Input[],
    options: ReadingOptions,
    read: (cache: StreamCache, name: string) => AsyncIterable<Item>,
  ) {
    this.#inputs = inputs
    this.#options = options
    this.#read = read
  }

  get progress(): Progress {
    return sumProgress(this.#inputs, this.#before, this.#current?.progress)
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    for (const input of this.#inputs) {
      const cache = openCache(input, this.#options)
      this.#current = cache
      yield* nameFaults(input.name, this.#read(cache, input.name))
      this.#before += cache.progress.bytesRead
      this.#current = undefined
    }
  }
}

/** The progress of reading several inputs; `before` counts the bytes of those that are read. */
export function sumProgress(
  inputs: readonly Input[],
  before: number,
  current: Progress = { bytesRead: 0, totalBytes: undefined },
): Progress {
  const total = inputs.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
  const totalBytes = inputs.length === 1 ? current.totalBytes : total
  return { bytesRead: before + current.bytesRead, totalBytes }
}

/**
 * Has a verdict on each of the inputs, which is an exit code. What cannot be read is reported, and keeps nobody from reading the others.
 * Throws a `ReportedError` with the greatest of the exit codes.
 */
export async function judgeInputs(
  names: readonly string[],
  signal: AbortSignal,
  judge: (input: Input) => Promise<number>,
): Promise<void> {
  let exitCode: number = ExitCode.GOOD
  const onError = (error: unknown) => {
    exitCode = Math.max(exitCode, report(error))
  }
  for (const input of await findInputs(names, onError)) {
    try {
      exitCode = Math.max(exitCode, await judge(input))
    } catch (error) {
      if (!(error instanceof InputError) || signal.aborted) throw error
      onError(error)
    }
  }
  if (exitCode !== ExitCode.GOOD) throw new ReportedError(exitCode)
}

/** Yields the items; an error on the way becomes an `InputError` that names the input. */
export async function* nameFaults<T>(input: string, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* items
  } catch (error) {
    throw new InputError(input, error)
  }
}

/** Bytes of a text that is read as one, such as a grammar. */
const LONGEST_TEXT = 256 * 1024 * 1024

/** The bytes of an input that is small: a grammar, a plan, a list; and its name for messages. Throws an `InputError` where it cannot be read or is not small. */
export async function readSmallInput(file: string, signal: AbortSignal): Promise<{ name: string; bytes: Uint8Array }> {
  const input = await findInput(file)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of StreamCache.from(decompress(input.open(signal)), { signal })
      .cursor()
      .chunks()) {
      length += chunk.length
      if (length > LONGEST_TEXT) {
        const message = `it is larger than ${LONGEST_TEXT} bytes, and must be read as one`
        throw new LimitError(message, { code: 'length-limit', limit: LONGEST_TEXT, byteOffset: LONGEST_TEXT })
      }
      chunks.push(chunk)
    }
  } catch (error) {
    throw new InputError(input.name, error)
  }
  return { name: input.name, bytes: Buffer.concat(chunks) }
}
