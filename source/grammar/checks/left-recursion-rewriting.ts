// A rule that begins with itself, as a rule that repeats: what it begins with otherwise, and then, any number of times, what follows the rule itself.
//
//     sum ::= sum "+" sum | sum "-" product | product
//     sum ::= product ( ( left:< "+" right:product ) | ( left:< "-" right:product ) )*
//
// Both match the same texts, unless a part takes what a later one needs, as everywhere in grammars here: `"b"+` leaves nothing to a round that begins with
// "b". Where nothing would be left to begin with, or a round may match nothing, there is no rewriting.

import type { Replacement } from '../syntax/errors.ts'
import { type Expression, operandsOf, type Rule, walk } from '../syntax/expression.ts'
import type { Dialect } from '../syntax/syntax.ts'
import type { ValueRules } from '../values/value-rules.ts'
import { unfold } from './mixed-operators.ts'

/** Characters of the longest rewriting. */
const LONGEST = 5000
/** The field of a fold for what was matched before, if the rule names none. */
const LEFT = 'left'

/** What is known about the grammar of a rule. */
interface Context {
  readonly text: string
  readonly dialect: Dialect | undefined
  readonly nullable: ReadonlySet<Expression>
  readonly values: ValueRules
}

export interface Rewriting {
  /** What the rule matches, in the words of the rule. */
  readonly body: string
  /** The field of the rule itself, if there is no place for it. */
  readonly lostField: string | undefined
  /** Undefined where comments would be lost. */
  readonly replacement: Replacement | undefined
}

/** Options of a rule: those that begin with the rule itself, and the others. */
interface Options {
  readonly rounds: readonly (readonly Expression[])[]
  readonly bases: readonly (readonly Expression[])[]
}

/** The rule as a repetition. Undefined if it does not begin with itself directly, or cannot be rewritten without a change of what it matches. */
export function rewriteRule(rule: Rule, context: Context): Rewriting | undefined {
  const options = findOptions(rule, context)
  if (!options) return undefined
  const { rounds, bases } = options
  const writer = new Writer(rule.name, options, context)
  if (rounds.length * writer.base.length > LONGEST) return undefined
  const names = rounds.flatMap(([first]) => (first?.kind === 'field' ? [first.name] : []))
  const isFold = canFold(options, context.values)
  const body = `${writer.base} ( ${writeOptions(rounds.map((items) => writer.writeRound(items, isFold)))} )*`
  if (body.length > LONGEST) return undefined
  const start = (rule.members[0] as Expression).at.start
  const end = (rule.members.at(-1) as Expression).at.end
  const keepsComments = !textBetween([...bases, ...rounds].flat(), start, end, context.text).includes('#')
  return {
    body,
    lostField: isFold ? undefined : names[0],
    replacement: keepsComments ? { start, end, text: body } : undefined,
  }
}

/** The options as the dialect reads them; if they are no good, as they may be meant: sequences before choices. */
function findOptions({ name, members }: Rule, { dialect, nullable }: Context): Options | undefined {
  const [only] = members
  const asRead = members.length === 1 && only?.kind === 'choice' ? only.options.map(itemsOf) : [members]
  const all = dialect === 'bnf-parser' ? [asRead, unfold(members)] : [asRead]
  return all.map((options) => sort(options, name)).find((options) => isRewritable(options, name, nullable))
}

function sort(options: readonly (readonly Expression[])[], name: string): Options {
  const recurs = ([first]: readonly Expression[]): boolean => isCallOf(first, name)
  return { rounds: options.filter(recurs), bases: options.filter((items) => !recurs(items)) }
}

/** There is something to begin with, no base begins with the rule itself, and each round consumes something. */
function isRewritable({ rounds, bases }: Options, name: string, nullable: ReadonlySet<Expression>): boolean {
  if (rounds.length === 0 || bases.length === 0) return false
  if (bases.some((items) => beginsWith(items, name, nullable))) return false
  // What is known of the rule is of how it is read, and it may be meant in another way.
  const mayBeEmpty = bases.some((items) => items.every((item) => nullable.has(item)))
  const consumes = (item: Expression) => !nullable.has(item) && !(mayBeEmpty && isCallOf(item, name))
  return rounds.every(([, ...rest]) => rest.some(consumes) && !beginsWith(rest, name, nullable, true))
}

/** Whether a rule can be tried where items begin. */
function beginsWith(
  items: readonly Expression[],
  name: string,
  nullable: ReadonlySet<Expression>,
  exceptLast = false,
): boolean {
  for (const [i, item] of items.entries()) {
    const isLast = exceptLast && i === items.length - 1
    if (!isLast && mayBegin(item, name, nullable)) return true
    if (!nullable.has(item)) return false
  }
  return false
}

function mayBegin(expression: Expression, name: string, nullable: ReadonlySet<Expression>): boolean {
  if (expression.kind === 'reference') return expression.name === name
  if (expression.kind === 'group') return beginsWith(expression.items, name, nullable)
  return operandsOf(expression).some((operand) => mayBegin(operand, name, nullable))
}

/** A left fold needs one part to begin with, without fields, and a name for what was matched before, which no other field has. */
function canFold({ rounds, bases }: Options, values: ValueRules): boolean {
  const [first, ...others] = bases
  const isTaken = ([before, ...rest]: readonly Expression[]): boolean =>
    before?.kind !== 'field' && [...walk(rest)].some((part) => part.kind === 'field' && part.name === LEFT)
  if (rounds.some(isTaken)) return false
  if (bases.some((items) => [...walk(items)].some(({ kind }) => kind === 'field' || kind === 'fold'))) return false
  if (others.length > 0) return bases.some((items) => items.some((item) => values.isVisible(item)))
  return first !== undefined && values.partsOf(first).length === 1
}

class Writer {
  /** What the rule begins with. */
  readonly base: string
  readonly #name: string
  readonly #text: string
  /** As what one part consists of. */
  readonly #operand: string
  /** Whether the rule says what is a field. */
  readonly #hasFields: boolean

  constructor(name: string, { rounds, bases }: Options, { text }: Context) {
    this.#name = name
    this.#text = text
    const written = bases.map((items) => items.map((item) => this.#textOf(item)).join(' '))
    const [only] = bases.length === 1 && bases[0]?.length === 1 ? bases[0] : []
    this.base = bases.length === 1 ? (written[0] as string) : `( ${writeOptions(written)} )`
    // What has a name, or is omitted, can have no name of its own.
    const isPart = bases.length > 1 || (only && only.kind !== 'field' && only.kind !== 'omit')
    this.#operand = isPart ? this.base : `( ${this.base} )`
    this.#hasFields = [...walk(rounds.flat())].some(({ kind }) => kind === 'field')
  }

  /** What follows the rule itself. A fold gives names to what has none. */
  writeRound([first, ...rest]: readonly Expression[], isFold: boolean): string {
    const isNaming = isFold && !this.#hasFields
    const items = rest.map((item, i) => this.#writeItem(item, isNaming, i === rest.length - 1))
    if (isFold) items.unshift(`${first?.kind === 'field' ? first.name : LEFT}:<`)
    return items.join(' ')
  }

  /** At the end, the rule itself would match all that follows: what it begins with stands there instead. */
  #writeItem(item: Expression, isNaming: boolean, isLast: boolean): string {
    const isOperand = isLast && isCallOf(item, this.#name)
    const name = isNaming ? nameFor(item) : isOperand && item.kind === 'field' ? `${item.name}:` : ''
    return name + (isOperand ? this.#operand : this.#textOf(item))
  }

  #textOf({ at }: Expression): string {
    return this.#text.slice(at.start, at.end)
  }
}

/** The field of what has no name. */
function nameFor({ kind }: Expression): string {
  if (kind === 'reference') return 'right:'
  return kind === 'class' || kind === 'choice' ? 'op:' : ''
}

/** Whether an expression is a rule, with or without the name of a field. */
function isCallOf(expression: Expression | undefined, rule: string): boolean {
  if (expression?.kind === 'field') return !expression.isFlag && isCallOf(expression.operand, rule)
  return expression?.kind === 'reference' && expression.name === rule
}

/** Options with brackets where both dialects need them. */
function writeOptions(options: readonly string[]): string {
  if (options.length === 1) return options[0] as string
  return options.map((option) => (option.includes(' ') ? `( ${option} )` : option)).join(' | ')
}

function itemsOf(option: Expression): readonly Expression[] {
  return option.kind === 'group' ? option.items : [option]
}

/** What of a text stands between items. */
function textBetween(items: readonly Expression[], start: number, end: number, text: string): string {
  const [parts, places] = [[] as string[], items.map(({ at }) => at).sort((one, other) => one.start - other.start)]
  let from = start
  for (const at of places) {
    parts.push(text.slice(from, at.start))
    from = at.end
  }
  return parts.join('') + text.slice(from, end)
}
