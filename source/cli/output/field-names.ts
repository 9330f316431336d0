// The names of fields that records of dumps have: paths such as `revision.contributor.username`, from the schema of their lines.

import pages from '../../../docs/page.schema.json' with { type: 'json' }
import revisions from '../../../docs/revision.schema.json' with { type: 'json' }
import { parseAddedField, type RecordKind } from '../../mediawiki/lines/added-fields.ts'
import { findNearest } from '../../stream/nearest.ts'
import type { JsonSchema } from '../../xml/question/json-schema.ts'
import { UsageError } from '../errors/errors.ts'

const SCHEMAS: Readonly<Record<RecordKind, JsonSchema>> = { pages, revisions }
/** Revisions have no others. */
const DEFINITIONS: Readonly<Record<string, JsonSchema>> = pages.definitions

/** A field that a record may have. */
export interface Field {
  readonly name: string
  /** `integer`, `string`, `true` (where it is there at all), `array` or `object`. */
  readonly type: string
  readonly description: string
}

/** All fields of a kind of records, in the order in which lines have them. */
export function listFields(kind: RecordKind): Field[] {
  return [...walk(SCHEMAS[kind], '')]
}

/** Throws a `UsageError` for a name that records of a kind cannot have, with what may be meant. */
export function requireFields(kind: RecordKind, names: readonly string[]): void {
  for (const name of names) {
    if (parseAddedField(kind, name)) continue
    const path = name.split('.')
    if (path.reduce<JsonSchema | undefined>((schema, key) => schema && enter(schema, key), SCHEMAS[kind])) continue
    const similar = findSimilar(
      name,
      listFields(kind).map((field) => field.name),
    )
    const hint = similar.length > 0 ? `; did you mean ${similar.join(' or ')}?` : ''
    throw new UsageError(`unknown field ${name} in ${kind}${hint} (xylem ${kind} --list-fields prints all fields)`)
  }
}

/** The names that may be meant: the one that is written otherwise, those that end in it, or the one that is most like it. */
function findSimilar(name: string, names: readonly string[]): readonly string[] {
  const lastOf = (one: string) => one.split('.').at(-1) ?? ''
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const exact = names.find((one) => isSame(one, name))
  if (exact !== undefined) return [exact]
  const inner = names.filter((one) => isSame(lastOf(one), lastOf(name)))
  if (inner.length > 0) return inner
  const nearest = findNearest(name, names)
  if (nearest !== undefined) return [nearest]
  const last = findNearest(lastOf(name), names.map(lastOf))
  return names.filter((one) => lastOf(one) === last)
}

function* walk(from: JsonSchema, prefix: string): Generator<Field, void, undefined> {
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
function enter(from: JsonSchema, key: string): JsonSchema | undefined {
  const { items, additionalProperties } = from
  if (items && /^\d+$/.test(key)) return resolve(items)
  const properties = propertiesOf(from)
  if (Object.hasOwn(properties, key)) return resolve(properties[key] as JsonSchema)
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The properties of an object, or of all that it may be. */
function propertiesOf({ properties, oneOf = [] }: JsonSchema): Record<string, JsonSchema> {
  return Object.assign({}, properties, ...oneOf.map(propertiesOf))
}

function resolve({ $ref = '', ...own }: JsonSchema): JsonSchema {
  return { ...DEFINITIONS[$ref.replace('#/definitions/', '')], ...own }
}
