// `xylem parse`: an input to trees, by a grammar.

import type { CommandEntry } from '../command.ts'
import { FORMAT } from '../options/format-options.ts'
import { DIALECT, GRAMMAR_SOURCE, parseNames } from '../options/grammar-options.ts'
import { PARSE_LIMITS } from '../options/limit-options.ts'
import { jobs, OUTPUT, QUIET } from '../options/option.ts'
import { INPUTS, oneOf, parseCount } from '../options/option-values.ts'

export const parse: CommandEntry = {
  name: 'parse',
  summary: 'parse an input with a grammar, and print its tree or parts of it as JSON lines',
  arguments: [['[input...]', `the inputs to parse: ${INPUTS} (the default)`]],
  options: [
    ['-g, --grammar <file>', `the grammar (required): ${GRAMMAR_SOURCE}`, { isRequired: true }],
    ['--entry <rule>', 'the rule to start with', { default: 'program' }],
    ['--emit <rules>', 'print the nodes of these rules, separated by commas, instead of the tree', parseNames],
    [
      '--nested <which>',
      'of nodes inside each other, print the outermost or innermost',
      { parse: oneOf('outermost', 'innermost'), default: 'outermost' },
    ],
    ['--check', 'print no nodes; check whether the input matches (exit code 0 or 1)'],
    ['--partial', 'allow more input after what the entry rule matches'],
    FORMAT,
    ['--limit <n>', 'stop after N nodes', parseCount],
    ...Object.values(PARSE_LIMITS),
    DIALECT,
    jobs(),
    OUTPUT,
    QUIET,
  ],
  help: `
Prints the tree of the input as one line of JSON; with --emit, prints each node of a rule as soon
as it is certain, in bounded memory. A line has type, start and end (byte offsets), count, value
(text or nodes) and ref (lines and columns). Input can be compressed with gzip, bzip2 or zstd. With
--check, an input that does not match does not keep the others from being checked. The grammar
language is described in docs/grammar.md.

Examples:
  xylem parse --grammar @json data.json
  xylem parse --grammar log.bnf --emit line huge.log.gz | head
  xylem parse --grammar @csv --check 'tables/*.csv' && echo valid`,
  load: async () => (await import('../actions/parse.ts')).parseInputs,
}
