// TypeScript declarations of a grammar's trees: a type for each rule, with its members as a tuple.

import type { Count, Expression, Rule } from './syntax/expression.ts'

const IMPORT = "import type { Term } from 'xylem/grammar'"

const HEADER = `// Types of a grammar's trees. Written by xylem.

${IMPORT}

/** Text. */
export interface Literal<Text extends string = string> extends Term<'literal', Text> {}

export type OneOrMore<Item> = readonly [Item, ...Item[]]
export type TwoOrMore<Item> = readonly [Item, Item, ...Item[]]
export type ThreeOrMore<Item> = readonly [Item, Item, Item, ...Item[]]
export type FourOrMore<Item> = readonly [Item, Item, Item, Item, ...Item[]]
`

/** By the least number of items; longer tuples help nobody. They have names so that an item, which may hold others, is written once. */
const ITEMS = ['', 'OneOrMore', 'TwoOrMore', 'ThreeOrMore', 'FourOrMore']

/** The declarations: `Term_Name` for a rule `name`. They import the type of all nodes from `xylem/grammar`. */
export function writeTypings(rules: readonly Rule[]): string {
  const names = nameTypes(rules)
  const declarations = rules.map((rule) => {
    const type = names.get(rule.name) as string
    const members = listMembers(rule.members, names)
    return `export interface ${type} extends Term<${quote(rule.name)}, readonly [${members}]> {}\n`
  })
  return [HEADER, ...declarations].join('\n')
}

/** The names of types: with a capital, as bnf-parser's are, where that does not make two of them equal. */
function nameTypes(rules: readonly Rule[]): Map<string, string> {
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
      const { suffix, count } = expression
      return always(`Term<${quote(`(...)${suffix}`)}, ${typeOfRounds(typeOf(expression.operand, names), count)}>`)
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

function typeOfRounds(round: TypeOfMember | undefined, { min, max }: Count): string {
  if (!round) return 'readonly []'
  if (round.mayBeMissing) return `readonly ${round.type}[]`
  if (max === 1) return `readonly [] | readonly [${round.type}]`
  const items = ITEMS[min]
  return items ? `${items}<${round.type}>` : `readonly ${round.type}[]`
}

/** A literal type, with everything that is not ASCII escaped. */
function quote(text: string): string {
  const escaped = Array.from(text, (character) => {
    const point = character.codePointAt(0) as number
    if (character === "'" || character === '\\') return `\\${character}`
    return point < 0x20 || point > 0x7e ? `\\u{${point.toString(16)}}` : character
  })
  return `'${escaped.join('')}'`
}
