// Dumps in other encodings than UTF-8, which hardly any are.

import { makeTranscoder } from '../../text/transcoders.ts'
import { XmlError } from '../../xml/errors/errors.ts'

/**
 * The UTF-8 of what is in the encoding that `detectEncoding` names. Throws an `XmlError` with the code `malformed-text` for bytes that are
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
