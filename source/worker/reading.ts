/// <reference lib="esnext.disposable" preserve="true" />
// What is read of a document, as plain data, and reading it: in a worker, and on this thread where there is none.

import type { ColumnBatch } from '../record/format/column.ts'
import type { FormatName } from '../record/format/index.ts'
import type { RecordValues } from '../record/value.ts'
import type { ByteSource } from '../stream/sources/source.ts'
import type { XmlOptions } from '../xml/options.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import { readXml } from '../xml/reader.ts'

/** How the document is read: what can be sent of the options. */
export interface ReadingOptions extends Omit<XmlOptions, 'resolve' | 'onSkippedEntity' | 'onReplace' | 'signal'> {
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

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, paths and fields. */
export async function* readBatches(
  source: ByteSource,
  { decompress: isDecompressed, ...options }: ReadingOptions,
  { format, asObjects, path, fields, options: form }: Question,
  signal?: AbortSignal,
): AsyncGenerator<Batch, void, undefined> {
  const reader = readXml(isDecompressed ? await decompressed(source) : source, { ...options, signal })
  try {
    if (format !== undefined) yield* reader.write(format, path, fields, form)
    else if (asObjects) yield* reader.records(path, fields, form).batches()
    else yield* reader.columns(path, fields, form)
  } finally {
    await reader[Symbol.asyncDispose]()
  }
}

/** Few documents are compressed. */
async function decompressed(source: ByteSource): Promise<ByteSource> {
  const { decompress } = await import('../compression/decompress.ts')
  return decompress(source, { loneSurrogate: 'U+FFFF' })
}
