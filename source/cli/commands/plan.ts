// `xylem plan`: dumps as ranges for many workers.

import type { CommandEntry } from '../command.ts'
import { PLAN_OPTIONS } from '../options/dump-options.ts'

export const plan: CommandEntry = {
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
}
