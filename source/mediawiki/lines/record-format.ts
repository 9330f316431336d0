// The format in which the records of dumps are written, and which fields they then have.

import type { FormatOptions, FormatSetup } from '../../record/format/format.ts'
import { FORMATS, type FormatName, findFormat, USUAL_FORMAT } from '../../record/format/index.ts'
import type { RecordKind } from './added-fields.ts'
import type { LineChoice } from './chosen-fields.ts'

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
