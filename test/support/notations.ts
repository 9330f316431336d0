// How the formats of lines write a record.

import type { RecordKind } from '../../source/mediawiki/lines/added-fields.ts'
import { ChosenFields } from '../../source/mediawiki/lines/chosen-fields.ts'
import { format as csv } from '../../source/record/format/csv.ts'
import type { FormatOptions } from '../../source/record/format/format.ts'
import { format as jsonl } from '../../source/record/format/jsonl.ts'
import type { LineFormat } from '../../source/record/format/lines.ts'
import { format as tsv } from '../../source/record/format/tsv.ts'

export const LINE_FORMATS = { jsonl, csv, tsv }
export const NOTATIONS = { jsonl: jsonl.notation, csv: csv.notation, tsv: tsv.notation }

/** Writes chosen fields of objects, a record at a time: its line without the end. */
export function chosenWriter(
  kind: RecordKind,
  {
    fields,
    format,
    setup = {},
  }: { readonly fields: readonly string[]; readonly format: LineFormat; readonly setup?: FormatOptions },
): (record: object, values?: object) => string {
  const chosen = new ChosenFields(kind, fields)
  return (record, values) => {
    const found = chosen.valuesOf(record, values)
    return format.notation.format(
      chosen.names,
      chosen.names.map((name) => found[name]),
      setup,
    )
  }
}
