// The grammars that come along, by their names.

import { combined } from './generated/texts/combined.ts'
import { csv } from './generated/texts/csv.ts'
import { json } from './generated/texts/json.ts'
import { jsonLines } from './generated/texts/json-lines.ts'
import { logfmt } from './generated/texts/logfmt.ts'
import { ntriples } from './generated/texts/ntriples.ts'
import { syslog } from './generated/texts/syslog.ts'
import { syslogBsd } from './generated/texts/syslog-bsd.ts'

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
