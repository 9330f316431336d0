// The format in which the records of dumps are written, and which fields they then have.

import { nameOfField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import type { FormatField } from '../../xml/format/format.ts'
import { FORMATS, type FormatName } from '../../xml/format/index.ts'
import { listFields } from '../output/field-names.ts'
import { requireTable } from '../output/record-output.ts'

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

/** How records are written. It can be sent to a worker. */
export interface RecordFormat {
  readonly format: FormatName
  /** Undefined for all of them, in formats of JSON objects. */
  readonly fields: readonly string[] | undefined
  readonly csvSafe: boolean
}

/** Throws a `UsageError` for options that do not apply to the format. */
export function chooseFormat(
  kind: RecordKind,
  format: FormatName,
  { fields, csvSafe = false }: { readonly fields?: readonly string[]; readonly csvSafe?: boolean },
): RecordFormat {
  if (csvSafe) requireTable(format)
  const hasAll = FORMATS[format].kind === 'objects'
  return { format, fields: fields ?? (hasAll ? undefined : DEFAULT_FIELDS[kind]), csvSafe }
}

/** Chosen fields of records as a format knows them. Objects and arrays in them are JSON in a text. */
export function formatFields(kind: RecordKind, fields: readonly string[]): FormatField[] {
  const types = new Map(listFields(kind).map(({ name, type }) => [name, type]))
  return fields.map((text) => {
    const name = nameOfField(kind, text)
    const type = types.get(name)
    const as = type === 'integer' ? 'integer' : type === 'true' ? 'present' : 'string'
    return { name, kind: as, isList: false, record: undefined }
  })
}
