// The types of a grammar's values and trees, by the names of its rules.

import type { SyntaxNode } from '../machine/tree/syntax-node.ts'
import type { TextKind } from './syntax/expression.ts'
import type { GrammarValue } from './values/grammar-value.ts'

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
  /** What texts are, by the names of rules or fields, where the grammar does not say it: `{ size: 'integer' }`. */
  as?: Readonly<Record<string, TextKind>> | undefined
}

/** The types of a grammar. `xylem types` writes them. */
export interface RuleTypes {
  /** What rules give, by their names. */
  readonly values: object
  /** The trees of rules, by their names. */
  readonly trees: object
  /** Of rules that are a repetition of another rule, the name of that rule. */
  readonly repeated: object
}

/** The types of a grammar whose own are not known. */
export interface AnyRuleTypes extends RuleTypes {
  readonly values: { readonly [rule: string]: GrammarValue }
  readonly trees: { readonly [rule: string]: SyntaxNode }
}

/** What `xylem types` exports: of which grammar the types are, and how its values are made. */
export interface GrammarTypes<Types extends RuleTypes = AnyRuleTypes> extends ValueFormOptions {
  /** Changes with the grammar. */
  readonly hash: string
  /** Is never there: it has the types. */
  readonly of?: Types
}

/** The rules of a grammar that give something: values or trees. */
export type RuleName<Given extends object> = keyof Given & string

/** The rule that an input is parsed by, if nothing else is said. */
export type DefaultEntry<Given extends object> = 'program' & RuleName<Given>

/** The rule whose values are given one by one, if nothing else is said. */
export type DefaultItem<Types extends RuleTypes, Entry> = (Entry extends keyof Types['repeated']
  ? Types['repeated'][Entry]
  : Entry) &
  RuleName<Types['values']>

/** How values are made: with types, they say it. */
export type FormOf<Types extends RuleTypes> = string extends keyof Types['values']
  ? ValueFormOptions
  : { [Option in keyof ValueFormOptions]?: never }
