// What inputs have that a sample did not show, or that is in no record: said at the end.

import type { AuditReport, LeftCount } from '../../xml/infer/audit/audit-report.ts'
import type { LeftWhy } from '../../xml/infer/audit/leftover.ts'
import { tell } from '../terminal/terminal.ts'
import { listFirst } from '../terminal/word-list.ts'

/** Paths that are named. */
const MOST_NAMES = 10
const WORDS: Readonly<Record<LeftWhy, string>> = {
  unseen: 'not in the sample',
  repeated: 'more than one where the sample had one',
  mistyped: 'not of the kind of the sample',
}

/** Says it on standard error; nothing where there is nothing to say. */
export function reportUnseenValues(report: AuditReport): void {
  for (const why of Object.keys(WORDS) as LeftWhy[]) {
    const found = report.left.filter((one) => one.why === why)
    if (found.length > 0)
      tell(`xylem: ${WORDS[why]}: ${listFirst(found.map(describe), MOST_NAMES)} (see the field rest)`)
  }
  const outside = [...report.outside].map(([path, count]) => `${path} (${count.toLocaleString('en')})`)
  if (outside.length > 0) tell(`xylem: in no record: ${listFirst(outside, MOST_NAMES)}`)
  if (report.isCut) tell('xylem: there are more paths that were not in the sample; only some are counted')
}

function describe({ path, records }: LeftCount): string {
  return `${path} in ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}`
}
