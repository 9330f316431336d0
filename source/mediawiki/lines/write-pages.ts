// The pages of a dump in a format, as `xylem pages` writes them.

import type { Items } from '../../async/items.ts'
import type { FormatOptions, FormatWriter } from '../../record/format/format.ts'
import { type FormatName, findFormat, USUAL_FORMAT } from '../../record/format/index.ts'
import { formatBatches } from '../../record/format-batches.ts'
import type { PageLineFilter, PageLines, PageWriteOptions, WrittenLines } from './page-lines.ts'
import { fieldsOf, formatFieldsOf } from './record-format.ts'

/** Writes pages that `read` reads. Rejects as soon as the signal aborts, also while there are bytes of a batch. */
export async function* writePages(
  read: (filter: PageLineFilter) => Items<PageLines>,
  name: FormatName,
  { safe: isSafe = false, ...filter }: PageWriteOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = await findFormat(name).module.load()
  const options: FormatOptions = { ...USUAL_FORMAT, isSafe }
  const choice = { fields: fieldsOf('pages', name, undefined), format, isSafe, rows: options.rows }
  const open = format.open as NonNullable<typeof format.open>
  const writer: FormatWriter<unknown> = open(await formatFieldsOf('pages', name, undefined), options)
  for await (const bytes of formatBatches(writer, collectBatches(read({ ...filter, choice, counts: false })))) {
    yield bytes
    signal.throwIfAborted()
  }
}

async function* collectBatches(lines: Items<PageLines>): AsyncGenerator<unknown, void, undefined> {
  for await (const { batches } of lines as Items<WrittenLines>) yield* batches
}
