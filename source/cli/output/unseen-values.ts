// What inputs have that a sample did not show, or that is in no record: said at the end.

import type { AuditCounts } from '../../xml/infer/audit/audit.ts'
import { listFirst } from '../terminal/word-list.ts'

/** Paths that are named. */
const MOST_NAMES = 10
/** Names of what is left begin with why it is. */
const LEFT = {
  'unseen ': 'not in the sample',
  'repeated ': 'more than one where the sample had one',
  'mistyped ': 'not of the kind of the sample',
}

/** What there is to say, in lines. */
export function describeUnseen({ left, outside }: Partial<AuditCounts>): string[] {
  const lines: string[] = []
  for (const [why, words] of Object.entries(LEFT)) {
    const found = (left?.names ?? []).filter(([name]) => name.startsWith(why))
    const paths = found
      .sort(([, one], [, other]) => other.count - one.count)
      .map(
        ([name, { count }]) =>
          `${name.slice(why.length)} in ${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`,
      )
    if (paths.length > 0) lines.push(`xylem: ${words}: ${listFirst(paths, MOST_NAMES)} (see the field rest)`)
  }
  const paths = outside?.names.map(([path, { count }]) => `${path} (${count.toLocaleString('en')})`)
  if (paths) lines.push(`xylem: in no record: ${listFirst(paths, MOST_NAMES)}`)
  if ([left, outside].some((tally) => tally && tally.others > 0))
    lines.push('xylem: there are more paths that were not in the sample; only some are counted')
  return lines
}
