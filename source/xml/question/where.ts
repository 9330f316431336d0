// Which records are wanted: conditions on fields, as data, so that they can be sent to workers; or a function.

import type { Value } from '../../record/value.ts'
import { describeValue, withCode } from '../../stream/errors.ts'
import { type FieldPlan, findFields, type RecordPlan, unknownName } from './plan.ts'
import type { XmlRecord, XmlShape } from './shape.ts'

/** What must hold of a field. A field without a value satisfies only `present: false`; of a list, one value must satisfy all. */
export interface FieldCondition {
  /** The values that it may have, or may not have. */
  readonly in?: readonly (string | number | bigint | boolean | Date)[] | undefined
  readonly notIn?: readonly (string | number | bigint | boolean | Date)[] | undefined
  /** The least value and the greatest one: numbers, texts that are compared by their UTF-16 units, or dates. */
  readonly from?: string | number | bigint | Date | undefined
  readonly to?: string | number | bigint | Date | undefined
  /** Values that it must be greater and less than. */
  readonly above?: string | number | bigint | Date | undefined
  readonly below?: string | number | bigint | Date | undefined
  /** A regular expression that its text matches somewhere, with the flag `u`. That of a date is what `toISOString` gives. */
  readonly matches?: string | undefined
  /** Whether it has a value. */
  readonly present?: boolean | undefined
}

/** By the name of a field, or the names down to one in a record (`author.name`), what must hold of it; in an array: several conditions. All must hold. */
export type WhereConditions = Readonly<Record<string, FieldCondition | readonly FieldCondition[]>>

/** The fields that a function sees: those that are not late. */
export type SeenRecord<Shape extends XmlShape> = Omit<XmlRecord<Shape>, LateNames<Shape>>
/** The names of late fields. */
export type LateNames<Shape extends XmlShape> = {
  [Name in keyof Shape]: Shape[Name] extends { readonly late: true } | readonly { readonly late: true }[] ? Name : never
}[keyof Shape]

/** Which records are wanted. */
export type XmlWhere<Shape extends XmlShape = XmlShape> = WhereConditions | ((record: SeenRecord<Shape>) => boolean)

/** A condition that was checked. */
export interface WherePlan {
  /** From the record of the shape to the field. */
  readonly fields: readonly FieldPlan[]
  readonly test: (value: Value) => boolean
}

/** Throws a `TypeError` or a `RangeError` with the code `invalid-option` for invalid conditions. */
export function planWhere(where: WhereConditions, plan: RecordPlan): WherePlan[] {
  if (typeof where !== 'object' || where === null || Array.isArray(where)) {
    throw whereError(`where must be an object with conditions, or a function, not ${describeValue(where)}`)
  }
  return Object.entries(where).flatMap(([name, given]) => {
    const fields = fieldsOf(name, plan)
    return [given].flat().map((condition) => {
      const test = testOf(name, condition, fields.at(-1) as FieldPlan)
      if (condition.present === false && fields.every(({ isRequired }) => isRequired)) {
        throw whereError(`where: the field ${name} is required; no record is without it`)
      }
      return { fields, test }
    })
  })
}

/** The conditions of paths on children of the elements that records are made of. */
export function planChildren({ fields }: RecordPlan): WherePlan[] {
  return fields.flatMap((field) => {
    const { condition } = field
    return condition ? { fields: [field], test: (value) => (value === undefined) === condition.isInverted } : []
  })
}

function fieldsOf(name: string, plan: RecordPlan): FieldPlan[] {
  const fields = findFields(plan, name, (known) => {
    return whereError(`where: ${unknownName('field', name, known)}`)
  })
  if (fields.some(({ isLate }) => isLate)) throw whereError(`where: the field ${name} is late; where cannot see it`)
  return fields
}

const CONDITIONS = ['in', 'notIn', 'from', 'to', 'above', 'below', 'matches', 'present']

function testOf(
  name: string,
  condition: FieldCondition,
  { values: { compared: type, comparable } }: FieldPlan,
): (value: Value) => boolean {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    throw whereError(`where: the condition of ${name} must be an object, not ${describeValue(condition)}`)
  }
  const unknown = Object.keys(condition).find((key) => !CONDITIONS.includes(key))
  if (unknown !== undefined) throw whereError(`where: ${unknownName('condition', unknown, CONDITIONS)}`)
  const { matches, present } = condition
  // A bound that is undefined alone is a variable without a value, and would let everything through.
  if (Object.values(condition).every((one) => one === undefined)) {
    throw whereError(`where: the condition of ${name} says nothing: expected one of ${CONDITIONS.join(', ')}`)
  }
  const bound = (value: Value): Value => {
    const compared = comparable(value)
    if (typeof compared !== type?.[0] || Number.isNaN(compared)) {
      const words = type?.[1] ?? 'nothing, since it is not a single value'
      throw whereError(`where: ${name} must be compared with ${words}, not with ${describeValue(value)}`)
    }
    return compared
  }
  const listed = (key: 'in' | 'notIn'): Set<Value> | undefined => {
    const values: unknown = condition[key]
    if (values === undefined || Array.isArray(values)) return values && new Set(values.map(bound))
    throw whereError(`where: ${key} must be an array of values, not ${describeValue(values)}`)
  }
  const [allowed, refused] = [listed('in'), listed('notIn')]
  const [from, to, above, below] = [condition.from, condition.to, condition.above, condition.below].map((one) =>
    one === undefined ? one : bound(one),
  )
  if (present !== undefined && typeof present !== 'boolean') {
    throw whereError(`where: present must be true or false, not ${describeValue(present)}`)
  }
  const pattern = matches === undefined ? undefined : patternOf(matches)
  const test = (value: Value): boolean => {
    if (Array.isArray(value)) return value.length === 0 ? test(undefined) : value.some(test)
    if (value === undefined || present === false) return (value === undefined) === (present === false)
    const compared = comparable(value) as string
    if ((allowed && !allowed.has(compared)) || refused?.has(compared)) return false
    if (from !== undefined && !(compared >= (from as string))) return false
    if (to !== undefined && !(compared <= (to as string))) return false
    if (above !== undefined && !(compared > (above as string))) return false
    if (below !== undefined && !(compared < (below as string))) return false
    return !pattern || pattern.test(value instanceof Date ? value.toISOString() : String(value))
  }
  return test
}

function patternOf(matches: unknown): RegExp {
  try {
    if (typeof matches === 'string') return new RegExp(matches, 'u')
  } catch (error) {
    throw whereError(`where: ${(error as Error).message}`)
  }
  throw whereError(`where: matches must be a regular expression as a string, not ${describeValue(matches)}`)
}

function whereError(message: string): TypeError {
  return withCode(new TypeError(message), 'invalid-option')
}
