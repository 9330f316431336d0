// Conditions on the attributes of an element, in shapes: `@deleted`, `@state="hidden"`, `@state!="shown"`.

import { describeValue, withCode } from '../../stream/errors.ts'
import { type Condition, type PathNames, parseAttributeName } from './path.ts'

const CONDITION =
  /^@(?<name>(?:\{[^}]*\})?[^=!\s{}]+)\s*(?:(?<sign>!?=)\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'))?$/u

/** Throws a `RangeError` with the code `invalid-option` for anything else. */
export function parseCondition(text: unknown, names: PathNames): Condition {
  const groups = typeof text === 'string' ? CONDITION.exec(text.trim())?.groups : undefined
  if (!groups) {
    const message = `invalid condition ${describeValue(text)}: expected @name, @name="value" or @name!="value"`
    throw withCode(new RangeError(message), 'invalid-option')
  }
  const { name = '', sign, double, single } = groups
  return {
    attribute: parseAttributeName(name, text as string, names),
    value: double ?? single,
    isNegated: sign === '!=',
  }
}

/** Whether it holds of an element with this value of the attribute; undefined: the element does not have the attribute. */
export function holds({ value, isNegated }: Condition, found: string | undefined): boolean {
  if (found === undefined) return false
  return value === undefined || (found === value) !== isNegated
}
