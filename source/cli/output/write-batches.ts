// Writing what comes in batches, with a line on the terminal that tells how far it has come.

import type { InputsReader } from '../inputs/read-inputs.ts'
import { ProgressLine, showsProgress } from '../terminal/progress.ts'
import { type Output, openOutput } from './output.ts'

/** UTF-16 units that are put together before they are written. */
const PIECE = 64 * 1024

/** What is written, and how. */
export interface BatchWriting<Item> {
  /** What is counted, in the plural. */
  readonly noun: string
  readonly options: { readonly limit?: number; readonly output?: string; readonly quiet?: true }
  /** Files that the output must not overwrite. */
  readonly inputPaths: readonly string[]
  readonly signal: AbortSignal
  readonly format: (item: Item) => Iterable<string | Uint8Array>
  /** How many an item counts as, and the first of them: each is one unless it is said. */
  readonly countOf?: (item: Item) => number
  readonly cut?: (item: Item, count: number) => Item
}

/** Writes all items, or as many as the limit allows. */
export async function writeBatches<Item>(
  reader: InputsReader<readonly Item[]>,
  writing: BatchWriting<Item>,
): Promise<void> {
  const { noun, options, inputPaths, signal } = writing
  const batches = reader.items()
  const progress = new ProgressLine(showsProgress(options), noun)
  try {
    // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first items.
    const first = await batches.next()
    const output = await openOutput(options.output, inputPaths, signal)
    try {
      await writeAll(first, batches, output, writing, (written) => progress.update(reader.progress, written))
    } catch (error) {
      progress.clear()
      await output.abandon()
      throw error
    }
    progress.clear()
    await output.close()
  } finally {
    await batches.return(undefined)
  }
}

async function writeAll<Item>(
  first: IteratorResult<readonly Item[], void>,
  others: AsyncGenerator<readonly Item[], void>,
  output: Output,
  { options: { limit = Number.POSITIVE_INFINITY }, format, countOf, cut }: BatchWriting<Item>,
  onWritten: (written: number) => void,
): Promise<void> {
  let written = 0
  for (let batch = first; !batch.done && written < limit; batch = await others.next()) {
    const items: Item[] = []
    for (const item of batch.value) {
      const left = limit - written
      if (left <= 0) break
      const count = countOf?.(item) ?? 1
      items.push(cut && count > left ? cut(item, left) : item)
      written += Math.min(count, left)
    }
    await writeItems(items, output, format)
    onWritten(written)
    if (written >= limit) return
  }
}

/** Writes small items together, and large ones in pieces. */
async function writeItems<Item>(
  items: readonly Item[],
  output: Output,
  format: (item: Item) => Iterable<string | Uint8Array>,
): Promise<void> {
  let text = ''
  for (const item of items) {
    for (const piece of format(item)) {
      if (typeof piece !== 'string') {
        if (text !== '') await output.write(text)
        text = ''
        await output.write(piece)
        continue
      }
      text += piece
      if (text.length < PIECE) continue
      await output.write(text)
      text = ''
    }
  }
  if (text !== '') await output.write(text)
}
