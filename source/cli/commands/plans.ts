// The commands that share work: dumps and documents in ranges.

import type { CommandEntry } from '../command.ts'
import { PLAN_OPTIONS } from '../options/dump-options.ts'
import { ALLOW_EMPTY, jobs, NO_WARNINGS, VERIFY_INPUTS } from '../options/option.ts'
import { parseName } from '../options/option-values.ts'

export const PLAN_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'plan',
    summary: 'divide dumps, or documents of records, into ranges that many workers can read',
    arguments: [['<dump...>', 'the dumps or documents to read: files, patterns or URLs']],
    options: PLAN_OPTIONS,
    help: `
Prints one line of JSON for the plan and one for each range, with everything that "xylem read"
needs. Ranges can be read in any order, in parallel, on many machines, and more than once; every
page is in exactly one range. Planning reads the beginning and the end of each file. A file can be
an http(s) URL of a server that sends ranges of bytes; it is known again by its size and its ends.

With --cuts, the plan has the places where each range begins and ends, so a range that does not is
an error of "xylem read". If all ranges succeed, every record was read once. With "guessed", these
are the first start tags that seem to be there, some KiB or a block of bzip2 after each cut; a range
without one is joined with the one before. With "verified", all of each file is read, which takes
as long as "xylem check"; the cuts are kept in .FILE.xylem-cuts.json for the next plan.

With --each, the files are documents of records: elements with these names, which mostly stand in
one element. Their encoding is UTF-8, and they are not compressed or are bzip2; any other file is
one range. A range begins at the first of these elements that it seems to have. "xylem commit"
checks that the range before ends there, in equal elements with equal namespaces; where it does
not, because the element stands in a comment, commit reads the range again from the right place.

Example:
  xylem plan 'dumps/*.bz2' --ns 0 > plan.jsonl
  tail -n +2 plan.jsonl | parallel --pipe -N1 xylem read - --output parts
  xylem commit plan.jsonl parts
  xylem plan --each row Posts.xml --field @Id --field @Title > posts.plan.jsonl
  xylem plan --each row Posts.xml --field @Id --cuts verified --format arrows > posts.plan.jsonl`,
    load: async () => (await import('../actions/plan.ts')).printPlan,
  },
  {
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
  },
  {
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
  },
]
