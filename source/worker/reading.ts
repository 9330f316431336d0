/// <reference lib="esnext.disposable" preserve="true" />
// Reading a document in batches: what a worker does, and this thread where there is none.

import type { ByteSource } from '../stream/sources/source.ts'
import { readXml } from '../xml/reader.ts'
import type { Batch, Question, ReadingOptions } from './protocol.ts'

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid options, paths and fields. */
export async function* readBatches(
  source: ByteSource,
  { decompress: isDecompressed, ...options }: ReadingOptions,
  { format, asObjects, path, fields, options: form }: Question,
  signal: AbortSignal,
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
