// What can be asked of a worker, and how.

import { withCode } from '../stream/errors.ts'
import { type OptionKinds, requireOptions } from '../stream/options.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import type { ColumnOptions, RecordOptions, WriteOptions } from '../xml/options.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import type { WhereConditions } from '../xml/question/where.ts'
import type { ReadingOptions } from './reading.ts'

/** What a worker reads: the content of a URL, which it fetches itself, or a source as everywhere. */
export type XmlWorkerSource = ByteSource | URL

/** Options for reading a document in a worker: those of `readXml` that are not functions, and how the worker gets its source. */
export interface XmlWorkerOptions extends ReadingOptions {
  /** Whether gzip, bzip2 and zstd are detected and decompressed, in the worker (default: false). */
  readonly decompress?: boolean | undefined
  /** Whether the memory of a `Uint8Array` or an `ArrayBuffer` is transferred to the worker: it is empty here then. Otherwise it is copied (default: false). */
  readonly transfer?: boolean | undefined
  /**
   * Where the script of the worker is: a copy of the file `xylem/xml-worker.js`. Without it, workers in browsers are started from a Blob URL, which
   * some pages forbid. If no worker can be started, the document is read on this thread.
   */
  readonly workerUrl?: string | URL | undefined
  /** Stops reading when it aborts: the streams fail with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of a way of reading, with conditions as data: functions cannot be sent to a worker. */
type AsData<Options> = Omit<Options, 'where' | 'onError'> & {
  /** What to do at an error in a record. */
  readonly onError?: 'stop' | 'skip' | undefined
  /** Which records to deliver: conditions on fields. */
  readonly where?: WhereConditions | readonly WhereConditions[] | undefined
}
/** Options for records that a worker reads: those of `XmlReader.records`, with conditions as data. */
export type XmlWorkerRecordOptions<Shape extends XmlShape = XmlShape> = AsData<RecordOptions<Shape>>
/** Options for bytes of a format that a worker writes: those of `XmlReader.write`, with conditions as data. */
export type XmlWorkerWriteOptions<Shape extends XmlShape = XmlShape> = AsData<WriteOptions<Shape>>
/** Options for columns that a worker makes: those of `XmlReader.columns`, with conditions as data. */
export type XmlWorkerColumnOptions<Shape extends XmlShape = XmlShape> = AsData<ColumnOptions<Shape>>

// Written out: the page loads none of what reads XML.
const KINDS: OptionKinds<XmlWorkerOptions> = {
  namespaces: 'boolean',
  encoding: 'string',
  fragment: 'boolean',
  entities: 'object',
  limits: 'object',
  normalizeLineEnds: 'boolean',
  engine: ['wasm', 'plain'],
  decompress: 'boolean',
  transfer: 'boolean',
  workerUrl: 'any',
  signal: 'signal',
}

/** Throws a `TypeError` with the code `invalid-option` for what is not such an object. The worker checks the values. */
export function requireWorkerOptions(options: XmlWorkerOptions): void {
  for (const name of ['resolve', 'onSkippedEntity', 'onReplace'])
    refuseFunction(name, (options as Record<string, unknown>)?.[name])
  requireOptions(options, KINDS)
}

/** Throws a `TypeError` with the code `invalid-option` for options that are functions. */
export function requireData(options: { readonly where?: unknown; readonly onError?: unknown }): void {
  refuseFunction('where', options?.where)
  refuseFunction('onError', options?.onError)
}

/** Checks the options of records, which the worker writes as JSON lines: those of writing are not for them. */
export function requireRecordData(options: { readonly where?: unknown }): void {
  requireData(options)
  for (const name of ['absent', 'safe', 'elements']) {
    if ((options as Record<string, unknown> | null)?.[name] === undefined) continue
    throw withCode(new TypeError(`unknown option ${name}: records are not written in a format`), 'invalid-option')
  }
}

function refuseFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') return
  const ways: Record<string, string> = { where: 'give it as conditions', onError: 'use skip' }
  const advice = ways[name] ?? 'read the document with readXml'
  throw withCode(new TypeError(`${name} is a function, which cannot be sent to a worker: ${advice}`), 'invalid-option')
}
