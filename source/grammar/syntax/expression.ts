// The node types of a grammar: what its text says, before anything is checked or compiled.
//
// A tree has a node for a rule, a bracket and a repetition, and none for a choice: the option that matched stands in its place.
// So a sequence is never an expression of its own. It is the body of a rule, or a group: what stands in brackets, and an option
// of more than one member, which gives the same node as if it stood in brackets.

import type { TextKind } from '../../record/kinds.ts'

/** A range of the grammar's text: indices in UTF-16 units from 0, the end exclusive. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** How often something may match in a row. `max` is `Infinity` where there is no bound. */
export interface Count {
  readonly min: number
  readonly max: number
}

/** Code points from `first` to `last`, both included. An inverted range holds none. */
export interface CodePointRange {
  readonly first: number
  readonly last: number
}

/** What all expressions have. */
export interface Written<Kind extends string = string> {
  readonly kind: Kind
  readonly at: TextRange
}

/** `"text"`, or `~"text"` where case is ignored. An empty literal never matches. */
export interface Literal extends Written<'literal'> {
  readonly text: string
  readonly ignoresCase: boolean
}

/** `"a"->"z"` and `[a-z_]`: a code point in one of the ranges. All that `count` code points match is one literal of the tree. */
export interface CharacterClass extends Written<'class'> {
  readonly ranges: readonly CodePointRange[]
  /** `[^a-z]`: a code point in none of the ranges. */
  readonly isNegated: boolean
  readonly count: Count
}

/** `!x`: a code point where `x` does not match. All that `count` code points match is one literal of the tree. */
export interface Not extends Written<'not'> {
  readonly operand: Expression
  readonly count: Count
}

/** The name of a rule; or `:name`, whose fields are fields of the record around it. */
export interface Reference extends Written<'reference'> {
  readonly name: string
  readonly isJoined?: boolean
}

/** `(a b)`: one after the other; the node `(...)`. Also an option of several members without brackets: then not `isBracketed`. */
export interface Group extends Written<'group'> {
  readonly items: readonly Expression[]
  readonly isBracketed: boolean
}

/** `a | b`: the first option that matches. Two or more. Without a node, also in brackets. */
export interface Choice extends Written<'choice'> {
  readonly options: readonly Expression[]
  readonly isBracketed: boolean
}

/**
 * `x?`, `x*`, `x+`, `x{2}`, `x{2,}`, `x{2,5}`: greedy, never giving back. The node `(...)?`, `(...)*`, … Also `x{* s}` and `x{+ s}`, rounds of `x` with a
 * separator between two of them, whose node is that of `x*` or `x+`.
 */
export interface Repeat extends Written<'repeat'> {
  readonly operand: Expression
  /** What stands between rounds. A group that is not bracketed gives no node. */
  readonly separator: Expression | undefined
  readonly count: Count
  /** As it is written: `?`, `*`, `+`, `{2,5}`; without the separator. */
  readonly suffix: string
  readonly at: TextRange
}

/** `%x`: matched, and left out of the tree. */
export interface Omit extends Written<'omit'> {
  readonly operand: Expression
}

/** `...x`: one literal of the text that the literals below `x` match, without what is omitted in it. */
export interface Gather extends Written<'gather'> {
  readonly operand: Expression
}

/** `&x`, `&!x`: whether `x` matches here, or does not; consumes nothing and gives no node. */
export interface Look extends Written<'look'> {
  readonly operand: Expression
  readonly isNegative: boolean
}

/** `^`: from here on, no other option of the rule is tried, and no repetition of it ends, by a failure. */
export interface Cut extends Written<'cut'> {}

/** `@"message"`: the parse fails here, with this message; only a look-ahead catches it. */
export interface LabelledFailure extends Written<'failure'> {
  readonly message: string
}

/** `name:x`: what `x` gives is a field of the record that the rule gives. `name?:x`: matches like `x?`, and the field says whether `x` matched. In trees, as without the name. */
export interface Field extends Written<'field'> {
  readonly name: string
  readonly isFlag: boolean
  readonly operand: Expression
}

/** `name:<`: a field with what the rule has made so far. Consumes nothing, and gives no node. */
export interface Fold extends Written<'fold'> {
  readonly name: string
}

export type Expression =
  | Literal
  | CharacterClass
  | Not
  | Reference
  | Group
  | Choice
  | Repeat
  | Omit
  | Gather
  | Look
  | Cut
  | LabelledFailure
  | Field
  | Fold

/** How the text of a rule is written: `@json-string`. */
export type Notation = 'json-string' | 'c-string' | 'sql-string' | 'percent' | 'escapes'
export const NOTATIONS: readonly Notation[] = ['json-string', 'c-string', 'sql-string', 'percent', 'escapes']

/** Texts, and what each of them stands for. */
export type Escapes = readonly (readonly [written: string, meant: string])[]

/** `name ::= members ;`, or with annotations before `::=`: `@"label"`, `@integer`, `@json-string`, `@map`; or with `~> sync` after the members. */
export interface Rule {
  readonly name: string
  /** What error messages call it; undefined where the grammar gives it no label. */
  readonly label: string | undefined
  /** What its text is; undefined for text. */
  readonly textKind: TextKind | undefined
  /** How its text is written; undefined for as it is. */
  readonly notation: Notation | undefined
  /** Of `@escapes("\\n" → "\n")`, what stands for what: the longest first. */
  readonly escapes?: Escapes | undefined
  /** Whether its records, of two fields each, are the entries of a map. */
  readonly isMap: boolean
  /** One after the other; one choice where the body is a choice. */
  readonly members: readonly Expression[]
  /** After an error in a round of a repetition that calls the rule, input is skipped to where this matches; undefined where the grammar does not say it. */
  readonly sync: Expression | undefined
  /** The complete rule. */
  readonly at: TextRange
  /** Its name. */
  readonly nameAt: TextRange
}

/** The name of the rule that inputs are read by if nothing else is said: `program`, or the first if there is no such rule. */
export function entryOf(rules: readonly Rule[]): string {
  return (rules.find(({ name }) => name === 'program') ?? (rules[0] as Rule)).name
}

/** All that a rule is made of. */
export function partsOf({ members, sync }: Rule): readonly Expression[] {
  return sync ? [...members, sync] : members
}

/** The expressions directly below one, in the order they are written. */
export function operandsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'group') return expression.items
  if (expression.kind === 'choice') return expression.options
  if (expression.kind === 'repeat' && expression.separator) return [expression.operand, expression.separator]
  return 'operand' in expression ? [expression.operand] : []
}

/** An expression with other operands; a separator stays as it is. */
export function mapOperands(expression: Expression, change: (operand: Expression) => Expression): Expression {
  if (expression.kind === 'group') return { ...expression, items: expression.items.map(change) }
  if (expression.kind === 'choice') return { ...expression, options: expression.options.map(change) }
  return 'operand' in expression ? { ...expression, operand: change(expression.operand) } : expression
}

/** Expressions and all below them, each before what is below it, in the order they are written. */
export function* walk(expressions: readonly Expression[]): Generator<Expression, void, undefined> {
  // Without recursion, in which each step would go through all levels.
  const waiting = expressions.toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    const operands = operandsOf(next)
    for (let i = operands.length - 1; i >= 0; i--) waiting.push(operands[i] as Expression)
  }
}

/** The names of rules that expressions refer to, each time that they do. */
export function* namesIn(expressions: readonly Expression[]): Generator<string, void, undefined> {
  for (const expression of walk(expressions)) if (expression.kind === 'reference') yield expression.name
}
