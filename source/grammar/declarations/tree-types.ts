// TypeScript declarations of a grammar's trees: a type for each rule, with its members as a tuple.

import type { Count, Expression, Rule } from '../syntax/expression.ts'
import { quote } from './quote.ts'

/** The types that the declarations import from `xylem/grammar`. */
export const TREE_IMPORTS = ['Term']

/** The types that they have beside those of rules. */
export const TREE_HELPERS = ['Literal', 'OneOrMore', 'TwoOrMore', 'ThreeOrMore', 'FourOrMore']

const HEADER = `/** Text. */
export interface Literal<Text extends string = string> extends Term<'literal', Text> {}

export type OneOrMore<Item> = readonly [Item, ...Item[]]
export type TwoOrMore<Item> = readonly [Item, Item, ...Item[]]
export type ThreeOrMore<Item> = readonly [Item, Item, Item, ...Item[]]
export type FourOrMore<Item> = readonly [Item, Item, Item, Item, ...Item[]]
`

/** By the least number of items; longer tuples help nobody. They have names so that an item, which may hold others, is written once. */
const ITEMS = ['', 'OneOrMore', 'TwoOrMore', 'ThreeOrMore', 'FourOrMore']

/** The declarations: `Term_Name` for a rule `name`, and `Trees`, which has them by the names of the rules. */
export function writeTreeTypes(rules: readonly Rule[]): string {
  const names = nameTreeTypes(rules)
  const declarations = rules.map((rule) => {
    const type = names.get(rule.name) as string
    const members = listMembers(rule.members, names)
    return `export interface ${type} extends Term<${quote(rule.name)}, readonly [${members}]> {}\n`
  })
  const trees = [...names].map(([rule, type]) => `  ${rule}: ${type}\n`)
  return [
    HEADER,
    ...declarations,
    `/** The trees of rules, by their names. */\nexport interface Trees {\n${trees.join('')}}\n`,
  ].join('\n')
}

/** The names of types: with a capital, as bnf-parser's are, where that does not make two of them equal. */
export function nameTreeTypes(rules: readonly Rule[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const { name } of rules) counts.set(capitalize(name), (counts.get(capitalize(name)) ?? 0) + 1)
  return new Map(
    rules.map(({ name }) => {
      const isUnique = counts.get(capitalize(name)) === 1
      return [name, `Term_${isUnique ? capitalize(name) : name}`]
    }),
  )
}

function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function listMembers(items: readonly Expression[], names: ReadonlyMap<string, string>): string {
  return items
    .map((item) => typeOf(item, names))
    .filter((type) => type !== undefined)
    .map(memberOf)
    .join(', ')
}

/** A member of a tuple; with dots, where it may be missing. */
function memberOf(type: TypeOfMember): string {
  return type.mayBeMissing ? `...(readonly [${type.type}] | readonly [])` : type.type
}

/** What an expression adds to its node. */
interface TypeOfMember {
  readonly type: string
  /** Whether there are options that add nothing. */
  readonly mayBeMissing: boolean
}

/** The type of what an expression adds to its node; undefined when it adds nothing. */
function typeOf(expression: Expression, names: ReadonlyMap<string, string>): TypeOfMember | undefined {
  switch (expression.kind) {
    case 'literal':
      // What matched keeps the case that it has in the input.
      return always(expression.ignoresCase ? 'Literal' : `Literal<${quote(expression.text)}>`)
    case 'class':
    case 'not':
    case 'gather':
      return always('Literal')
    case 'reference':
      return always(names.get(expression.name) ?? 'never')
    case 'group':
      return always(`Term<'(...)', readonly [${listMembers(expression.items, names)}]>`)
    case 'choice':
      return typeOfChoice(expression.options, names)
    case 'repeat': {
      const { operand, separator, suffix, count } = expression
      const rounds = separator
        ? typeOfSeparated(operand, separator, names)
        : typeOfRounds(typeOf(operand, names), count)
      return always(`Term<${quote(`(...)${suffix}`)}, ${rounds}>`)
    }
    case 'field': {
      const { operand, isFlag } = expression
      if (!isFlag) return typeOf(operand, names)
      return always(`Term<'(...)?', ${typeOfRounds(typeOf(operand, names), { min: 0, max: 1 })}>`)
    }
    default:
      return undefined
  }
}

function always(type: string): TypeOfMember {
  return { type, mayBeMissing: false }
}

/** One of the options. */
function typeOfChoice(options: readonly Expression[], names: ReadonlyMap<string, string>): TypeOfMember | undefined {
  const members = options.map((option) => typeOf(option, names))
  const present = [...new Set(members.flatMap((member) => (member ? [member.type] : [])))]
  if (present.length === 0) return undefined
  const mayBeMissing = members.some((member) => member === undefined || member.mayBeMissing)
  return { type: present.length === 1 ? (present[0] as string) : `(${present.join(' | ')})`, mayBeMissing }
}

/** Rounds and what stands between them, in any order: tuples would not say more that is of use. */
function typeOfSeparated(operand: Expression, separator: Expression, names: ReadonlyMap<string, string>): string {
  const between = separator.kind === 'group' && !separator.isBracketed ? separator.items : [separator]
  const types = [operand, ...between].flatMap((one) => typeOf(one, names)?.type ?? [])
  return types.length === 0 ? 'readonly []' : `readonly (${[...new Set(types)].join(' | ')})[]`
}

function typeOfRounds(round: TypeOfMember | undefined, { min, max }: Count): string {
  if (!round) return 'readonly []'
  if (round.mayBeMissing) return `readonly ${round.type}[]`
  if (max === 1) return `readonly [] | readonly [${round.type}]`
  const items = ITEMS[min]
  return items ? `${items}<${round.type}>` : `readonly ${round.type}[]`
}
