// What audits have found in all documents: counts by paths.

import { countNames, Report, sum, type Tally } from '../../../record/report.ts'

/** Different paths that are counted. */
const MOST_PATHS = 1000

export interface AuditCounts {
  /** How many records were looked at. */
  readonly records: number
  /** What is left in records: why and where, with a space between them, and in how many records. */
  readonly left: Tally
  /** What is in no record, by its path. */
  readonly outside: Tally
}

export class AuditReport extends Report<never, AuditCounts> {
  constructor() {
    super([sum('records'), countNames('left', MOST_PATHS), countNames('outside', MOST_PATHS)])
  }
}
