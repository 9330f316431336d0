// In which encoding a dump is. Nearly all are UTF-8. What reads a dump from its middle has to know it of the others.

import { makeTranscoder } from '../../text/transcoders.ts'
import { XmlError } from '../../xml/errors/errors.ts'
import { UnplacedError } from '../../xml/errors/unplaced-error.ts'
import { DocumentDecoder } from '../../xml/text/encoding.ts'

/**
 * The encoding of a dump, from the beginning of its content: a name in lower case, such as `utf-8`, `utf-16le` or `iso-8859-1`. Throws an
 * `XmlError` where the beginning contradicts itself, and what reading it throws.
 */
export async function detectDumpEncoding(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new DocumentDecoder()
  try {
    for await (const chunk of content) {
      decoder.push(chunk)
      if (decoder.isDecided || decoder.needsTranscoder) break
    }
    if (!decoder.isDecided && !decoder.needsTranscoder) decoder.end()
  } catch (error) {
    if (!(error instanceof UnplacedError)) throw error
    throw new XmlError(error.message, { code: error.code, byteOffset: 0, line: 1, column: 1 })
  }
  return decoder.encoding
}

/**
 * The UTF-8 of what is in the encoding that `detectDumpEncoding` names. Throws an `XmlError` with the code `malformed-text` for bytes that are
 * not text in it, after the text before them; its `byteOffset` counts from the first chunk, to the chunk that has them.
 */
export async function* decodeToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const transcoder = makeTranscoder(encoding)
  let byteOffset = 0
  for await (const chunk of chunks) {
    yield transcoder ? transcoder.push(chunk) : chunk
    if (transcoder?.error !== undefined) throw new XmlError(transcoder.error, { code: 'malformed-text', byteOffset })
    byteOffset += chunk.length
  }
}
