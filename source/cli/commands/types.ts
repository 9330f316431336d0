// `xylem types`: TypeScript declarations for a grammar's trees.

import type { CommandEntry } from '../command.ts'
import { DIALECT, GRAMMAR } from '../options/grammar-options.ts'
import { OUTPUT } from '../options/option.ts'

export const types: CommandEntry = {
  name: 'types',
  summary: "write TypeScript declarations for a grammar's trees",
  arguments: [GRAMMAR],
  options: [DIALECT, OUTPUT],
  help: `
Prints a type for each rule, whose members are a tuple. The types import one type from
xylem/grammar.

Example:
  xylem types json.bnf --output json.d.ts`,
  load: async () => (await import('../actions/types.ts')).writeTypes,
}
