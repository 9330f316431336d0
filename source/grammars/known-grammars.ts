// The grammars that come along, by their names.

import { combined } from './generated/combined.ts'
import { csv } from './generated/csv.ts'
import { json } from './generated/json.ts'
import { jsonLines } from './generated/json-lines.ts'
import { logfmt } from './generated/logfmt.ts'
import { ntriples } from './generated/ntriples.ts'
import { syslog } from './generated/syslog.ts'
import { syslogBsd } from './generated/syslog-bsd.ts'

/** Their texts, in the dialect `xylem`. */
export const KNOWN_GRAMMARS: ReadonlyMap<string, string> = new Map([
  ['combined', combined],
  ['csv', csv],
  ['json', json],
  ['json-lines', jsonLines],
  ['logfmt', logfmt],
  ['ntriples', ntriples],
  ['syslog', syslog],
  ['syslog-bsd', syslogBsd],
])

/** What a grammar is for: the first line of its text. */
export function summarize(text: string): string {
  return /(?<=^# ).*(?=\.$)/m.exec(text)?.[0] ?? ''
}
