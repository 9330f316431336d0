// The format in which the records of dumps are written, and which fields they then have.

import type { FormatField } from '../../record/format/format.ts'
import { FORMATS, type FormatName, findFormat } from '../../record/format/index.ts'
import type { RecordKind } from './added-fields.ts'
import { formatFields } from './page-form.ts'

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

/** The fields of records in a format; undefined for all of them, in formats of objects and of elements. */
export function fieldsOf(
  kind: RecordKind,
  format: FormatName,
  chosen: readonly string[] | undefined,
): readonly string[] | undefined {
  return chosen ?? (HAVE_ALL.has(FORMATS[format].kind) ? undefined : DEFAULT_FIELDS[kind])
}

/** What a format needs to know of the fields; none where all are written. */
export async function formatFieldsOf(
  kind: RecordKind,
  name: FormatName,
  chosen: readonly string[] | undefined,
): Promise<FormatField[]> {
  const { format } = await findFormat(name).module.load()
  return formatFields(kind, fieldsOf(kind, name, chosen), format)
}
