// Reading the records of a dump: on one thread, or in pieces on several, with the same lines in the same order, and the same errors.

import { decompress, type ReportsFormat } from '../../compression/decompress.ts'
import { type DumpOptions, type DumpReader, readDump } from '../../mediawiki/dump-reader.ts'
import { DumpSplitter } from '../../mediawiki/dump-splitter.ts'
import { repairBytes } from '../../mediawiki/head-repair.ts'
import type { SiteInfo } from '../../mediawiki/site-info.ts'
import type { LimitError } from '../../stream/errors.ts'
import type { ByteSource } from '../../stream/source.ts'
import type { Position } from '../../text/line-counter.ts'
import type { ParseError } from '../../text/parse-error.ts'
import type { OnError } from '../options/dump-options.ts'
import { SharedSlots } from '../workers/shared-slots.ts'
import { TaskPool } from '../workers/task-pool.ts'
import { needsSiteInfo, resolveNamespaces } from './dump-filter.ts'
import {
  advance,
  endOfHead,
  type HeadResult,
  type PieceResult,
  type PieceSetup,
  readHead,
  readPiece,
} from './dump-piece.ts'
import { makeFaultHandler } from './fault-handler.ts'
import { isWrittenByKernel, type RecordLines, type RecordRequest, readRecordLines } from './record-lines.ts'

export interface RecordReaderOptions {
  /** Threads that decompress, and as many that parse; with 1 it is this one. */
  readonly jobs: number
  readonly strict: boolean
  readonly maxRetained?: number | undefined
  readonly maxInput?: number | undefined
  readonly onError: OnError
  /** Called for each error that is skipped. */
  readonly onFault: (error: ParseError | LimitError) => void
  readonly highWaterMark: number
  readonly signal: AbortSignal
}

/** One reading of a dump. */
export interface RecordReader {
  /** Characters that were replaced so far. */
  readonly replaced: number
  /** The records in batches, each of what can be had without waiting; what `DumpReader` throws, after everything before. */
  lines(): AsyncGenerator<RecordLines[], void, undefined>
  close(): Promise<void>
}

/** With fewer threads, lines are written on this one. */
const LEAST_JOBS = 3

/** `request` may name namespaces. */
export function openRecords(source: ByteSource, request: RecordRequest, options: RecordReaderOptions): RecordReader {
  const { jobs, onError } = options
  // Lines that a kernel writes are written faster than they can be handed from thread to thread, and those that are written from captures
  // as fast as on two threads. With a limit, little may be wanted; and if blocks are missing, the cuts would have to be known.
  const isFast = isWrittenByKernel(request) || (!request.verify && jobs < LEAST_JOBS)
  const isSerial = jobs === 1 || isFast || request.limit !== undefined || onError === 'skip-block'
  return isSerial ? new SerialReader(source, request, options) : new ParallelReader(source, request, options)
}

class SerialReader implements RecordReader {
  readonly #reader: DumpReader
  readonly #request: RecordRequest

  constructor(source: ByteSource, request: RecordRequest, options: RecordReaderOptions) {
    const { jobs, strict, maxRetained, maxInput, onError, highWaterMark, signal } = options
    const onFault = makeFaultHandler(onError, options.onFault)
    this.#request = request
    const limits = { maxRetained, maxInput }
    this.#reader = readDump(source, { threads: jobs, strict, signal, highWaterMark, limits, onFault })
  }

  get replaced(): number {
    return this.#reader.replaced
  }

  async *lines(): AsyncGenerator<RecordLines[], void, undefined> {
    const { filter } = this.#request
    const siteInfo = needsSiteInfo(filter) ? await this.#reader.siteInfo : undefined
    yield* readRecordLines(this.#reader, resolve(this.#request, siteInfo))
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}

/** As many threads as this that decode bzip2 can be kept busy by one that parses. */
const BZIP2_THREADS = 4

/** A piece that is being read. */
interface Piece {
  readonly bytes: Uint8Array
  readonly result: Promise<PieceResult | undefined>
}

/**
 * What arrives is decompressed, bzip2 by workers, and cut after pages; the pieces are parsed by workers. From the first piece on that is not
 * complete pages all is read on this thread, and so is the end of the dump.
 */
class ParallelReader implements RecordReader {
  readonly #source: AsyncIterable<Uint8Array> & ReportsFormat
  readonly #splitter: DumpSplitter
  readonly #memory = new SharedSlots()
  readonly #request: RecordRequest
  readonly #options: RecordReaderOptions
  #pool: TaskPool<PieceSetup, Uint8Array, PieceResult | undefined> | undefined
  #replaced = 0
  /** Reads what is not read in pieces. */
  #rest: DumpReader | undefined

  constructor(source: ByteSource, request: RecordRequest, options: RecordReaderOptions) {
    const { jobs, highWaterMark, maxInput, signal } = options
    this.#request = request
    this.#options = options
    this.#source = decompress(source, { threads: jobs, highWaterMark, limits: { maxInput } })
    this.#splitter = new DumpSplitter(this.#source, { highWaterMark, signal }, (length) => this.#memory.reserve(length))
  }

  get replaced(): number {
    return this.#replaced + (this.#rest?.replaced ?? 0)
  }

  async *lines(): AsyncGenerator<RecordLines[], void, undefined> {
    const { strict, maxRetained, jobs } = this.#options
    const bytes = await this.#splitter.readHead()
    const isWorthIt = this.#source.format !== 'bzip2' || jobs > BZIP2_THREADS
    const head = bytes && isWorthIt && (await readHead(bytes, strict, needsSiteInfo(this.#request.filter)))
    if (!bytes || !head) {
      yield* this.#readRest(bytes ? [bytes] : [], undefined, undefined, { bytes: NOTHING, next: START })
      return
    }
    this.#replaced = head.replaced
    const setup = { head: bytes, request: resolve(this.#request, head.siteInfo), strict, maxRetained }
    this.#pool = new TaskPool({
      threads: this.#options.jobs,
      worker: new URL('./piece-worker.js', import.meta.url),
      setup,
      doHere: (piece) => readPiece(setup, piece),
      isFirstHere: true,
    })
    yield* this.#readPieces(bytes, head, this.#pool)
  }

  async close(): Promise<void> {
    this.#pool?.close()
    await this.#rest?.close()
    await this.#splitter.close()
  }

  async *#readPieces(
    headBytes: Uint8Array,
    head: HeadResult,
    pool: TaskPool<PieceSetup, Uint8Array, PieceResult | undefined>,
  ): AsyncGenerator<RecordLines[], void, undefined> {
    const pieces: Piece[] = []
    let position = endOfHead(head)
    let before = NOTHING
    let next: Promise<Uint8Array | undefined> | undefined
    for (let isOver = false; ; ) {
      // The first piece is read before workers are started, which takes longer.
      const wanted = before.length > 0 ? pool.capacity : 1
      if (!isOver && pieces.length < wanted) next ??= quiet(this.#splitter.next())
      const [first] = pieces
      if (next && (await isFirst(next, first?.result))) {
        const bytes = await next
        next = undefined
        if (bytes) {
          this.#memory.commit()
          pieces.push({ bytes, result: quiet(pool.do(bytes)) })
        } else isOver = true
        continue
      }
      const result = await first?.result
      if (!first || !result) break
      pieces.shift()
      before = Uint8Array.of(...before, ...first.bytes.slice(-CONTEXT)).slice(-CONTEXT)
      this.#memory.release(first.bytes)
      position = advance(position, result, head)
      this.#replaced += result.replaced - head.replaced
      yield result.lines
    }
    const taken = pieces.map(({ bytes }) => bytes)
    const repaired = this.#options.strict ? headBytes : repairBytes(headBytes)
    yield* this.#readRest(taken, next, head.siteInfo, { bytes: repaired, next: position, before })
  }

  /** Reads the rest of the dump: what the splitter gave already, the piece that it is about to give, and what follows. `after`: what the rest continues. */
  async *#readRest(
    taken: readonly Uint8Array[],
    next: Promise<Uint8Array | undefined> | undefined,
    site: SiteInfo | undefined,
    after: DumpOptions['after'],
  ): AsyncGenerator<RecordLines[], void, undefined> {
    const { strict, maxRetained, onError, highWaterMark, signal } = this.#options
    const onFault = makeFaultHandler(onError, this.#options.onFault)
    const rest = this.#splitter.rest()
    const chunks = (async function* () {
      yield* taken
      const piece = await next
      if (piece) yield piece
      yield* rest
    })()
    const reader = readDump(chunks, {
      ...(after && { after }),
      strict,
      signal,
      highWaterMark,
      limits: { maxRetained },
      ...(onFault && { onFault }),
    })
    this.#rest = reader
    const siteInfo = site ?? (needsSiteInfo(this.#request.filter) ? await reader.siteInfo : undefined)
    yield* readRecordLines(reader, resolve(this.#request, siteInfo))
  }
}

const NOTHING = new Uint8Array(0)
const START: Position = { byteOffset: 0, line: 1, column: 1 }
/** Bytes of the input that are kept for excerpts around errors. */
const CONTEXT = 160

/** Whether a promise is settled before another one; true when there is none. */
async function isFirst(one: Promise<unknown>, two: Promise<unknown> | undefined): Promise<boolean> {
  return two ? Promise.race([one.then(() => true), two.then(() => false)]) : true
}

/** A promise whose rejection does not count as unhandled. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function resolve(request: RecordRequest, siteInfo: SiteInfo | undefined): RecordRequest {
  return { ...request, filter: resolveNamespaces(request.filter, siteInfo) }
}
