// Which records are wanted: conditions on fields, as data, so that they can be sent to workers; or a function.

import { type Kind, kindOf } from '../../record/kinds.ts'
import type { Value } from '../../record/value.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { type FieldPlan, findFields, type RecordPlan, unknownName } from './plan.ts'
import type { OneValue, XmlRecord, XmlShape } from './shape.ts'
import { type Ordered, type Span, ValueSet } from './value-set.ts'

/** What fields may be compared with. */
type Compared = string | number | bigint | boolean | Date

/** A range of values. Its ends belong to it. It has no end where one is left out. */
export interface ValueRange<Given = Compared> {
  readonly from?: Given | undefined
  readonly to?: Given | undefined
}

/**
 * What must hold of a field. A field without a value satisfies only `present: false`, and one of a record that is not there nothing. Of a list, one
 * value must satisfy all. A date may be given as a text, which stands for all of the day if it has no time.
 */
export interface FieldCondition<Given = Compared> {
  /** The values that it may have, or may not have, and ranges of them. */
  readonly in?: readonly (Given | ValueRange<Given>)[] | undefined
  readonly notIn?: readonly (Given | ValueRange<Given>)[] | undefined
  /** The least value and the greatest one: numbers, texts that are compared by their UTF-16 units, or dates. */
  readonly from?: Given | undefined
  readonly to?: Given | undefined
  /** Values that it must be greater and less than. */
  readonly above?: Given | undefined
  readonly below?: Given | undefined
  /** A regular expression that its text matches somewhere, with the flag `u`. That of a date is what `toISOString` gives. */
  readonly matches?: string | undefined
  /** Whether upper and lower case are the same in texts (default: false). */
  readonly ignoreCase?: boolean | undefined
  /** Whether it has a value. */
  readonly present?: boolean | undefined
}

/** One condition, or several, all of which must hold. */
type FieldConditions<Given = Compared> = FieldCondition<Given> | readonly FieldCondition<Given>[]

/**
 * By the name of a field, or the names down to one in a record (`author.name`), what must hold of it; in an array: several conditions. `name|alias`: one of these
 * fields must satisfy it. All conditions must hold.
 */
export type WhereConditions<Shape extends XmlShape = XmlShape> = string extends keyof Shape
  ? Readonly<Record<string, FieldConditions>>
  : { readonly [Name in FieldName<Shape> | `${string}|${string}`]?: FieldConditions<ComparedAt<Shape, Name>> }

/** The names of fields that conditions see, with those down to them. */
type FieldName<Shape> = Shape extends XmlShape
  ? {
      [Name in keyof Shape & string]: Name extends LateNames<Shape>
        ? never
        : Name | `${Name}.${FieldName<InnerShape<Shape[Name]>>}`
    }[keyof Shape & string]
  : never
/** The shape of the record that a field is; of one of several, each of these. */
type InnerShape<Given> = Given extends readonly (infer One)[]
  ? InnerShape<One>
  : Given extends { readonly fields: infer Inner } | { readonly oneOf: readonly (infer Inner)[] }
    ? Inner
    : never
/** What the values of a field are compared with. */
type ComparedAt<Shape, Name> = Shape extends XmlShape
  ? Name extends keyof Shape
    ? ComparedWith<Shape[Name] extends readonly (infer One)[] ? One : Shape[Name]>
    : Name extends `${string}|${string}`
      ? Compared
      : Name extends `${infer First}.${infer Rest}`
        ? ComparedAt<InnerShape<Shape[First]>, Rest>
        : never
  : never
type ComparedWith<One> = One extends { readonly as: `decimal${string}` }
  ? string | number
  : OneValue<One> extends Date
    ? Date | string
    : OneValue<One> extends bigint
      ? bigint | number | string
      : OneValue<One> extends string | number | boolean
        ? OneValue<One>
        : never

/** The fields that a function sees: those that are not late. */
export type SeenRecord<Shape extends XmlShape> = Readonly<Omit<XmlRecord<Shape>, LateNames<Shape>>>
/** The names of late fields. */
export type LateNames<Shape extends XmlShape> = {
  [Name in keyof Shape]: Shape[Name] extends { readonly late: true } | readonly { readonly late: true }[] ? Name : never
}[keyof Shape]

/** Which records are wanted. A list has the conditions for each of several paths, in their order. A function gets a view, which decodes a field when it is read, and is valid as long as the function runs. */
export type XmlWhere<Shape extends XmlShape = XmlShape> =
  | WhereConditions<Shape>
  | readonly WhereConditions<Shape>[]
  | ((record: SeenRecord<Shape>) => boolean)

/** A field that is made of others. It names those that it reads, and gets a function that reads one of them. */
export interface ComputedField {
  readonly kind: FieldPlan['kind']
  readonly reads: readonly string[]
  readonly valueOf: (read: (name: string) => Value) => Value
}

/** From the record of a shape to a field. */
type FieldPath = readonly FieldPlan[]

/** A condition that was checked: on one of several fields, or on what is computed of them. */
export interface WherePlan {
  readonly name: string
  readonly fields: readonly { readonly path: FieldPath; readonly test: (value: Value) => boolean }[]
  readonly computed?: ComputedField | undefined
  /** Instead of its fields: all conditions of one of these must hold. */
  readonly anyOf?: readonly (readonly WherePlan[])[]
}

/** The names of the fields that conditions read. */
export function readByWhere(where: WhereConditions, computed: Readonly<Record<string, ComputedField>> = {}): string[] {
  return Object.keys(where).flatMap((name) => computed[name]?.reads ?? name.split('|'))
}

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid conditions. */
export function planWhere(
  where: WhereConditions | readonly WhereConditions[],
  plan: RecordPlan,
  fields: Readonly<Record<string, ComputedField>> = {},
): WherePlan[] {
  if (!Array.isArray(where)) return planAll(where as WhereConditions, plan, fields)
  const { marks = [] } = plan
  if (where.length !== marks.length)
    throw whereError(
      `where: an array has conditions for each path: expected ${marks.length} of them, not ${where.length}`,
    )
  const test = (value: Value) => value !== undefined
  const ofPath = (mark: FieldPlan, i: number) => [
    { name: '', fields: [{ path: [mark], test }] },
    ...planAll(where[i], plan, fields),
  ]
  return [{ name: '', fields: [], anyOf: marks.map(ofPath) }]
}

function planAll(
  where: WhereConditions,
  plan: RecordPlan,
  fields: Readonly<Record<string, ComputedField>>,
): WherePlan[] {
  if (typeof where !== 'object' || where === null || Array.isArray(where)) {
    throw whereError(`where must be an object with conditions, or a function, not ${describeValue(where)}`)
  }
  return Object.entries(where).flatMap(([name, given]) => {
    const computed = Object.hasOwn(fields, name) ? fields[name] : undefined
    const paths = computed ? computed.reads.map((one) => pathOf(one, plan)) : pathsOf(name, plan)
    return [given].flat().map((condition: FieldCondition) => {
      const tests = new Map<Kind, (value: Value) => boolean>()
      const tested = paths.map((path) => {
        const field = path.at(-1) as FieldPlan
        const kind = computed ? kindOf(computed.kind) : field.values
        const test = tests.get(kind) ?? testOf(name, condition, kind)
        tests.set(kind, test)
        if (condition.present !== false || !field.isRequired || computed) return { path, test }
        throw whereError(`where: the field ${name} is required; no record is without it`)
      })
      return { name, fields: tested, computed }
    })
  })
}

/** The conditions of paths on children of the elements that records are made of. */
export function planChildren({ fields }: RecordPlan): WherePlan[] {
  return fields.flatMap((field) => {
    const { condition, name } = field
    const test = (value: Value) => (value === undefined) === condition?.isInverted
    return condition ? { name, fields: [{ path: [field], test }] } : []
  })
}

/** The names that one of several fields is given by. That of a field may have a `|` in it. */
export function splitNames(name: string, { fields }: RecordPlan): string[] {
  return fields.some((field) => field.name === name) ? [name] : name.split('|')
}

function pathsOf(name: string, plan: RecordPlan): FieldPath[] {
  return splitNames(name, plan).map((one) => {
    const path = pathOf(one, plan)
    if (path.some(({ isLate }) => isLate)) throw whereError(`where: the field ${one} is late; where cannot see it`)
    return path
  })
}

function pathOf(name: string, plan: RecordPlan): FieldPath {
  return findFields(plan, name, (known) => whereError(`where: ${unknownName('field', name, known)}`))
}

const CONDITIONS = ['in', 'notIn', 'from', 'to', 'above', 'below', 'matches', 'ignoreCase', 'present']
const RANGE = ['from', 'to']
/** By types, what is less and greater than all values. In XML, no text has the character of the second. */
const ENDS: Readonly<Record<string, Span>> = { string: ['', '\uffff'], boolean: [false, true] }
const NUMBERS: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

function testOf(name: string, condition: FieldCondition, kind: Kind): (value: Value) => boolean {
  requireCondition(`the condition of ${name}`, condition, CONDITIONS)
  const { matches, ignoreCase = false, present } = condition
  for (const [key, value] of Object.entries({ ignoreCase, present }))
    if (value !== undefined && typeof value !== 'boolean')
      throw whereError(`where: ${key} must be true or false, not ${describeValue(value)}`)
  const fold = (value: Value): Value => (ignoreCase && typeof value === 'string' ? value.toLowerCase() : value)
  const [type = '', words = 'nothing, since it is not a single value'] = kind.compared ?? []
  const spanOf = (value: Value): Span => {
    const [first, last] = kind.spanOf(value).map(fold) as [Ordered, Ordered]
    if (typeof first === type && !Number.isNaN(first)) return [first, last]
    throw whereError(`where: ${name} must be compared with ${words}, not with ${describeValue(value)}`)
  }
  const [least, most] = ENDS[type] ?? NUMBERS
  const rangeOf = (range: ValueRange): Span => {
    requireCondition(`a range of ${name}`, range, RANGE)
    const { from, to } = range
    return [from === undefined ? least : spanOf(from)[0], to === undefined ? most : spanOf(to)[1]]
  }
  const [from, to, above, below] = (['from', 'to', 'above', 'below'] as const).map((key) => {
    return condition[key] === undefined ? undefined : spanOf(condition[key])
  })
  const [allowed, refused] = (['in', 'notIn'] as const).map((key) => {
    const values: unknown = condition[key]
    if (values === undefined) return undefined
    if (Array.isArray(values)) return new ValueSet(values.map((one) => (isRange(one) ? rangeOf(one) : spanOf(one))))
    throw whereError(`where: ${key} must be an array of values, not ${describeValue(values)}`)
  })
  const pattern = matches === undefined ? undefined : patternOf(matches, ignoreCase ? 'iu' : 'u')
  const test = (value: Value): boolean => {
    if (Array.isArray(value)) return value.length === 0 ? test(undefined) : value.some(test)
    if (value === undefined || present === false) return (value === undefined) === (present === false)
    const compared = fold(kind.comparable(value)) as Ordered
    if ((allowed && !allowed.has(compared)) || refused?.has(compared)) return false
    if ((from && !(compared >= from[0])) || (to && !(compared <= to[1]))) return false
    if ((above && !(compared > above[1])) || (below && !(compared < below[0]))) return false
    return !pattern || pattern.test(value instanceof Date ? value.toISOString() : String(value))
  }
  return test
}

function isRange(given: unknown): given is ValueRange {
  return typeof given === 'object' && given !== null && !(given instanceof Date)
}

/** Throws an error for what is no object, for an unknown property, and for an object that says nothing. */
function requireCondition(what: string, condition: object, keys: readonly string[]): void {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    throw whereError(`where: ${what} must be an object, not ${describeValue(condition)}`)
  }
  let isEmpty = true
  for (const [key, value] of Object.entries(condition)) {
    if (!keys.includes(key)) throw whereError(`where: ${unknownName('condition', key, keys)}`)
    if (value !== undefined && key !== 'ignoreCase') isEmpty = false
  }
  // A bound that is undefined alone is a variable without a value, and would let everything through.
  if (isEmpty) throw whereError(`where: ${what} says nothing: expected one of ${keys.join(', ')}`)
}

function patternOf(matches: unknown, flags: string): RegExp {
  try {
    if (typeof matches === 'string') return new RegExp(matches, flags)
  } catch (error) {
    throw whereError(`where: ${(error as Error).message}`)
  }
  throw whereError(`where: matches must be a regular expression as a string, not ${describeValue(matches)}`)
}

function whereError(message: string): TypeError {
  return withCode(new TypeError(message), 'invalid-option')
}
