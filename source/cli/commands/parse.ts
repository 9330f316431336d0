// `xylem parse`: an input to values or trees, by a grammar.

import type { CommandEntry } from '../command.ts'
import { PARSE_OPTIONS } from '../options/grammar-options.ts'
import { INPUTS } from '../options/option-values.ts'

export const parse: CommandEntry = {
  name: 'parse',
  summary: 'parse an input with a grammar, and print its records, other values, or its tree',
  arguments: [['[input...]', `the inputs to parse: ${INPUTS} (the default)`]],
  options: PARSE_OPTIONS,
  usesStandardInput: () => true,
  help: `
Where the grammar has fields, prints values: records, texts, numbers and lists, as the grammar
says (docs/grammar.md). If the entry is a repetition of one rule, each value of that rule is
printed as soon as it is certain, in bounded memory; otherwise that of the entry. Records can be
JSON lines, or in another format. With --header, the cells of the first row of each input are the
names of the fields; tables of them need --fields.

Without fields, or with --tree, prints the tree of the input as one line of JSON, or with --emit
each node of a rule. A line has type, start and end (byte offsets), count, value (text or nodes)
and ref (lines and columns).

Inputs can be compressed with gzip, bzip2, zstd or xz. With --check, an input that does not match
does not keep the others from being checked.

Examples:
  xylem parse --grammar @combined access.log.gz --format csv --output access.csv
  xylem parse --grammar @combined --fields status,bytes access.log
  xylem parse --grammar log.bnf --tree --emit line huge.log.gz | head
  xylem parse --grammar @csv --check 'tables/*.csv' && echo valid`,
  load: async () => (await import('../actions/parse.ts')).parseInputs,
}
