// `xylem types`: what a grammar gives, as types of TypeScript or as a JSON Schema.

import type { CommandEntry } from '../command.ts'
import { AS, DIALECT, GRAMMAR } from '../options/grammar-options.ts'
import { OUTPUT } from '../options/option.ts'

export const types: CommandEntry = {
  name: 'types',
  summary: "write the TypeScript types of a grammar's values and trees, or a JSON Schema",
  arguments: [GRAMMAR],
  options: [
    ['--schema', 'write the JSON Schema of the values'],
    ['--entry <rule>', 'the rule whose values the schema is of (default: "program", or the first rule)'],
    AS,
    ['--type', 'say the rule of each record in a field type'],
    ['--positions', 'add start and end to records: offsets in bytes'],
    ['--lenient', 'a text that is not of its kind gives null'],
    OUTPUT,
    ['--check', 'write nothing; check whether the output is up to date (exit code 0 or 1)'],
    ['--watch', 'write the output again whenever the grammar changes, until interrupted'],
    DIALECT,
  ],
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
}
