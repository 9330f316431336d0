// The commands that read a grammar.

import type { CommandEntry } from '../command.ts'
import {
  DIALECT,
  GRAMMAR,
  GRAMMAR_SOURCE,
  PARSE_OPTIONS,
  parseNames,
  TYPES_OPTIONS,
} from '../options/grammar-options.ts'
import { INPUTS } from '../options/option-values.ts'

export const GRAMMAR_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'parse',
    summary: 'parse an input with a grammar, and print its records, other values, or its tree',
    arguments: [['[input...]', `the inputs to parse: ${INPUTS} (the default)`]],
    options: PARSE_OPTIONS,
    usesStandardInput: () => true,
    help: `
Where the grammar has fields, prints values: records, texts, numbers and lists, as the grammar
says (docs/grammar.md). If the entry is a repetition of one rule, each value of that rule is
printed as soon as it is certain, in bounded memory; otherwise that of the entry. Records can be
JSON lines, or in another format. With --emit document.items.item, only those of the rule item are
printed that are in the field items of the rule document. With --header, the cells of the first row of each input are the
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
  },
  {
    name: 'grammar',
    summary: 'check a grammar and show how it is compiled',
    arguments: [['[grammar]', `the grammar: ${GRAMMAR_SOURCE}`]],
    options: [
      ['--list', 'list the grammars that come along'],
      ['--entry <rule>', 'the rule to start with (default: "program", or the first rule)'],
      ['--emit <rules>', 'the rules whose nodes are printed, separated by commas', parseNames],
      ['--program', 'print the program of the parsing machine'],
      DIALECT,
    ],
    help: `
Checks a grammar. Prints what the compiler did with it, and where a stream would have to hold back
input. With --program, also prints the program of the parsing machine. With --list, prints the names
of the grammars that come along, which all commands read as @name.

Examples:
  xylem grammar --list
  xylem grammar log.bnf
  xylem grammar log.bnf --emit line --program`,
    load: async () => (await import('../actions/grammar.ts')).printGrammar,
  },
  {
    name: 'types',
    summary: "write the TypeScript types of a grammar's values and trees, or a JSON Schema",
    arguments: [GRAMMAR],
    options: TYPES_OPTIONS,
    help: `
Writes a TypeScript module. Its types Values and Trees have what each rule gives, by the names of
the rules; a rule that gives no value is left out, with a comment that says why. Give the module's
"types" to Grammar.from(text, { types }): it refuses them if the grammar has changed since. The
options for values belong to the types: the grammar makes values as the module says.

Examples:
  xylem types log.bnf --output log.types.ts
  xylem types log.bnf --output log.types.ts --check || echo 'write them again'
  xylem types log.bnf --schema --output log.schema.json`,
    load: async () => (await import('../actions/types.ts')).printTypes,
  },
]
