// What inputs have that a sample did not show, or that is in no record: said at the end.

import type { AuditReport, LeftCount } from '../../xml/infer/audit/audit-report.ts'
import type { LeftWhy } from '../../xml/infer/audit/leftover.ts'
import type { InferredShape } from '../../xml/infer/infer-shape.ts'
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

/** Why an input has no record, if an element on the way to records has another prefix there than in the sample; otherwise, an empty text. */
export function describeOtherPrefix(
  { paths }: InferredShape,
  outside: AuditReport['outside'],
  before: AuditReport['outside'],
): string {
  const local = (path: string) => `${path.replace(/[^/:]+:/g, '')}/`
  for (const [path, count] of outside) {
    const record = paths.find((one) => count !== before.get(path) && local(one).startsWith(local(path)))
    if (record)
      return ` (its ${path} has another prefix than in ${record} of the sample; names count as they are written)`
  }
  return ''
}

function describe({ path, records }: LeftCount): string {
  return `${path} in ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}`
}
