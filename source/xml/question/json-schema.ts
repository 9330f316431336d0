// JSON Schemas (draft 7) of the records of shapes, as they are in lines of JSON.

import { type KindSchema, kindOf, nameKind } from '../../record/kinds.ts'
import { isOnRequest } from './plan.ts'
import type { FieldShape, OuterField, RecordField, ValueField, XmlShape } from './shape.ts'

/** What is used here of JSON Schema. */
export interface JsonSchema extends KindSchema {
  readonly description?: string
  readonly minimum?: number
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly oneOf?: readonly JsonSchema[]
  readonly definitions?: Readonly<Record<string, JsonSchema>>
}

export interface SchemaOptions {
  /** What else is said of fields, such as descriptions, by their names with those of the records around them: `author.name`. */
  readonly notes?: ReadonlyMap<string, JsonSchema>
  /** What the definitions of records are called, by the names of their fields. Other records are described where they are. */
  readonly names?: Readonly<Record<string, string>>
}

const TEXT: JsonSchema = { type: 'string' }
const TEXTS: JsonSchema = { type: 'object', additionalProperties: TEXT }
const ELEMENT: JsonSchema = {
  description: 'An element as it is in the input: its attributes as pairs, its children in their order.',
  type: 'object',
  required: ['name', 'attributes', 'children'],
  properties: { name: TEXT, attributes: { type: 'array' }, children: { type: 'array' } },
}

/** The schema of the records of a shape. */
export function schemaOf(shape: XmlShape, options: SchemaOptions = {}): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}
  const schema = describeFields(shape, '', { ...options, definitions })
  return Object.keys(definitions).length === 0 ? schema : { ...schema, definitions }
}

/** What is said in the whole schema. */
interface Context extends SchemaOptions {
  readonly definitions: Record<string, JsonSchema>
}

/** What may be said of one value. */
type Field = Partial<
  Pick<ValueField, 'as' | 'unique' | 'default' | 'error'> &
    Pick<RecordField, 'of' | 'oneOf' | 'empty' | 'required' | 'hidden'> &
    Pick<OuterField, 'outer' | 'fields'>
>

function fieldOf(given: XmlShape[string]): Field {
  const [one] = [given].flat() as [FieldShape]
  return typeof one === 'string' ? {} : (one as Field)
}

/** `needed`: the field without which the record is not there; otherwise the fields say which are always there. */
function describeFields(shape: XmlShape, prefix: string, context: Context, needed?: string): JsonSchema {
  const shown = Object.entries(shape).filter(([, given]) => !fieldOf(given).hidden)
  const required = shown.flatMap(([name, given]) => (name === needed || isAlwaysThere(given) ? [name] : []))
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties: Object.fromEntries(
      shown.map(([name, given]) => {
        const value = describeValue(name, fieldOf(given), prefix, context)
        const schema = Array.isArray(given) ? { type: 'array', items: value } : value
        const { description, ...notes } = context.notes?.get(prefix + name) ?? {}
        const sentences = [description, isOnRequest(given) && 'Given only where it is asked for by name.'].filter(
          Boolean,
        )
        return [name, { ...(sentences.length > 0 && { description: sentences.join(' ') }), ...notes, ...schema }]
      }),
    ),
  }
}

function isAlwaysThere(given: XmlShape[string]): boolean {
  const { of, empty, required = false, default: preset, error } = fieldOf(given)
  if (isOnRequest(given) || error?.since !== undefined) return false
  return Array.isArray(given) ? of === undefined || empty === undefined : required || preset !== undefined
}

function describeValue(name: string, field: Field, prefix: string, context: Context): JsonSchema {
  const { as = 'string', unique, fields, oneOf } = field
  const { definitions, names } = context
  if (as === 'rest') definitions.element = ELEMENT
  if (!fields && !oneOf) return unique ? TEXTS : kindOf(nameKind(as, field)).schema
  const inside = `${prefix}${name}.`
  const describe = () => {
    if (!oneOf) return describeFields(fields as XmlShape, inside, context)
    return { oneOf: oneOf.map((one) => describeFields(one, inside, context, Object.keys(one)[0])) }
  }
  const definition = names?.[name]
  if (definition === undefined) return describe()
  definitions[definition] ??= describe()
  return { $ref: `#/definitions/${definition}` }
}
