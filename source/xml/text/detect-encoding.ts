// In which encoding a document is, found out without reading it. What reads a document from its middle has to know it.

import type { ReportsCharset } from '../../stream/sources/source-reader.ts'
import { XmlError } from '../errors/errors.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { DocumentDecoder } from './encoding.ts'

/**
 * The encoding of a document, from the beginning of its content: a name in lower case, such as `utf-8`, `utf-16le` or `iso-8859-1`. `said` is what something
 * outside of the document says, and `server` what its server does. Throws an `XmlError` where the beginning contradicts itself, and what reading it throws.
 */
export async function detectEncoding(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  said?: string,
  server?: Partial<ReportsCharset>,
): Promise<string> {
  const decoder = new DocumentDecoder(said)
  try {
    for await (const chunk of content) {
      decoder.charset = server?.charset
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
