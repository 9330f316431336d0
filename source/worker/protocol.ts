// What the page and a worker that parses say to each other. All of it is plain data. A worker reads one document, and is ended then.
//
//     worker   'ready'
//     page     read                     with the source, and what is asked
//     worker   batch, batch             as many as it has leave for
//     page     more                     leave for one batch: the page has taken one
//     worker   end | failed
//
// Where chunks of the source are posted, the worker asks for each (`chunk`), and the page answers with it.

import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatName } from '../record/format/index.ts'
import type { RecordValues } from '../record/value.ts'
import type { TextOrBytes } from '../stream/chunk-encoder.ts'
import type { XmlOptions } from '../xml/options.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import type { ErrorData } from './error-data.ts'

/** Batches that a worker makes before the page takes the first of them: one that is taken, and one that is made meanwhile. */
export const BATCHES_AHEAD = 2

/** How the document is read: what can be sent of the options. */
export interface ReadingOptions extends Omit<XmlOptions, 'resolve' | 'onSkippedEntity' | 'signal'> {
  /** Whether compressed input is decompressed. */
  readonly decompress?: boolean | undefined
}

/** What is asked of the document. */
export interface Question {
  /** Undefined for columns, and for objects. */
  readonly format?: FormatName
  /** Whether records are posted as they are. */
  readonly asObjects?: boolean
  readonly path: string | readonly string[]
  readonly fields: XmlShape
  /** Those of the way of reading. The worker checks them. */
  readonly options: object
}

/** Some records: the bytes of a format, columns, or objects. */
export type Batch = Uint8Array | ColumnBatch | readonly RecordValues[]

/** A source as it is posted. */
export type PostedSource =
  | { readonly type: 'content'; readonly content: Uint8Array | string | Blob }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'chunks' }

export interface ReadRequest {
  readonly type: 'read'
  readonly source: PostedSource
  readonly options: ReadingOptions
  readonly question: Question
}

export type Request =
  | ReadRequest
  | { readonly type: 'more' }
  /** Undefined at the end of the source. */
  | { readonly type: 'chunk'; readonly chunk: TextOrBytes | undefined }
  | { readonly type: 'sourceFailed'; readonly message: string }
  | { readonly type: 'stop' }

export type Answer =
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly error: ErrorData }
  | { readonly type: 'chunk' }
  /** All that it held is closed. */
  | { readonly type: 'stopped' }
