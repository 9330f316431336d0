// The format in which the records of dumps are written, which fields they then have, and pages in it, as `xylem pages` writes them.

import type { Items } from '../../async/items.ts'
import type { FormatOptions, FormatSetup, FormatWriter } from '../../record/format/format.ts'
import { FORMATS, type FormatName, findFormat, readFormatOptions, USUAL_FORMAT } from '../../record/format/index.ts'
import { formatBatches } from '../../record/format-batches.ts'
import { Report } from '../../record/report.ts'
import type { RecordKind } from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'
import { formatFields } from './page-form.ts'
import type { PageLineFilter, PageLines, PageWriteOptions } from './page-lines.ts'
import type { SeenRecord } from './record-counters.ts'

/** Fields of tables and of columns, unless others are chosen. */
const DEFAULT_FIELDS: Record<RecordKind, readonly string[]> = {
  pages: [
    'id',
    'ns',
    'title',
    'redirect',
    'revision.id',
    'revision.timestamp',
    'revision.bytes',
    'revision.sha1',
    'revision.text',
  ],
  revisions: ['page.id', 'page.ns', 'page.title', 'id', 'parentid', 'timestamp', 'bytes', 'sha1', 'text'],
}

/** Kinds of formats in which records have all fields. */
const HAVE_ALL = new Set(['objects', 'elements'])

/** What is written of each record in a format: the fields that are chosen, or all of them, or in tables and columns the usual ones. */
export async function chooseFormat(
  kind: RecordKind,
  name: FormatName,
  options: FormatOptions | undefined,
  chosen?: readonly string[],
): Promise<LineChoice & { readonly setup: FormatSetup }> {
  const { format } = await findFormat(name).module.load()
  const fields = chosen ?? (HAVE_ALL.has(FORMATS[name].kind) ? undefined : DEFAULT_FIELDS[kind])
  return { fields, format, setup: { ...USUAL_FORMAT, ...options } }
}

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
