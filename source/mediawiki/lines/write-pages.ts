// The pages of a dump in a format, as `xylem pages` writes them.

import type { Items } from '../../async/items.ts'
import type { FormatWriter } from '../../record/format/format.ts'
import { type FormatName, readFormatOptions } from '../../record/format/index.ts'
import { formatBatches } from '../../record/format-batches.ts'
import { Report } from '../../record/report.ts'
import { formatFields } from './page-form.ts'
import type { PageLineFilter, PageLines, PageWriteOptions } from './page-lines.ts'
import type { SeenRecord } from './record-counters.ts'
import { chooseFormat } from './record-format.ts'

/** Writes pages that `read` reads. Rejects as soon as the signal aborts, also while there are bytes of a batch. */
export async function* writePages(
  read: (filter: PageLineFilter) => Items<PageLines>,
  name: FormatName,
  { namespaces, redirects, isWanted, limit, ...options }: PageWriteOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const choice = await chooseFormat('pages', name, readFormatOptions(name, options))
  const open = choice.format.open as NonNullable<typeof choice.format.open>
  const writer: FormatWriter<unknown> = open(formatFields('pages', choice.fields, choice.format), choice.setup)
  const filter = { namespaces, redirects, isWanted, limit, choice, report: new Report<SeenRecord>([]) }
  for await (const bytes of formatBatches(writer, read(filter))) {
    yield bytes
    signal.throwIfAborted()
  }
}
