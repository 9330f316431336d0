// `xylem read`: one range of a plan.

import type { CommandEntry } from '../command.ts'
import { jobs } from '../options/option.ts'
import { parseName } from '../options/option-values.ts'

export const read: CommandEntry = {
  name: 'read',
  summary: 'read one range of a plan',
  arguments: [['<range>', 'a line of the plan, or - to read it from standard input']],
  options: [['-o, --output <folder>', 'write a part file into this folder', parseName], jobs(undefined, 1)],
  help: `
Prints the records of a range in the format of the plan (JSON lines, unless "xylem plan --format"
said otherwise). The last line, {"trailer": …}, has their number, bytes and SHA-256, the first and
last page, and what is needed to check the complete dump; if it is missing, the range was not read
completely. Formats that are not made of lines, such as Parquet, need --output. With --output,
writes a part file into a folder. The part appears when it is complete, and writing it twice does
no harm.

Exit codes: 3 the input is corrupt, or the range was cut in the wrong place: do not retry; 4 the
input has changed since the plan was created; 5 the input could not be read: a retry can succeed.

Example:
  sed -n 2p plan.jsonl | xylem read - --output parts`,
  load: async () => (await import('../actions/read.ts')).readPlanned,
}
