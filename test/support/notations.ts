// How the formats of lines write a record.

import { format as csv } from '../../source/record/format/csv.ts'
import { format as jsonl } from '../../source/record/format/jsonl.ts'
import { format as tsv } from '../../source/record/format/tsv.ts'

export const NOTATIONS = { jsonl: jsonl.notation, csv: csv.notation, tsv: tsv.notation }
