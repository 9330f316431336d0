// `xylem types`: what a grammar gives, as types of TypeScript or as a JSON Schema.

import type { CommandEntry } from '../command.ts'
import { DIALECT, GRAMMAR } from '../options/grammar-options.ts'
import { OUTPUT } from '../options/option.ts'

export const types: CommandEntry = {
  name: 'types',
  summary: "write the TypeScript types of a grammar's values and trees, or a JSON Schema",
  arguments: [GRAMMAR],
  options: [
    ['--schema', 'write the JSON Schema of the values'],
    ['--entry <rule>', 'the rule whose values the schema is of (default: "program", or the first rule)'],
    ['--type', 'values: each record of a rule says its type'],
    ['--positions', 'values: records have start and end, in bytes'],
    ['--lenient', 'values: a text that is not of its kind is null'],
    OUTPUT,
    ['--check', 'write nothing; check whether the output is up to date (exit code 0 or 1)'],
    ['--watch', 'write the output again whenever the grammar changes, until interrupted'],
    DIALECT,
  ],
  help: `
Writes a TypeScript module. Its types Values and Trees have what each rule gives, by the names of
the rules; a rule that gives no value is left out, with a comment that says why. Grammar.from(text,
{ types }) wants the module's "types", and refuses them when the grammar has changed.

Examples:
  xylem types log.bnf --output log.types.ts
  xylem types log.bnf --output log.types.ts --check || echo 'write them again'
  xylem types log.bnf --schema --output log.schema.json`,
  load: async () => (await import('../actions/types.ts')).writeTypes,
}
