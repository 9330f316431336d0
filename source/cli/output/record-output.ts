// Where a command writes records: the writer of a format, and the output that its bytes go to.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { isSoon } from '../../async/waiting.ts'
import type { ColumnBatch } from '../../record/format/column.ts'
import type { FormatField, FormatSetup, FormatWriter } from '../../record/format/format.ts'
import { type FormatName, findFormat, formatNames, USUAL_FORMAT } from '../../record/format/index.ts'
import type { LineBatch } from '../../record/format/lines.ts'
import { OutputError, UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { outcome } from '../terminal/outcome.ts'
import { type Output, openOutput, reserveOutput } from './output.ts'
import type { ProgressLine } from './progress.ts'

/** Bytes that are put together before they are written. */
const PIECE = 256 * 1024
/** Milliseconds that records wait for more of them. */
const SOON = 20

/** Where records are written, and how. */
export interface RecordOpening {
  readonly format: FormatName
  /** The options of the format, and what it says of the records. */
  readonly setup?: Partial<FormatSetup> | undefined
  readonly fields: readonly FormatField[]
  /** The file to write; undefined for standard output. */
  readonly path: string | undefined
  /** Files that the output must not overwrite. */
  readonly inputPaths: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Writes records. They wait for more of them to be written together, but not for long, and the first ones not at all. If reading fails, what was read before
 * is written. The signal of `read` aborts when no more batches are wanted, and with the reason of that of the output.
 */
export async function writeRecords(
  read: (signal: AbortSignal) => AsyncGenerator<unknown, void, undefined>,
  opening: RecordOpening,
  progress: ProgressLine,
): Promise<void> {
  const batches = new CancellableGenerator(({ signal }) => read(signal), opening.signal)
  let output: RecordOutput | undefined
  try {
    for (let count = 0; ; count++) {
      const next = batches.next()
      // The promise is awaited below. Until then, its error does not count as unhandled.
      next.catch(() => {})
      if (output && output.size > 0 && (count === 1 || !(await isSoon(next, SOON)))) await output.flush()
      const { done, value } = await next
      // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first records.
      output ??= await RecordOutput.open(opening)
      if (done) break
      await output.add(value)
    }
    progress.clear()
    await output.close()
  } catch (error) {
    // Why reading stopped counts, not what writing then says.
    progress.clear()
    await output?.abandon()
    throw error
  } finally {
    await batches.return()
  }
}

/** Begins to write in a format. */
export async function openWriter(
  name: FormatName,
  fields: readonly FormatField[],
  setup: Partial<FormatSetup>,
): Promise<FormatWriter<unknown>> {
  const { format } = await findFormat(name).module.load()
  const writer = orUsage(() => format.open?.(fields, { ...USUAL_FORMAT, ...setup }))
  return writer as FormatWriter<unknown>
}

/** Throws a `UsageError` for a format that is not made of objects: `what` says what is not to be written in it, and `advice` what to do. */
export function requireObjects(name: FormatName, what: string, advice: string): void {
  const names = formatNames('objects')
  if (names.includes(name)) return
  throw new UsageError(`${what} can be written as ${names.join(' or ')}, not as ${name}; ${advice}`)
}

class RecordOutput {
  readonly #writer: FormatWriter<unknown>
  readonly #output: Output
  /** What waits to be written, and its size. */
  #pieces: Uint8Array[] = []
  #size = 0
  #rows = 0

  private constructor(writer: FormatWriter<unknown>, output: Output) {
    this.#writer = writer
    this.#output = output
  }

  /** Throws a `UsageError` if the format does not write to standard output or to a terminal, or the output is an input; and an `OutputError` if it cannot be opened. */
  static async open({ format, fields, path, inputPaths, signal, setup }: RecordOpening): Promise<RecordOutput> {
    const { title, place, kind } = findFormat(format)
    const isFile = place === 'file'
    const output = await (isFile
      ? reserveOutput(title, path, inputPaths, signal)
      : openOutput(path, inputPaths, signal))
    if (kind === 'columns' && output.isTerminal)
      throw new UsageError(`a terminal cannot show ${format}: use --output, or a pipe`)
    let opened: RecordOutput | undefined
    try {
      const writer = await openWriter(format, fields, { ...setup, path: output.path, finalPath: path })
      opened = new RecordOutput(writer, output)
      opened.#put(await opened.#try(() => writer.begin()))
      return opened
    } catch (error) {
      await (opened ?? output).abandon()
      throw error
    }
  }

  /** Bytes that wait to be written. */
  get size(): number {
    return this.#size
  }

  async add(batch: unknown): Promise<void> {
    const { rows, records = 0 } = batch as Partial<ColumnBatch & LineBatch>
    this.#rows += rows ?? records
    for (const bytes of [await this.#try(() => this.#writer.write(batch))].flat()) this.#put(bytes)
    if (this.#size >= PIECE) await this.flush()
  }

  /** Writes everything that waits. */
  async flush(): Promise<void> {
    const pieces = this.#pieces
    this.#pieces = []
    this.#size = 0
    for (const piece of pieces) await this.#output.write(piece)
  }

  /** Ends the output, which is complete. */
  async close(): Promise<void> {
    this.#put(await this.#try(() => this.#writer.end()))
    await this.flush()
    await this.#output.close()
    outcome().rows = this.#rows
  }

  /** Ends an output that is not complete, with what was added. Throws nothing. */
  async abandon(): Promise<void> {
    await this.flush().catch(() => {})
    try {
      await this.#writer.abandon?.()
    } catch {
      // Why the output is not complete counts.
    }
    await this.#output.abandon()
  }

  /** What the writer gives. Throws an `OutputError` where that cannot write its file. */
  async #try<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      const isOfFile = (error as { readonly code?: unknown }).code === 'output-failed'
      const { path, name } = this.#output
      throw path !== undefined && isOfFile ? new OutputError(name, error as Error) : error
    }
  }

  /** Bytes that lie after the last ones in memory become one piece with them. */
  #put(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#size += bytes.length
    const last = this.#pieces.at(-1)
    if (last && last.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset) {
      this.#pieces[this.#pieces.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + bytes.length)
    } else this.#pieces.push(bytes)
  }
}
