// Writing what comes in batches, with a line on the terminal that tells how far it has come.

import type { Progress } from '../../stream/source.ts'
import { ProgressLine } from '../progress.ts'
import type { Output } from './output.ts'

/** UTF-16 units that are put together before they are written. */
const PIECE = 64 * 1024

/** What is written, and how. */
export interface BatchWriting<Item> {
  /** The batch that has been asked for already, and the generator of those behind it. */
  readonly first: IteratorResult<readonly Item[], void>
  readonly others: AsyncGenerator<readonly Item[]>
  /** What is counted, in the plural. */
  readonly noun: string
  readonly limit: number | undefined
  /** Whether a terminal may be told of the progress. */
  readonly isTold: boolean
  readonly source: { readonly progress: Progress }
  readonly format: (item: Item) => Iterable<string>
}

/** Writes all items, or as many as the limit allows, and closes the output. */
export async function writeBatches<Item>(output: Output, writing: BatchWriting<Item>): Promise<void> {
  const { first, others, noun, limit = Number.POSITIVE_INFINITY, isTold, source, format } = writing
  const progress = new ProgressLine(isTold, noun)
  let written = 0
  try {
    for (let batch = first; !batch.done && written < limit; batch = await others.next()) {
      const items = batch.value.slice(0, limit - written)
      await writeItems(items, output, format)
      written += items.length
      progress.update(source.progress, written)
      if (written === limit) break
    }
  } catch (error) {
    await output.abandon()
    throw error
  } finally {
    progress.clear()
  }
  await output.close()
}

/** Writes small items together, and large ones in pieces. */
async function writeItems<Item>(
  items: readonly Item[],
  output: Output,
  format: (item: Item) => Iterable<string>,
): Promise<void> {
  let text = ''
  for (const item of items) {
    for (const piece of format(item)) {
      text += piece
      if (text.length < PIECE) continue
      await output.write(text)
      text = ''
    }
  }
  if (text !== '') await output.write(text)
}
