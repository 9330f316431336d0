// The bytes of one output.

import { concatBytes } from '../stream/chunk-encoder.ts'
import type { FormatWriter } from './format/format.ts'

const NO_BYTES = new Uint8Array(0)

/** Yields what the writer of an output makes of batches. The beginning comes with the first of them, and before an error. */
export async function* formatBatches<Batch>(
  writer: FormatWriter<Batch>,
  batches: AsyncGenerator<Batch, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isComplete = false
  let beginning: Uint8Array = NO_BYTES
  const withBeginning = (bytes: Uint8Array): Uint8Array[] => {
    const all = beginning.length === 0 ? bytes : concatBytes(beginning, bytes)
    beginning = NO_BYTES
    return all.length === 0 ? [] : [all]
  }
  try {
    beginning = await writer.begin()
    for await (const batch of batches)
      for (const bytes of [await writer.write(batch)].flat()) yield* withBeginning(bytes)
    yield* withBeginning(await writer.end())
    isComplete = true
  } catch (error) {
    yield* withBeginning(NO_BYTES)
    throw error
  } finally {
    if (!isComplete) {
      await batches.return()
      await writer.abandon?.()
    }
  }
}
