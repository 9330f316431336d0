// The module of types that `xylem types` writes.

import type { ValueFormOptions } from '../grammar-types.ts'
import type { Rule } from '../syntax/expression.ts'
import { hashGrammar } from '../syntax/grammar-hash.ts'
import { ValueShapes } from '../values/value-shapes.ts'
import { quote } from './quote.ts'
import { nameTreeTypes, TREE_HELPERS, TREE_IMPORTS, writeTreeTypes } from './tree-types.ts'
import { writeValueTypes } from './value-types.ts'

const IMPORTS = ['GrammarTypes', ...TREE_IMPORTS]
/** Types that the module has beside those of rules. */
const OWN = ['Values', 'Trees', 'Types']

/**
 * A TypeScript module with the types of a grammar's values and trees: `Values` and `Trees` have them by the names of the rules. It exports `types`, which `Grammar.from(text, { types })`
 * wants. What it says of values is what `form` says. Rules that give no value are left out of `Values`, with a comment that says why.
 */
export function writeTypes({ rules }: { readonly rules: readonly Rule[] }, form: ValueFormOptions = {}): string {
  const trees = nameTreeTypes(rules)
  const shapes = new ValueShapes(new Map(rules.map((rule) => [rule.name, rule])), form)
  const values = writeValueTypes(
    shapes,
    rules.map(({ name }) => name),
    [...IMPORTS, ...OWN, ...TREE_HELPERS, ...trees.values()],
  )
  return `// The types of a grammar. Written by \`xylem types\`: run it again when the grammar has changed.

import type { ${IMPORTS.join(', ')} } from 'xylem/grammar'

// Values.

${values}
/** For \`Grammar.from(text, { types })\`. */
export const types: GrammarTypes<Types> = { ${[`hash: ${quote(hashGrammar(rules))}`, ...writeForm(form)].join(', ')} }

// Trees.

${writeTreeTypes(rules)}`
}

function writeForm({ type, positions, lenient, as = {} }: ValueFormOptions): string[] {
  const flags = Object.entries({ type, positions, lenient }).flatMap(([name, value]) =>
    value ? [`${name}: true`] : [],
  )
  // Without brackets, `__proto__` would be no property.
  const kinds = Object.entries(as).map(
    ([name, kind]) => `${name === '__proto__' ? `['${name}']` : name}: ${quote(kind)}`,
  )
  return kinds.length === 0 ? flags : [...flags, `as: { ${kinds.join(', ')} }`]
}
