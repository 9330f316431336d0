// `xylem commit`: the end of a plan.

import type { CommandEntry } from '../command.ts'
import { ALLOW_EMPTY, NO_WARNINGS, VERIFY_INPUTS } from '../options/option.ts'

export const commit: CommandEntry = {
  name: 'commit',
  summary: 'check that the parts of a plan are complete, and mark them as complete',
  arguments: [
    ['<plan>', 'the output of xylem plan, or - for standard input'],
    ['<folder>', 'the folder with the parts that xylem read wrote'],
  ],
  options: [
    ['--quick', 'compare only the sizes of the parts, not their content'],
    ['--reports', 'check the reports on the ranges alone (FOLDER/_manifest/ID.json); there are no parts'],
    VERIFY_INPUTS,
    ALLOW_EMPTY,
    NO_WARNINGS,
  ],
  help: `
Checks that the folder has a part for every range of the plan, that no part has changed since it
was written (by its SHA-256), that the ranges cover every byte and every page of the dumps, and
that the checksums of the archives match. Then writes the totals to _SUCCESS, and prints them. With
--quick, it compares only the sizes of the parts and does not read them. Exits with 1 if the parts
have no record, or lack something that the plan asks for.

Of documents of records (plan --each), it writes parts again whose first record was not the first
that their range seemed to have, because that stands in a comment. For that it reads the file. A
plan with cuts (plan --cuts) needs none of that.

All parts of a file must have been read from one state of it: the same device, inode, size and time,
or ETag and Last-Modified of a URL. Otherwise the exit code is 4. A file that was only touched or
copied between two ranges passes with --verify-inputs, which reads what was read from it again, and
compares digests.

With --reports, an engine has the records, and the folder has the trailer of each range that it has
read, in _manifest under the id of the range. They prove the same of the ranges and the files.

Example:
  xylem commit plan.jsonl parts`,
  load: async () => (await import('../actions/commit.ts')).commitParts,
}
