// The names of fields that records of dumps have: paths such as `revision.contributor.username`, from the schema of their lines.

import schema from '../../../docs/page.schema.json' with { type: 'json' }
import { parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { UsageError } from '../errors/errors.ts'

/** What is used here of JSON Schema. */
interface Schema {
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
}

/** A field that a record may have. */
export interface Field {
  readonly name: string
  /** `integer`, `string`, `true` (where it is there at all), `array` or `object`. */
  readonly type: string
  readonly description: string
}

/** Properties of pages that revisions do not repeat. */
const OF_PAGES_ALONE = new Set(['revision', 'uploads'])

/** All fields of a kind of records, in the order in which lines have them. */
export function listFields(kind: RecordKind): Field[] {
  return [...walk(schemaOf(kind), '')]
}

/** Throws a `UsageError` for a name that records of a kind cannot have, with what may be meant. */
export function requireFields(kind: RecordKind, names: readonly string[]): void {
  for (const name of names) {
    if (parseAddedField(kind, name)) continue
    const path = name.split('.')
    if (path.reduce<Schema | undefined>((schema, key) => schema && enter(schema, key), schemaOf(kind))) continue
    const last = path.at(-1)
    const similar = listFields(kind).filter((field) => field.name.split('.').at(-1) === last)
    const hint = similar.length > 0 ? `; did you mean ${similar.map((field) => field.name).join(' or ')}?` : ''
    throw new UsageError(`unknown field ${name} in ${kind}${hint} (xylem ${kind} --list-fields prints all fields)`)
  }
}

function schemaOf(kind: RecordKind): Schema {
  const page = schema as Schema
  if (kind === 'pages') return page
  const ofPage = Object.entries(page.properties ?? {}).filter(([name]) => !OF_PAGES_ALONE.has(name))
  const { description, type } = page
  const properties = resolve(page.properties?.revision ?? {}).properties
  return {
    properties: {
      page: { description: description ?? '', type: type ?? '', properties: Object.fromEntries(ofPage) },
      ...properties,
    },
  }
}

function* walk(from: Schema, prefix: string): Generator<Field, void, undefined> {
  for (const [key, value] of Object.entries(propertiesOf(from))) {
    const { description = '', type = 'object', const: constant, additionalProperties } = resolve(value)
    const name = `${prefix}${key}`
    const isOpen = typeof additionalProperties === 'object'
    const inner = type === 'object' ? [...walk(resolve(value), `${name}.`)] : []
    if (inner.length > 0) yield* inner
    else
      yield { name: isOpen ? `${name}.…` : name, type: constant === undefined ? type : String(constant), description }
  }
}

/** What a key leads to; undefined where nothing can stand there. */
function enter(from: Schema, key: string): Schema | undefined {
  const { items, additionalProperties } = from
  if (items && /^\d+$/.test(key)) return resolve(items)
  const properties = propertiesOf(from)
  if (Object.hasOwn(properties, key)) return resolve(properties[key] as Schema)
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The properties of an object, or of all that it may be. */
function propertiesOf({ properties, oneOf = [] }: Schema): Record<string, Schema> {
  return Object.assign({}, properties, ...oneOf.map(propertiesOf))
}

function resolve(value: Schema): Schema {
  const { $ref, ...own } = value
  if ($ref === undefined) return value
  const name = $ref.replace('#/definitions/', '')
  return { ...(schema.definitions as Record<string, Schema>)[name], ...own }
}
