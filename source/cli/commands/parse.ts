// `xylem parse`: an input to values or trees, by a grammar.

import type { CommandEntry } from '../command.ts'
import { FORMAT, formatOptions } from '../options/format-options.ts'
import { AS, DIALECT, GRAMMAR_SOURCE, parseNames } from '../options/grammar-options.ts'
import { PARSE_LIMITS } from '../options/limit-options.ts'
import { ALLOW_EMPTY, jobs, NO_WARNINGS, OUTPUT, QUIET } from '../options/option.ts'
import { INPUTS, oneOf, parseCount, parseList } from '../options/option-values.ts'

export const parse: CommandEntry = {
  name: 'parse',
  summary: 'parse an input with a grammar, and print its records, other values, or its tree',
  arguments: [['[input...]', `the inputs to parse: ${INPUTS} (the default)`]],
  options: [
    ['-g, --grammar <file>', `the grammar (required): ${GRAMMAR_SOURCE}`, { isRequired: true }],
    ['--entry <rule>', 'the rule to start with', { default: 'program' }],
    ['--emit <rules>', 'print what these rules give, separated by commas (default: see below)', parseNames],
    ['--tree', 'print nodes of the tree also where the grammar has fields'],
    ['--fields <names>', 'of records, print only these fields in this order, separated by commas', parseList],
    AS,
    ['--positions', 'add start and end to records: offsets in bytes'],
    ['--header', 'of rows with cells, such as those of @csv, take the first as the names of the others'],
    ['--lenient', 'print null for a text that is not of its kind; otherwise it is an error'],
    [
      '--nested <which>',
      'of matches inside each other, print the outermost or innermost',
      { parse: oneOf('outermost', 'innermost'), default: 'outermost' },
    ],
    ['--check', 'print nothing; check whether the input matches (exit code 0 or 1)'],
    ['--partial', 'allow more input after what the entry rule matches'],
    FORMAT,
    ...formatOptions(),
    ...formatOptions('file'),
    ['--limit <n>', 'stop after N values or nodes', parseCount],
    ...Object.values(PARSE_LIMITS),
    DIALECT,
    jobs(),
    OUTPUT,
    ALLOW_EMPTY,
    NO_WARNINGS,
    QUIET,
  ],
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
