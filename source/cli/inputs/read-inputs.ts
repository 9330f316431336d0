// Reading the inputs of a command, decompressed.

import { decompress } from '../../compression/decompress.ts'
import type { DecompressOptions } from '../../compression/decompress-options.ts'
import { LimitError } from '../../stream/errors.ts'
import type { Progress } from '../../stream/sources/source-reader.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { LineCounter } from '../../text/line-counter.ts'
import { ParseError } from '../../text/parse-error.ts'
import { findMalformed } from '../../text/utf8.ts'
import { ExitCode, InputError, isOtherXml, ReportedError, UsageError } from '../errors/errors.ts'
import { report, tellOfOtherXml } from '../errors/report.ts'
import { findInput, findInputs, type Input, type InputSource } from './inputs.ts'

export interface ReadingOptions {
  /** Threads that decompress bzip2. */
  readonly jobs: number
  readonly signal: AbortSignal
}

/** The bytes of an input, decompressed. */
export function openCache(input: Input, { jobs, signal }: ReadingOptions): StreamCache {
  return StreamCache.from(decompress(input.open(signal), { threads: jobs }), { signal })
}

/** Sums of sizes that were asked for: this is done many times, and there may be many inputs. */
const sizes = new WeakMap<readonly Input[], number>()

/** The bytes of all inputs; undefined where one does not say its size. */
function sizeOf(inputs: readonly Input[]): number | undefined {
  const known = sizes.get(inputs) ?? inputs.reduce((sum, { size = Number.NaN }) => sum + size, 0)
  sizes.set(inputs, known)
  return Number.isNaN(known) ? undefined : known
}

/** An input that is about to be read, in one way or the other. */
export class OpenInput {
  readonly input: Input
  readonly #options: ReadingOptions
  readonly #source: InputSource
  #cache: StreamCache | undefined
  #passed: Progress | undefined
  /** Called with each error of bzip2 whose block is to be left out; without this, it is thrown. */
  onFault: DecompressOptions['onFault']

  constructor(input: Input, options: ReadingOptions) {
    this.input = input
    this.#options = options
    this.#source = input.open(options.signal)
  }

  /** As messages name it. */
  get name(): string {
    return this.input.name
  }

  /** Its file, or where else it is stored. */
  get source(): InputSource {
    return this.#source
  }

  /** Its bytes, decompressed. */
  get cache(): StreamCache {
    const { jobs: threads, signal } = this.#options
    this.#cache ??= StreamCache.from(decompress(this.#source, { threads, onFault: this.onFault }), { signal })
    return this.#cache
  }

  /** Others have read its file up to an offset; undefined where it is read here. */
  pass(bytesRead: number | undefined): void {
    this.#passed = bytesRead === undefined ? undefined : { bytesRead, totalBytes: this.input.size }
  }

  get progress(): Progress {
    return this.#passed ?? (this.#cache ?? this.#source).progress
  }
}

/** The progress of reading several inputs; `before` counts the bytes of those that are read. */
export function sumProgress(
  inputs: readonly Input[],
  before: number,
  current: Progress = { bytesRead: 0, totalBytes: undefined },
): Progress {
  const totalBytes = inputs.length === 1 ? current.totalBytes : sizeOf(inputs)
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
      if (isOtherXml(error)) await tellOfOtherXml(error, 'info', signal)
    }
  }
  if (exitCode !== ExitCode.GOOD) throw new ReportedError(exitCode)
}

/** Yields the items; an error on the way becomes an `InputError` that names the input, but for one that is no error of the input, or names it already. */
export async function* nameFaults<T>(input: string, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* items
  } catch (error) {
    throw error instanceof UsageError ? error : new InputError(input, error)
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

/** The text of a small input, without a byte order mark. Throws an `InputError` also where it is not UTF-8. */
export async function readSmallText(file: string, signal: AbortSignal): Promise<{ name: string; text: string }> {
  const { name, bytes } = await readSmallInput(file, signal)
  const malformed = findMalformed(bytes)
  if (malformed === -1) return { name, text: new TextDecoder().decode(bytes) }
  const counter = new LineCounter()
  counter.advance(bytes.subarray(0, malformed))
  throw new InputError(
    name,
    new ParseError('the text is not valid UTF-8 here', { code: 'malformed-text', ...counter.position }),
  )
}
