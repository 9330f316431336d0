// Values in the formats of records: which fields they have, and batches of them.

import type { ColumnBatch } from '../../record/format/column.ts'
import type {
  Collected,
  Format,
  FormatField,
  FormatOptions,
  FormatRecord,
  FormatSetup,
} from '../../record/format/format.ts'
import { FORMATS, type FormatName, findFormat, readFormatOptions, USUAL_FORMAT } from '../../record/format/index.ts'
import { formatBatches } from '../../record/format-batches.ts'
import type { RecordValues } from '../../record/value.ts'
import { requireNumber, unknownName } from '../../stream/options.ts'
import type { GrammarValue } from '../grammar-types.ts'
import type { ValueQuestion } from './value-questions.ts'
import type { FieldValueShape, RecordShape, ValueShape } from './value-shape.ts'
import type { ValueShapes } from './value-shapes.ts'

/** The field of values that are no records. */
const VALUE = 'value'

/** What is written of values. */
export interface Writing {
  readonly fields: readonly FormatField[]
  /** For each field, where its value is; undefined if a record is written as it is. */
  readonly paths: readonly (readonly string[])[] | undefined
  /** Whether each value is a record. */
  readonly areRecords: boolean
}

/** What is written of the values of rules: all fields, or those with some names, where `name.inner` is a field of a record in a field. Throws a `TypeError` with the code `invalid-option` for a name that there is not. */
export function findWriting(
  shapes: ValueShapes,
  rules: readonly string[],
  names: readonly string[] | undefined,
): Writing {
  const grounds = rules.flatMap((name) => shapes.groundsOf({ kind: 'rule', name }))
  const areRecords = grounds.every(({ kind }) => kind === 'record')
  const fields = areRecords
    ? fieldsOf(shapes, grounds as RecordShape[], new Set())
    : [fieldOf(shapes, VALUE, grounds, new Set())]
  if (!names) return { fields, paths: undefined, areRecords }
  const paths = names.map((name) => name.split('.'))
  const found = names.map((name, i) => ({ ...find(fields, paths[i] as readonly string[], name), name }))
  return { fields: found, paths, areRecords }
}

function find(fields: readonly FormatField[], path: readonly string[], all: string): FormatField {
  const [name, ...rest] = path
  const field = fields.find((one) => one.name === name)
  if (!field || (rest.length > 0 && (!field.record || field.isList))) {
    throw unknownName('field', all, listNames(fields))
  }
  return rest.length === 0 ? field : find(field.record?.fields ?? [], rest, all)
}

function listNames(fields: readonly FormatField[], prefix = ''): string[] {
  return fields.flatMap(({ name, record, isList }) => [
    prefix + name,
    ...(record && !isList ? listNames(record.fields, `${prefix}${name}.`) : []),
  ])
}

/** The fields of one or more records, in the order of the text. `around`: records that these are in, which cannot be columns once more. */
function fieldsOf(
  shapes: ValueShapes,
  records: readonly RecordShape[],
  around: ReadonlySet<RecordShape>,
): FormatField[] {
  const inner = new Set([...around, ...records])
  const found = new Map<string, ValueShape[]>()
  const add = (name: string, shape: ValueShape): void => {
    found.set(name, [...(found.get(name) ?? []), shape])
  }
  for (const { rule, variants } of records) {
    if (rule !== undefined && shapes.typeOf(rule) !== undefined) add('type', TEXT)
    for (const { name, shape } of variants.flat() as FieldValueShape[]) add(name, shape)
    if (shapes.options.positions) for (const name of ['start', 'end']) add(name, WHOLE)
  }
  return [...found].map(([name, all]) => fieldOf(shapes, name, all, inner))
}

const TEXT: ValueShape = { kind: 'text', textKind: undefined }
const WHOLE: ValueShape = { kind: 'text', textKind: 'integer' }

/** A field with values of some shapes: of those that are not of one kind, the JSON. */
function fieldOf(
  shapes: ValueShapes,
  name: string,
  values: readonly ValueShape[],
  around: ReadonlySet<RecordShape>,
): FormatField {
  const grounds = presentOf(shapes, values)
  const [only] = grounds
  const json = { name, kind: 'json', isList: false, record: undefined }
  // Values that are always null are of no kind.
  if (!only) return json
  const items = itemsOf(grounds)
  if (items) {
    // Lists may be in lists to any depth.
    const isNested = itemsOf(presentOf(shapes, items)) !== undefined
    return isNested ? json : { ...fieldOf(shapes, name, items, around), isList: true }
  }
  const records = grounds.filter((ground) => ground.kind === 'record')
  if (records.length === grounds.length && records.every((record) => !around.has(record))) {
    const fields = fieldsOf(shapes, records, around)
    return { ...json, kind: 'record', record: { fields } }
  }
  const kinds = new Set(grounds.map(kindOf))
  return kinds.size === 1 ? { ...json, kind: kindOf(only) } : json
}

/** What values of some shapes are where they are not null. */
function presentOf(shapes: ValueShapes, values: readonly ValueShape[]): ValueShape[] {
  return shapes.groundsOf({ kind: 'union', members: values }).filter(({ kind }) => kind !== 'null')
}

/** What is in lists; undefined if values may be something else, or are always null. */
function itemsOf(grounds: readonly ValueShape[]): ValueShape[] | undefined {
  const items = grounds.flatMap((ground) => (ground.kind === 'array' ? [ground.item] : []))
  return items.length > 0 && items.length === grounds.length ? items : undefined
}

function kindOf(shape: ValueShape): string {
  if (shape.kind === 'text') return shape.textKind ?? 'string'
  if (shape.kind === 'constant') return 'string'
  return shape.kind === 'flag' ? 'boolean' : 'json'
}

/** How values are written (grammar.ts). */
interface ValueWriting extends FormatOptions {
  readonly format?: FormatName | undefined
  readonly fields?: readonly string[] | undefined
}

type Values = AsyncGenerator<GrammarValue[], void, undefined>

/** The bytes of values in a format. */
export async function* writeValues(
  values: Values,
  { emittedRules, shapes }: ValueQuestion,
  options: ValueWriting,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format: name = 'jsonl' } = options
  const writing = findWriting(shapes, emittedRules, options.fields)
  const { format } = await findFormat(name).module.load()
  const open = format.open as NonNullable<typeof format.open>
  const written = { ...USUAL_FORMAT, ...readFormatOptions(name, options) }
  yield* formatBatches(open(writing.fields, written), collectValues(values, writing, format, written))
}

/** Values as columns. */
export async function* readColumns(
  values: Values,
  { emittedRules, shapes }: ValueQuestion,
  {
    fields,
    rows = USUAL_FORMAT.rows,
  }: { readonly fields?: readonly string[] | undefined; readonly rows?: number | undefined },
): AsyncGenerator<ColumnBatch, void, undefined> {
  const most = Math.floor(requireNumber('rows', rows, 1))
  const { format } = await FORMATS.columns.module.load()
  yield* collectValues(values, findWriting(shapes, emittedRules, fields), format, { ...USUAL_FORMAT, rows: most })
}

/** The batches of a format, of at least one value. The last one may come before an error, which is thrown then. */
export async function* collectValues<Batch>(
  values: AsyncGenerator<GrammarValue[], void, undefined>,
  { fields, paths, areRecords }: Writing,
  format: Format<Batch>,
  options: FormatSetup & { readonly limit?: number | undefined },
): AsyncGenerator<Batch, void, undefined> {
  const collector = format.collect(fields, options)
  const record = new ValueRecord(fields, paths, areRecords)
  let { limit: left = Number.POSITIVE_INFINITY } = options
  const items: RecordValues[] = []
  let failure: { readonly error: unknown } | undefined
  try {
    while (left > 0) {
      const { done, value: batch } = await values.next()
      if (done) break
      for (const value of batch.slice(0, left)) collector.add(record.turnTo(value))
      left -= batch.length
      yield* batchesOf(collector.take(items))
    }
  } catch (error) {
    failure = { error }
  } finally {
    await values.return()
  }
  yield* batchesOf(collector.finish())
  if (failure) throw failure.error
}

function batchesOf<Batch>(collected: readonly Collected<Batch>[]): Batch[] {
  return collected.map(({ batch }) => batch)
}

/** One value after the other, as formats see records. */
class ValueRecord implements FormatRecord {
  readonly #fields: readonly FormatField[]
  readonly #paths: Writing['paths']
  readonly #areRecords: boolean
  #value: GrammarValue

  constructor(fields: readonly FormatField[], paths: Writing['paths'], areRecords: boolean) {
    this.#fields = fields
    this.#paths = paths
    this.#areRecords = areRecords
  }

  /** Turns to another value. */
  turnTo(value: GrammarValue): this {
    this.#value = value
    return this
  }

  /** The value, where it is not written by its fields. A function may give what JSON does not have. */
  get bare(): unknown {
    if (this.#paths) return undefined
    return ['undefined', 'function', 'symbol'].includes(typeof this.#value) ? null : this.#value
  }

  complete(): RecordValues {
    if (!this.#areRecords) return { [VALUE]: this.#value } as RecordValues
    if (!this.#paths) return this.#value as unknown as RecordValues
    const values = this.#paths.map((path) => path.reduce(step, this.#value))
    return Object.fromEntries(this.#fields.map(({ name }, i) => [name, values[i]])) as RecordValues
  }
}

function step(value: GrammarValue, name: string): GrammarValue {
  // All objects have a `constructor`, and more.
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [field: string]: GrammarValue })[name]
    : undefined
}
