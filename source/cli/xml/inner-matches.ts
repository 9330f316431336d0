// Elements that match, but lie in another one that does: by default the outer one becomes a record, and they do not.

import { type Counter, count } from '../../record/report.ts'
import type { RecordView } from '../../xml/output/record-view.ts'

interface InnerCount {
  readonly matches: number
  readonly records: number
}

/** Counts them, and the records in which they lie. */
export function countInner(): Counter<RecordView, InnerCount> {
  const join = ({ matches, records }: InnerCount = { matches: 0, records: 0 }, later: InnerCount) => ({
    matches: matches + later.matches,
    records: records + later.records,
  })
  const dataOf = ({ innerMatches: matches }: RecordView) => (matches > 0 ? { matches, records: 1 } : undefined)
  return count('inner', join, { on: 'written', dataOf, say: warn })
}

function warn({ matches, records }: InnerCount): string[] {
  const [lie, were] = matches === 1 ? ['element lies', 'was'] : ['elements lie', 'were']
  const [inner, outer] = [matches, records].map((count) => count.toLocaleString('en'))
  return [
    `xylem: warning: ${inner} matching ${lie} in ${outer} ${records === 1 ? 'record' : 'records'} and ${were} left out; --nested all gives all of them`,
  ]
}
