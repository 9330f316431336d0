// The types of a grammar's values and trees, by the names of its rules.

import type { SyntaxNode } from '../machine/tree/syntax-node.ts'
import type { TextKind } from '../record/kinds.ts'

/** The value of a rule. `xylem types` writes the types of a grammar's own values. */
export type GrammarValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly GrammarValue[]
  | { readonly [field: string]: GrammarValue }

/** How values are made. */
export interface ValueFormOptions {
  /**
   * Whether each record of a rule has the rule's name as its `type` (default: false). Otherwise those have it that may stand where the records of another
   * rule may stand.
   */
  type?: boolean | undefined
  /** Whether records have `start` and `end`: offsets in bytes of the input, `end` after the last byte (default: false). */
  positions?: boolean | undefined
  /** Whether a text that is not of its kind gives null (default: false). Otherwise it is an error. */
  lenient?: boolean | undefined
  /** What texts are, by the names of rules or fields, whatever the grammar says: `{ size: 'integer' }`. `'string'` is the text itself. */
  as?: Readonly<Record<string, TextKind | 'string'>> | undefined
}

/** The types of a grammar: `xylem types` writes them. If there is nothing in them, they are not known. */
export interface RuleTypes {
  /** What rules give, by their names. */
  readonly values: object
  /** The trees of rules, by their names. */
  readonly trees: object
  /** Of rules that are a repetition of another rule, the name of that rule. */
  readonly repeated: object
  /** The first rule, where none is called `program`. */
  readonly entry?: string
  /** What functions make of the values of rules, by their names ({@link Grammar.map}). */
  readonly results?: object
}

/** What `xylem types` exports: of which grammar the types are, and how its values are made. */
export interface GrammarTypes<Types extends RuleTypes = RuleTypes> extends ValueFormOptions {
  /** Changes with the grammar. */
  readonly hash: string
  /** Is never there: it has the types. */
  readonly of?: Types
}

/** The names of the rules of a grammar that give values, or trees; any if they are not known. */
export type RuleName<Known extends object> = keyof Known extends never ? string : keyof Known & string

/** A rule, or a path of rules and fields that ends with it. */
export type PathTo<Rule extends string> = Rule | `${string}.${Rule}`

/** The rule that a path ends with. */
export type EndOf<Path> = Path extends `${string}.${infer Rest}` ? EndOf<Rest> : Path

/** The rule that an input is parsed by, if nothing else is said. */
export type DefaultEntry<Types extends RuleTypes, Of extends 'values' | 'trees'> = RuleName<Types[Of]> &
  (Types extends { readonly entry: infer Entry } ? Entry : 'program')

/** The rule whose values are given one by one, if nothing else is said. */
export type DefaultItem<Types extends RuleTypes, Entry> = RuleName<Types['values']> &
  (Entry extends keyof Types['repeated'] ? Types['repeated'][Entry] : Entry)

/** The value of a rule. With functions, that of a rule without one is not known: there may be results in it. */
export type ValueOf<Types extends RuleTypes, Rule> = Types extends { readonly results: infer Results }
  ? Rule extends keyof Results
    ? Results[Rule]
    : unknown
  : Rule extends keyof Types['values']
    ? Types['values'][Rule]
    : GrammarValue

/** Functions that make something of the values of rules, by their names. Their parameter may be declared as what a rule holds once functions were called for the rules in it. */
export type ValueActions<Types extends RuleTypes, Results extends object> = {
  readonly [Rule in keyof Results]: ValueAction<
    Rule extends keyof Types['values'] ? Types['values'][Rule] : unknown,
    Results[Rule]
  >['make']
}

/** A function for the values of a rule. */
export interface ValueAction<Value, Result> {
  /** `start` and `end`: where the text of the value is, offsets in bytes of the input. A method, so that its parameter can be declared as what it is. */
  make(value: Value, start: number, end: number): Result
}

/** The types of a grammar with functions. */
export type MappedTypes<Types extends RuleTypes, Results extends object> = Types & { readonly results: Results }

/** The tree of a rule. */
export type TreeOf<Types extends RuleTypes, Rule> = Rule extends keyof Types['trees']
  ? Types['trees'][Rule]
  : SyntaxNode

/** How values are made: with types, they say it. */
export type FormOf<Types extends RuleTypes> = keyof Types['values'] extends never
  ? ValueFormOptions
  : { [Option in keyof ValueFormOptions]?: never }
