// Where a command writes records: the writer of a format, and the output that its bytes go to.

import { CancellableGenerator } from '../../async/cancellable-generator.ts'
import { isSoon } from '../../async/pause.ts'
import type { ColumnBatch } from '../../record/format/column.ts'
import type { FormatField, FormatSetup, FormatWriter } from '../../record/format/format.ts'
import { type FormatName, findFormat, formatNames, USUAL_FORMAT } from '../../record/format/index.ts'
import type { LineBatch } from '../../record/format/lines.ts'
import { OutputError, UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { outcome } from '../terminal/outcome.ts'
import { tell } from '../terminal/terminal.ts'
import { isStandardOutput, type Output, openOutput, requireOther } from './output.ts'
import { OutputFile } from './output-file.ts'
import type { ProgressLine } from './progress.ts'

/** Bytes that are put together before they are written. */
const PIECE = 256 * 1024
/** Milliseconds that records wait for more of them. */
const SOON = 20

export interface RecordWriting {
  readonly format: FormatName
  /** The options of the format, and what it says of the records. */
  readonly setup?: Partial<FormatSetup> | undefined
  readonly fields: readonly FormatField[]
  /** The file to write; undefined for standard output. */
  readonly path: string | undefined
  /** Files that the output must not overwrite. */
  readonly inputPaths: readonly string[]
  /** Where it is shown how far the inputs are read. */
  readonly progress: ProgressLine
  /** Reads the batches; undefined stands for none. Its signal aborts when no more are wanted, and with the reason of `signal`. */
  readonly read: (signal: AbortSignal) => AsyncGenerator<unknown, void, undefined>
  readonly signal: AbortSignal
}

/**
 * Writes records. They wait for more of them to be written together, but not for long, and the first ones not at all. If reading fails, what was read before
 * is written.
 */
export async function writeRecords({ read, progress, ...opening }: RecordWriting): Promise<void> {
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
      if (value !== undefined) await output.add(value)
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
  /** Undefined if the writer opens its file, which is the other one then. */
  readonly #output: Output | undefined
  readonly #file: WrittenFile | undefined
  /** What waits to be written, and its size. */
  #pieces: Uint8Array[] = []
  #size = 0
  #rows = 0

  private constructor(writer: FormatWriter<unknown>, output: Output | undefined, file: WrittenFile | undefined) {
    this.#writer = writer
    this.#output = output
    this.#file = file
  }

  /** Throws a `UsageError` if the format does not write to standard output or to a terminal, or the output is an input; and an `OutputError` if it cannot be opened. */
  static async open({
    format,
    fields,
    path,
    inputPaths,
    signal,
    setup,
  }: Omit<RecordWriting, 'read' | 'progress'>): Promise<RecordOutput> {
    const { title, place, kind } = findFormat(format)
    const file = place === 'file' ? await WrittenFile.open(title, path, inputPaths) : undefined
    const output = file ? undefined : await openOutput(path, inputPaths, signal)
    if (kind === 'columns' && output?.isTerminal)
      throw new UsageError(`a terminal cannot show ${format}: use --output, or a pipe`)
    let opened: RecordOutput | undefined
    try {
      const writer = await openWriter(format, fields, { ...setup, path: file?.path, finalPath: path })
      opened = new RecordOutput(writer, output, file)
      opened.#put(await opened.#try(() => writer.begin()))
      return opened
    } catch (error) {
      await (opened ?? output ?? file)?.abandon()
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
    for (const piece of pieces) await this.#output?.write(piece)
  }

  /** Ends the output, which is complete. */
  async close(): Promise<void> {
    this.#put(await this.#try(() => this.#writer.end()))
    await this.flush()
    await this.#output?.close()
    await this.#file?.finish()
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
    await (this.#output ?? this.#file)?.abandon()
  }

  /** What the writer gives. Throws an `OutputError` where that cannot write its file. */
  async #try<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act()
    } catch (error) {
      const isOfFile = (error as { readonly code?: unknown }).code === 'output-failed'
      throw this.#file && isOfFile ? new OutputError(this.#file.name, error as Error) : error
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

/** A file that a format writes by itself. */
class WrittenFile {
  readonly name: string
  readonly #file: OutputFile

  private constructor(name: string, file: OutputFile) {
    this.name = name
    this.#file = file
  }

  /** Throws a `UsageError` for standard output, devices and inputs, and an `OutputError` if it cannot be written. */
  static async open(title: string, name: string | undefined, inputPaths: readonly string[]): Promise<WrittenFile> {
    if (name === undefined || isStandardOutput(name))
      throw new UsageError(`${title} is written into a file: use --output`)
    await requireOther(name, inputPaths)
    const file = await OutputFile.reserve(name).catch((error) => {
      throw new OutputError(name, error)
    })
    if (!file) throw new UsageError(`${title} is written into a file, which ${name} is not`)
    return new WrittenFile(name, file)
  }

  /** Where it is written. */
  get path(): string {
    return this.#file.path
  }

  async finish(): Promise<void> {
    await this.#file.finish().catch((error) => {
      throw new OutputError(this.name, error)
    })
  }

  async abandon(): Promise<void> {
    const kept = await this.#file.abandon().catch(() => undefined)
    if (kept !== undefined) tell(`xylem: the output is not complete; what was written is kept in ${kept}`)
  }
}
