// xz, by XZ Embedded in WebAssembly (xz-decompress): 70 MB/s of a dump, in one process on Node 20.

import xz from 'xz-decompress'
import { breathe } from '../../async/breathe.ts'
import { CompressionError, type CompressionErrorCode } from '../../compression/errors.ts'
import type { Cursor } from '../../stream/cursor.ts'

/** What its error codes mean (`enum xz_ret` in its xz.h). */
const ERRORS: Readonly<Record<number, readonly [CompressionErrorCode, string]>> = {
  2: ['unsupported', 'its check is not supported; decompress it first: xz -dc FILE | …'],
  4: ['unsupported', 'its dictionary is larger than 64 MiB; decompress it first: xz -dc FILE | …'],
  5: ['trailing-data', 'data that is not xz follows the last stream'],
  6: ['unsupported', 'its check or a filter is not supported; decompress it first: xz -dc FILE | …'],
  7: ['corrupt', 'the data is corrupt'],
  8: ['truncated', 'the input ends inside a stream'],
}

/** All streams from the cursor on, and the padding between them. Throws a `CompressionError`, after what came before the error. */
export async function* decompressXz(cursor: Cursor): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0
  const input = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // It copies what it was given before it asks for more.
        cursor.skip(given)
        given = 0
        if (!(await cursor.fill(1))) return controller.close()
        const chunk = cursor.peekChunk()
        given = chunk.length
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  const output = new xz.XzReadableStream(input).getReader()
  try {
    for (let next = await output.read(); !next.done; next = await output.read()) {
      if (next.value.length > 0) yield next.value
      const turn = breathe()
      if (turn) await turn
    }
  } catch (error) {
    const [, number] = /error code (\d+)$/.exec(error instanceof Error ? error.message : '') ?? []
    if (number === undefined) throw error
    const [code, message] = ERRORS[Number(number)] ?? ['corrupt', `it cannot be read (error ${number} of XZ Embedded)`]
    throw new CompressionError('xz', code, message, { byteOffset: cursor.offset + given }, error)
  } finally {
    // It frees its memory at the end of the data, and fails when it is to free that again.
    await output.cancel().catch(() => {})
  }
}
