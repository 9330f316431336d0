// What `xylem select` does: prints elements of a document, or fields of them.

import { formatNames } from '../../record/format/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import type { RecordOptions } from '../../xml/options.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { SeenFields } from '../../xml/output/seen-fields.ts'
import { type OrderedShape, planShape, type RecordPlan, writtenFields } from '../../xml/question/plan.ts'
import { projectionOf } from '../../xml/question/projection.ts'
import { readXml, type XmlReader } from '../../xml/reader.ts'
import { askForRecords } from '../../xml/readings/record-question.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { findInputs, orStandardInput } from '../inputs/inputs.ts'
import { loadShape } from '../inputs/shape-file.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { refuseSwapped } from '../inputs/swapped-arguments.ts'
import type { FormatOptions } from '../options/format-options.ts'
import { readPrefixes, shapeOfFields } from '../options/shape-options.ts'
import { parseConditions } from '../options/where-options.ts'
import { type XmlCommandOptions, xmlOptions } from '../options/xml-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { InnerMatches } from '../output/inner-matches.ts'
import { requireObjects, requireTable } from '../output/record-output.ts'
import { formatElementLine } from '../output/tree-lines.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import { UnevenLists } from '../records/uneven-lists.ts'

interface SelectCommandOptions extends XmlCommandOptions, FormatOptions {
  path?: string[]
  xml?: true
  field?: string[]
  shape?: string
  where?: string[]
  prefix?: string[]
  nested: 'outermost' | 'innermost' | 'all'
  limit?: number
  allowEmpty?: true
  warnings: boolean
  jobs: number
  output?: string
  quiet?: true
}

/** What is written, and how. `batches` reads one document. */
interface Opened extends Pick<BatchWriting, 'noun' | 'format' | 'fields' | 'hasNulls' | 'isSafe' | 'unseen'> {
  readonly batches: (xml: XmlReader, left: number) => AsyncGenerator<Batch, void, undefined>
  /** Warns of what was seen in all documents. */
  readonly report?: () => void
}

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { shape: shapeFile, prefix, namespaces, xml } = options
  const other = (['format', 'field', 'shape'] as const).find((name) => options[name] !== undefined)
  if (xml && other) throw new UsageError(`--xml cannot be used together with --${other}`)
  if (prefix && !namespaces) throw new UsageError('--prefix cannot be used together with --no-namespaces')
  const paths = [path, ...(options.path ?? [])]
  const prefixes = prefix && readPrefixes(prefix)
  const shape = await shapeOf(options, prefixes, signal)
  const { batches, report, ...written } = shape
    ? openRecords(paths, shape, prefixes, options)
    : openElements(paths, prefixes, options)
  async function* read(cache: StreamCache, name: string, left: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const skipped = new SkippedEntities()
    try {
      yield* batches(readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal }), left)
    } finally {
      if (options.warnings) skipped.report(name)
    }
  }
  const otherPaths = shapeFile === undefined ? [] : [shapeFile]
  try {
    await writeBatches({
      inputs: await findInputs(orStandardInput(names)).catch((error) => refuseSwapped(path, names, error)),
      read,
      options,
      bom: options.bom,
      otherPaths,
      signal,
      ...written,
    })
  } finally {
    if (options.warnings) report?.()
  }
}

type Prefixes = Readonly<Record<string, string>> | undefined
/** Fields in their order. */
type Shape = Extract<OrderedShape, ReadonlyMap<string, unknown>>

/** What is wanted of each element: the fields of the file first; undefined for the element itself. */
async function shapeOf(
  { shape: file, field }: SelectCommandOptions,
  prefixes: Prefixes,
  signal: AbortSignal,
): Promise<Shape | undefined> {
  if (file === undefined && !field) return undefined
  const shape = new Map(file === undefined ? [] : Object.entries(await loadShape(file, { prefixes }, signal)))
  for (const [name, one] of shapeOfFields(field ?? [])) {
    if (shape.has(name)) throw new UsageError(`the field name ${name} is used twice`)
    shape.set(name, one)
  }
  return shape
}

/** Records, in any format. */
function openRecords(
  paths: readonly string[],
  shape: Shape,
  prefixes: Prefixes,
  options: SelectCommandOptions,
): Opened {
  const { nested, csvSafe: isSafe = false, output } = options
  const format = options.format ?? guessFormat(output)
  const plan = orUsage(() => planShape(shape, { prefixes }))
  const where = options.where && parseConditions(options.where, plan)
  const asked: RecordOptions = { nested, prefixes, where }
  orUsage(() => askForRecords(paths, shape, asked))
  requireRecordsName(output, options.format, 'select')
  requireTable(format, options)
  const lists = new UnevenLists(shape)
  const inner = new InnerMatches()
  const seen = new SeenFields(namesOf(plan))
  const onRecord = (record: RecordView) => {
    lists.look?.(record)
    inner.add(record)
    seen.look(record)
  }
  const reading = { ...asked, absent: 'null', safe: isSafe } as const
  return {
    batches: (xml, limit) => {
      const batches = xml.writtenBatches(format, paths, shape, reading, {
        limit,
        onRecord,
        countsInner: true,
      })
      return batches as AsyncGenerator<Batch, void, undefined>
    },
    noun: 'records',
    format,
    fields: writtenFields(plan),
    hasNulls: true,
    isSafe,
    // Those that have a field may not be wanted.
    unseen: () => ({ [where ? 'empty' : 'missing']: unseenNames(plan, seen) }),
    report: () => {
      lists.report()
      inner.report()
    },
  }
}

/** The names of all fields that are written, those of records in records after the record. */
function namesOf(plan: RecordPlan): string[] {
  return writtenFields(plan).flatMap(({ fullName, record }) => [fullName, ...(record ? namesOf(record) : [])])
}

/** The names of fields that no record has. Of a record that there is nowhere, its own fields say nothing more. */
function unseenNames(plan: RecordPlan, seen: SeenFields): string[] {
  const unseen = namesOf(plan).filter((_, place) => !seen.places.has(place))
  return unseen.filter((name) => !unseen.some((other) => name.startsWith(`${other}.`)))
}

/** Elements, as objects of JSON or as they are in the input. */
function openElements(paths: readonly string[], prefixes: Prefixes, options: SelectCommandOptions): Opened {
  const { nested, xml, output } = options
  if (options.where) throw new UsageError('--where applies to fields; name them with --field or --shape')
  orUsage(() => projectionOf({ path: paths, prefixes, nested }))
  const format = xml ? 'jsonl' : (options.format ?? guessFormat(output))
  if (xml) requireFileName(output, ['xml'], 'select --xml')
  else requireRecordsName(output, options.format, 'select', formatNames('objects'))
  requireObjects(format, 'elements', 'use --field for a table')
  requireTable(format, options)
  const line = xml ? formatXml : formatElementLine
  return {
    batches: (xml, left) => batchLines(xml.select(paths, { nested, prefixes }).batches(), line, left),
    noun: 'elements',
    format,
    fields: [],
  }
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}
