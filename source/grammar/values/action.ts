// What is made of what a program for values records: the type of an entry says which of these it is.

import type { Kind } from '../../record/kinds.ts'
import { RecordTemplate } from '../../record/record-template.ts'
import type { Escapes, Notation } from '../syntax/expression.ts'

/** What encloses a text. */
export interface Quotes {
  readonly mark: string
  /** Whether they are not in the text any more. */
  readonly isOmitted: boolean
}

/** A text, or what it is the text of. */
export interface TextAction {
  readonly kind: 'text'
  readonly textKind: Kind | undefined
  readonly notation: Notation | undefined
  readonly escapes?: Escapes | undefined
  /** What encloses it, for a notation; undefined for nothing. */
  readonly quotes: Quotes | undefined
  /** The rule that it is the text of, and its label, for errors. */
  readonly rule: string
  readonly label?: string | undefined
}

/** A value that is the same always. */
export interface ConstantAction {
  readonly kind: 'constant'
  readonly value: string | boolean | null | undefined
}

/** An array of the values below it. */
interface ArrayAction {
  readonly kind: 'array'
}

/** A map of the values below it: a key, what belongs to it, the next key. */
export interface MapAction {
  readonly kind: 'map'
  /** The rule that gives it, for errors. */
  readonly rule: string
}

/** A record whose fields are the values below it, in their order. */
export interface FixedAction {
  readonly kind: 'fixed'
  readonly names: readonly string[]
  /** The first value of the record; undefined if it says not what it is. */
  readonly type: string | undefined
  /** Whether its first field is what lies before it: what the rule has made so far. */
  readonly isFold: boolean
}

/** A record whose fields are the values below it, each of which says its slot: the index of the field's name. */
export interface LooseAction {
  readonly kind: 'loose'
  readonly names: readonly string[]
  /** For each slot, whether it is a list. */
  readonly isList: readonly boolean[]
  /** The slots of each variant, in the order of its fields. */
  readonly variants: readonly (readonly number[])[]
  /** As of a fixed record. */
  readonly type: string | undefined
  readonly isFold: boolean
}

/** Only says in which slot the value before it is. */
interface MarkAction {
  readonly kind: 'mark'
}

/** Says which variant a loose record is. */
export interface VariantAction {
  readonly kind: 'variant'
  readonly variant: number
}

/** Says where the rule begins whose first part the value before it is: with positions, the records of its rounds begin there. */
interface BeginAction {
  readonly kind: 'begin'
}

/** Calls the function of a rule with the value below it, which becomes what the function returns. */
export interface CallAction {
  readonly kind: 'call'
  readonly rule: string
}

/** What is made of an entry, and the slot of the value that is on the top then: the index of a field's name in a loose record, or none. */
export type ValueAction = { readonly slot?: number } & (
  | CallAction
  | TextAction
  | ConstantAction
  | ArrayAction
  | MapAction
  | FixedAction
  | LooseAction
  | MarkAction
  | VariantAction
  | BeginAction
)

/** Functions that get the values of rules, by the names of the rules. */
export type Actions = Readonly<Record<string, (value: unknown, start: number, end: number) => unknown>>

/** How the records of actions begin, which are those of one program: as long as it lives, so that the engine keeps what it has compiled for them. */
const templates = new WeakMap<ValueAction, readonly RecordTemplate[]>()

/** A template for each variant of the records of an action; none if it makes something else. */
export function templatesOf(action: ValueAction | undefined, hasPositions: boolean): readonly RecordTemplate[] {
  if (action?.kind !== 'fixed' && action?.kind !== 'loose') return []
  const known = templates.get(action)
  if (known) return known
  const { names, type } = action
  const variants =
    action.kind === 'fixed' ? [names] : action.variants.map((all) => all.map((slot) => names[slot] as string))
  const made = variants.map((fields) => RecordTemplate.of(fields, type, hasPositions ? ['start', 'end'] : []))
  templates.set(action, made)
  return made
}
