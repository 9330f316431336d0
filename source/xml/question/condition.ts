// Conditions on the attributes of an element, in paths and in shapes: `@deleted`, `@state="hidden"`, `@state!="shown"`, and each in `not(…)`.

import { describeValue, withCode } from '../../stream/errors.ts'
import type { NamePattern } from '../names/name-pattern.ts'
import { type PathNames, parseAttributeName } from './path-names.ts'

/** What must hold of an attribute. */
export interface Condition {
  readonly attribute: NamePattern
  /** Its value; undefined if any will do. */
  readonly value: string | undefined
  /** Whether it must be there with another value. */
  readonly isNegated: boolean
  /** Whether all of this must not hold. */
  readonly isInverted: boolean
}

const CONDITION =
  /^@\s*(?<name>(?:\{[^}]*\})?[^=!\s{}()]+)\s*(?:(?<sign>!?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'))?$/u

/** What stands in `not(…)`, or the text itself. */
export function readNot(text: string): { readonly inner: string; readonly isInverted: boolean } {
  const [, inner] = /^not\(\s*(.*?)\s*\)$/su.exec(text.trim()) ?? []
  return { inner: inner ?? text.trim(), isInverted: inner !== undefined }
}

/** A condition; undefined for a text that is none. Throws a `RangeError` with the code `invalid-option` for an invalid name. */
export function readCondition(text: string, path: string, names: PathNames): Condition | undefined {
  const { inner, isInverted } = readNot(text)
  const { name, sign, double, single } = CONDITION.exec(inner)?.groups ?? {}
  if (name === undefined) return undefined
  const attribute = parseAttributeName(name, path, names)
  return { attribute, value: double ?? single, isNegated: sign === '!=', isInverted }
}

/** Throws a `RangeError` with the code `invalid-option` for anything that is not a condition. */
export function parseCondition(text: unknown, names: PathNames): Condition {
  const condition = typeof text === 'string' ? readCondition(text, text, names) : undefined
  if (condition) return condition
  const message = `invalid condition ${describeValue(text)}: expected @name, @name="value" or @name!="value"`
  throw withCode(new RangeError(message), 'invalid-option')
}

/** Whether it holds of an element with this value of the attribute; undefined: the element does not have the attribute. */
export function holds({ value, isNegated, isInverted }: Condition, found: string | undefined): boolean {
  const isTrue = found !== undefined && (value === undefined || (found === value) !== isNegated)
  return isTrue !== isInverted
}
