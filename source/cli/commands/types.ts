// `xylem types`: what a grammar gives, as types of TypeScript or as a JSON Schema.

import type { CommandEntry } from '../command.ts'
import { GRAMMAR, TYPES_OPTIONS } from '../options/grammar-options.ts'

export const types: CommandEntry = {
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
}
