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
import type { BatchOptions } from '../../xml/readings/records.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { findInputs, type Input, orStandardInput } from '../inputs/inputs.ts'
import { loadShape } from '../inputs/shape-file.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { refuseSwapped } from '../inputs/swapped-arguments.ts'
import type { FormatOptions } from '../options/format-options.ts'
import type { InferOptions } from '../options/infer-options.ts'
import { readPrefixes, shapeOfFields } from '../options/shape-options.ts'
import { parseConditions } from '../options/where-options.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { InnerMatches } from '../output/inner-matches.ts'
import { requireObjects, requireTable } from '../output/record-output.ts'
import { formatElementLine } from '../output/tree-lines.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import type { InferredInput } from '../records/inferred-input.ts'
import { UnevenLists } from '../records/uneven-lists.ts'

interface SelectCommandOptions extends InferOptions, FormatOptions {
  path?: string[]
  xml?: true
  field?: string[]
  shape?: string
  infer?: true
  lenient?: true
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
  requireInfer(options)
  const paths = [path, ...(options.path ?? [])]
  const prefixes = prefix && readPrefixes(prefix)
  const shape = await shapeOf(options, prefixes, signal)
  const inputs = options.infer ? await findInferredInputs([path, ...names]) : undefined
  const sampled = inputs?.[0] && (await inferFrom(inputs[0], options, signal))
  const { batches, report, ...written } = sampled
    ? openInferred(sampled, options)
    : shape
      ? openRecords(paths, shape, prefixes, options)
      : openElements(paths, prefixes, options)
  async function* read(cache: StreamCache, name: string, left: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const skipped = new SkippedEntities()
    try {
      for await (const batch of batches(
        readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal }),
        left,
      )) {
        sampled?.release()
        yield batch
      }
    } finally {
      sampled?.release()
      if (options.warnings) skipped.report(name)
    }
  }
  const otherPaths = shapeFile === undefined ? [] : [shapeFile]
  try {
    await writeBatches({
      inputs: inputs ?? (await findInputs(orStandardInput(names)).catch((error) => refuseSwapped(path, names, error))),
      read,
      open: sampled && ((input) => sampled.open(input)),
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
  read?: BatchOptions['read'],
): Opened {
  const { nested, csvSafe: isSafe = false, lenient, output } = options
  const format = options.format ?? guessFormat(output)
  const plan = orUsage(() => planShape(shape, { prefixes }))
  const where = options.where && parseConditions(options.where, plan)
  const asked: RecordOptions = { nested, prefixes, where, lenient }
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
        read,
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

/** Records of which a shape was inferred: with all that it has no place for. */
function openInferred(sampled: InferredInput, options: SelectCommandOptions): Opened {
  const { paths, inferred, read } = sampled
  const opened = openRecords(paths, new Map(Object.entries(inferred.shape)), undefined, options, read)
  // All fields are in the sample, but that of what is not.
  return { ...opened, unseen: undefined, report: () => sampled.report() }
}

async function inferFrom(input: Input, options: SelectCommandOptions, signal: AbortSignal): Promise<InferredInput> {
  const { InferredInput: Inferred } = await import('../records/inferred-input.ts')
  return Inferred.of(input, options, true, signal)
}

const NOT_WITH_INFER = ['field', 'shape', 'xml', 'path', 'prefix'] as const
const ONLY_WITH_INFER = ['each', 'sample', 'all'] as const

/** Throws a `UsageError` for options that cannot be used together with `--infer`, or only with it. */
function requireInfer(options: SelectCommandOptions): void {
  const { infer, nested } = options
  const other = NOT_WITH_INFER.find((name) => options[name] !== undefined)
  if (infer && other === 'path') throw new UsageError('--infer cannot be used together with --path; use --each')
  if (infer && other) throw new UsageError(`--infer cannot be used together with --${other}`)
  if (infer && nested !== 'outermost') throw new UsageError('--infer cannot be used together with --nested')
  const needing = ONLY_WITH_INFER.find((name) => options[name] !== undefined)
  if (!infer && needing) throw new UsageError(`--${needing} needs --infer`)
}

/** With `--infer`, all arguments are inputs. */
async function findInferredInputs(names: readonly string[]): Promise<Input[]> {
  try {
    return await findInputs(names)
  } catch (error) {
    if (!(error instanceof InputError) || error.input !== names[0] || names.length === 1) throw error
    throw new UsageError(
      `no such file: ${error.input}; with --infer all arguments are documents, and --each ${error.input} says which elements are records`,
    )
  }
}

/** The names of all fields that are written, those of records in records after the record. The rest may be none. */
function namesOf(plan: RecordPlan): string[] {
  const fields = writtenFields(plan).filter(({ kind }) => kind !== 'rest')
  return fields.flatMap(({ fullName, record }) => [fullName, ...(record ? namesOf(record) : [])])
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
