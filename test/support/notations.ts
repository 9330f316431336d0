// How the formats of lines write a record.

import { format as csv } from '../../source/xml/format/csv.ts'
import { format as jsonl } from '../../source/xml/format/jsonl.ts'
import { format as tsv } from '../../source/xml/format/tsv.ts'

export const NOTATIONS = { jsonl: jsonl.notation, csv: csv.notation, tsv: tsv.notation }
