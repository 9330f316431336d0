// The format in which the records of dumps are written, and which fields they then have.

import { nameOfField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { FormatField } from '../../record/format/format.ts'
import { FORMATS, type FormatName } from '../../record/format/index.ts'
import { listFields } from '../output/field-names.ts'

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

/** The fields of records in a format; undefined for all of them, in formats of JSON objects. */
export function fieldsOf(
  kind: RecordKind,
  format: FormatName,
  chosen: readonly string[] | undefined,
): readonly string[] | undefined {
  return chosen ?? (FORMATS[format].kind === 'objects' ? undefined : DEFAULT_FIELDS[kind])
}

/** Fields of records as a format knows them. Objects and arrays in them are JSON in a text. */
export function formatFields(kind: RecordKind, fields: readonly string[] = []): FormatField[] {
  const types = new Map(listFields(kind).map(({ name, type }) => [name, type]))
  return fields.map((text) => {
    const name = nameOfField(kind, text)
    const type = types.get(name)
    const as = type === 'integer' ? 'integer' : type === 'true' ? 'present' : 'string'
    return { name, kind: as, isList: false, record: undefined }
  })
}
