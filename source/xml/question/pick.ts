// Some of the fields of a shape.

import { isOnRequest } from './plan.ts'
import type { FieldShape, RecordField, XmlShape } from './shape.ts'

/**
 * The fields of a shape that names lead to: `title`, or `author.name` for a field of a record in the record. A name that leads into a list, or into one of
 * several records, stands for all of it. Fields that `looked` leads to are hidden: they can be asked for, but nothing in them is an error.
 */
export function pick(shape: XmlShape, names: readonly string[], looked: readonly string[] = []): XmlShape {
  const picked: Record<string, XmlShape[string]> = {}
  // What is left of an element depends on all its fields.
  const hasRest = Object.entries(shape).some(
    ([name, field]) => isRest(field) && names.some((one) => `${one}.`.startsWith(`${name}.`)),
  )
  for (const [name, field] of Object.entries(shape)) {
    const [inner, innerLooked] = [innerOf(names, name), innerOf(looked, name)]
    const isWanted = inner.length > 0
    if (isOnRequest(field) && !names.includes(name) && !looked.includes(name)) continue
    if (names.includes(name) || (isWanted && !hasFields(field))) picked[name] = request(field, inner, innerLooked)
    else if (isWanted || innerLooked.length > 0 || looked.includes(name) || hasRest) {
      const fields = hasFields(field) ? { fields: pick(field.fields, inner, [...innerLooked, ...keysOf(field)]) } : {}
      picked[name] = isWanted ? ({ ...(field as RecordField), ...fields } as FieldShape) : hide(field, fields)
    }
  }
  return picked
}

/** A shape with those of its fields on request that names lead to, and all others. Those that only `looked` leads to are hidden. */
export function withRequested(shape: XmlShape, names: readonly string[], looked: readonly string[] = []): XmlShape {
  const given = Object.keys(shape).filter((name) => !isOnRequest(shape[name]))
  return pick(shape, [...given, ...names], looked)
}

/** A field that is asked for, with those of its fields on request that names lead to. */
function request(field: XmlShape[string], names: readonly string[], looked: readonly string[] = []): XmlShape[string] {
  if (typeof field === 'string') return field
  if (Array.isArray(field)) {
    const inOne = names.map((name) => name.replace(/^\d+\.?/, ''))
    return field.map((one) => request(one, inOne, looked) as FieldShape)
  }
  if (isOnRequest(field)) return { ...field, onRequest: false } as FieldShape
  if (!hasFields(field) || names.length + looked.length === 0) return field
  return { ...field, fields: withRequested(field.fields, names, looked) }
}

/** What is left of those names that lead into a field. */
function innerOf(names: readonly string[], field: string): string[] {
  return names.filter((name) => name.startsWith(`${field}.`)).map((name) => name.slice(field.length + 1))
}

function hide(field: XmlShape[string], fields: object): XmlShape[string] {
  const [one] = [field].flat() as [FieldShape]
  const shown = request(one, []) as FieldShape
  const hidden = { ...(typeof shown === 'string' ? { path: shown } : shown), ...fields, required: false, hidden: true }
  if ('outer' in hidden) return { outer: hidden.outer, ...fields, hidden: true } as FieldShape
  return (Array.isArray(field) ? [hidden] : hidden) as XmlShape[string]
}

function hasFields(field: XmlShape[string]): field is RecordField & { readonly fields: XmlShape } {
  return typeof field === 'object' && 'fields' in field
}

/** The fields by which the newest of several records is found. */
function keysOf({ pick: picked }: RecordField): readonly string[] {
  return typeof picked === 'object' ? picked.newest : []
}

function isRest(field: XmlShape[string]): boolean {
  return typeof field === 'object' && 'as' in field && field.as === 'rest'
}
