// The JSON Schema of a grammar's values, as they are in JSON: what is absent is left out, and a date is a text.

import { kindOf } from '../../record/kinds.ts'
import { withCode } from '../../stream/errors.ts'
import type { ValueFormOptions } from '../grammar-types.ts'
import { entryOf, type Rule } from '../syntax/expression.ts'
import type { FieldValueShape, RecordShape, ValueShape } from '../values/value-shape.ts'
import { ValueShapes } from '../values/value-shapes.ts'
import { findValueless, SettledShapes } from './settled-shapes.ts'

/** What is used here of JSON Schema, draft 2020-12. */
export interface ValueSchema {
  readonly $schema?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, ValueSchema>>
  readonly type?: string
  readonly format?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly items?: ValueSchema
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | ValueSchema
  readonly anyOf?: readonly ValueSchema[]
  readonly not?: ValueSchema
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const PLACE: ValueSchema = { type: 'integer', minimum: 0 }
/** What no value is. */
const NEVER: ValueSchema = { not: {} }

/**
 * The JSON Schema (2020-12) of the values of a rule as they are in JSON: a field that is undefined is left out, and a date is a text. `$defs` has a schema for each rule
 * that gives a value.
 *
 * Throws a `RangeError` with the code `unknown-rule` for a rule that there is not, or that gives no value.
 */
export function makeSchema(
  { rules }: { readonly rules: readonly Rule[] },
  entry = entryOf(rules),
  form: ValueFormOptions = {},
): ValueSchema {
  const shapes = new ValueShapes(new Map(rules.map((rule) => [rule.name, rule])), form)
  const valueless = findValueless(shapes)
  if (valueless.has(entry) || !rules.some(({ name }) => name === entry)) throw refuse(entry, valueless.get(entry))
  const writer = new SchemaWriter(shapes)
  // Fields whose kind is given hold rules that the text has not.
  const giving = [...shapes.rules.rules.keys()].filter((name) => !valueless.has(name))
  const definitions = giving.map((name) => [name, writer.describe(name)])
  return { $schema: DRAFT, $ref: `#/$defs/${entry}`, $defs: Object.fromEntries(definitions) }
}

function refuse(entry: string, reason: string | undefined): RangeError {
  const what = reason === undefined ? 'the grammar has no such rule' : `it gives no value: ${reason}`
  return withCode(new RangeError(`there is no schema of ${entry}: ${what}`), 'unknown-rule')
}

class SchemaWriter {
  readonly #shapes: ValueShapes
  readonly #settled: SettledShapes

  constructor(shapes: ValueShapes) {
    this.#shapes = shapes
    this.#settled = new SettledShapes(shapes)
  }

  /** What a rule gives. */
  describe(rule: string): ValueSchema {
    return this.#schemaOf(this.#settled.shapeOf(rule))
  }

  #schemaOf(shape: ValueShape): ValueSchema {
    switch (shape.kind) {
      case 'text':
        return kindOf(shape.textKind ?? '').schema as ValueSchema
      case 'constant':
        return { const: shape.text }
      case 'null':
        return { type: 'null' }
      case 'result':
        return {}
      case 'flag':
        return { type: 'boolean' }
      case 'array':
        return { type: 'array', items: this.#schemaOf(shape.item), ...(shape.least > 0 && { minItems: shape.least }) }
      case 'map': {
        const [, value] = this.#shapes.fieldsOfEntry(shape.entry)
        return { type: 'object', additionalProperties: this.#schemaOf(value) }
      }
      case 'union':
        return this.#union(shape.members)
      case 'rule':
        return { $ref: `#/$defs/${shape.name}` }
      case 'record':
        return anyOf(shape.variants.map((fields) => this.#record(shape, fields)))
    }
  }

  #union(members: readonly ValueShape[]): ValueSchema {
    const texts = members.flatMap((member) => (member.kind === 'constant' ? [member.text] : []))
    const others = members.filter(({ kind }) => kind !== 'constant').map((member) => this.#schemaOf(member))
    if (texts.length === 0) return anyOf(others)
    return anyOf([texts.length === 1 ? { const: texts[0] as string } : { enum: texts }, ...others])
  }

  #record({ rule }: RecordShape, fields: readonly FieldValueShape[]): ValueSchema {
    const type = rule === undefined ? undefined : this.#shapes.typeOf(rule)
    const places = this.#shapes.options.positions ? ['start', 'end'] : []
    const properties: [string, ValueSchema][] = [
      ...(type === undefined ? [] : [['type', { const: type }] as [string, ValueSchema]]),
      ...fields.map(({ name, shape }): [string, ValueSchema] => [name, this.#schemaOf(shape)]),
      ...places.map((name): [string, ValueSchema] => [name, PLACE]),
    ]
    const absent = new Set(fields.flatMap(({ name, isOptional }) => (isOptional ? [name] : [])))
    const required = properties.flatMap(([name]) => (absent.has(name) ? [] : [name]))
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
  }
}

function anyOf(schemas: readonly ValueSchema[]): ValueSchema {
  const [only, ...others] = schemas
  if (!only) return NEVER
  return others.length === 0 ? only : { anyOf: schemas }
}
