// What `xylem select` does: prints elements of a document, or fields of them.

import { formatNames } from '../../record/format/index.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { planShape } from '../../xml/question/plan.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { askForRecords } from '../../xml/readings/record-question.ts'
import { recoveryOf } from '../../xml/readings/recovery.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { dashed } from '../errors/dashed.ts'
import { InputError, UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { findInputs, type Input, orStandardInput } from '../inputs/inputs.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import { countSkipped } from '../inputs/skipped-entities.ts'
import { refuseFile, refuseSwapped } from '../inputs/swapped-arguments.ts'
import { openReaders, openReading } from '../inputs/xml-readers.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import type { InferOptions } from '../options/infer-options.ts'
import { parseConditions, shapeOfConditions } from '../options/where-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { requireObjects } from '../output/record-output.ts'
import { formatElementLine } from '../output/tree-lines.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import { SkippedErrors } from '../records/fault-handler.ts'
import { tell, tellAll } from '../terminal/terminal.ts'
import { RANGE_SIZE } from '../workers/range-sizes.ts'
import { describeUse } from '../workers/range-use.ts'
import { DocumentReader } from '../xml/document-reader.ts'
import type { InferredInputs } from '../xml/inferred-inputs.ts'
import { type QuestionOptions, readQuestion } from '../xml/read-question.ts'
import { SelectedRecords, type SelectQuestion } from '../xml/select-question.ts'

/** Characters of the longest name in the lines of `--stats`. */
const WIDTH = 16

interface SelectCommandOptions extends QuestionOptions, Omit<InferOptions, 'jobs'> {
  infer?: true
  path?: string[]
  xml?: true
  asObject?: true
  limit?: number
  stats?: true
  allowEmpty?: true
  warnings: boolean
  jobs: number
  output?: string
  quiet?: true
}

/** What is written, and how. */
interface Opened extends Pick<BatchWriting, 'read' | 'noun' | 'format' | 'fields' | 'written' | 'metadata' | 'unseen'> {
  /** Warns of what was seen in all documents, and says how they were read. */
  readonly report?: () => void
}

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { shape: shapeFile } = options
  refuseTogether('--xml', options.xml, options, ['format', 'field', 'shape', 'stats'])
  refuseTogether('--as-object', options.asObject, options, ['xml', 'field', 'shape'])
  requireInfer(options)
  if (!options.infer) await refuseFile(path, names)
  const inputs = options.infer ? await findInferredInputs([path, ...names]) : undefined
  const sampled = inputs && (await inferFrom(inputs, options, signal))
  const asked = await readQuestion([path, ...(options.path ?? [])], options, signal)
  const question = sampled ? sampled.askFor(asked) : asked
  const skipped = new SkippedErrors(question.onError)
  const hasFields = sampled || options.field || shapeFile !== undefined
  const { report, ...written } = hasFields
    ? openRecords(question, options, skipped, sampled)
    : openElements(question, options, skipped, await lineOf(options))
  const otherPaths = [shapeFile, options.dtd].filter((path) => path !== undefined)
  const found = inputs ?? (await findInputs(orStandardInput(names)).catch((error) => refuseSwapped(path, names, error)))
  const advise = async () => {
    const { adviseOnNames } = await import('../xml/similar-names.ts')
    return adviseOnNames(found[0], question, await openReading(question.xml), { jobs: options.jobs, signal })
  }
  try {
    await writeBatches({
      inputs: found,
      advise: sampled ? undefined : advise,
      open: sampled && ((input) => sampled.open(input)),
      options,
      otherPaths,
      signal,
      ...(question.onError === 'skip-block' && { onFault: skipped.onFault }),
      ...written,
    })
    skipped.requireNone()
  } finally {
    sampled?.release()
    report?.()
  }
}

/** Records, in any format. */
function openRecords(
  asked: SelectQuestion,
  options: SelectCommandOptions,
  errors: SkippedErrors,
  sampled?: InferredInputs,
): Opened {
  const { output, jobs, warnings, stats } = options
  const format = options.format ?? guessFormat(output)
  requireRecordsName(output, options.format, 'select')
  const question = { ...asked, written: requireFormatOptions(format, options) }
  const records = new SelectedRecords(question, format, errors.onFault)
  const withoutRecords: string[] = []
  async function* read(input: OpenInput, limit: number, signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    const reading = { question, records, format, jobs, rangeSize: RANGE_SIZE, limit, signal, read: sampled?.read }
    const reader = new DocumentReader(input, reading)
    const before = sampled?.found.data.records
    errors.input = input.name
    try {
      for await (const batch of reader.batches()) {
        sampled?.release(input.input)
        yield batch
      }
      if (sampled && sampled.found.data.records === before) withoutRecords.push(input.name)
    } finally {
      sampled?.release(input.input)
      if (warnings) tellAll(reader.skipped.say())
      errors.report(reader.left)
    }
  }
  return {
    read,
    noun: 'records',
    format,
    fields: records.fields,
    written: records.written,
    metadata: records.metadata,
    // All fields are in the sample, but that of what is not.
    unseen: () => (sampled ? { inputs: withoutRecords } : records.unseen),
    report: () => {
      if (warnings) tellAll(sampled ? sampled.say() : records.report.say())
      for (const [name, value] of stats ? describeUse(records.report.data) : []) tell(`${name.padEnd(WIDTH)}  ${value}`)
    },
  }
}

const NOT_WITH_INFER = ['onError', 'field', 'shape', 'xml', 'asObject', 'prefix', 'documents'] as const
const ONLY_WITH_INFER = ['each', 'sample', 'all'] as const

/** Throws a `UsageError` for options that cannot be used together with `--infer`, or only with it. */
function requireInfer(options: SelectCommandOptions): void {
  const { infer, nested } = options
  if (infer && options.path) throw new UsageError('--infer cannot be used together with --path; use --each')
  refuseTogether('--infer', infer, options, NOT_WITH_INFER)
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

async function inferFrom(
  inputs: readonly Input[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<InferredInputs> {
  const { InferredInputs: Inferred } = await import('../xml/inferred-inputs.ts')
  return Inferred.of(inputs, options, true, signal)
}

/** Throws a `UsageError` if an option is used together with one of others. */
function refuseTogether<Name extends keyof SelectCommandOptions>(
  option: string,
  isUsed: true | undefined,
  options: SelectCommandOptions,
  others: readonly Name[],
): void {
  const other = isUsed && others.find((name) => options[name] !== undefined)
  if (other) throw new UsageError(`${option} cannot be used together with --${dashed(other)}`)
}

/** How the line of an element is written: in pieces. */
type FormatElement = (element: XmlElement) => Iterable<string>

async function lineOf({ xml, asObject }: SelectCommandOptions): Promise<FormatElement> {
  if (xml) return formatXml
  if (!asObject) return formatElementLine
  const [{ toObject }, { formatJson }] = await Promise.all([
    import('../../xml/object/to-object.ts'),
    import('../../text/json.ts'),
  ])
  return (element) => [`${formatJson(toObject(element))}\n`]
}

/** Elements, as objects of JSON or as they are in the input. */
function openElements(
  { path: paths, prefixes, xml: reading = {} }: SelectQuestion,
  options: SelectCommandOptions,
  errors: SkippedErrors,
  line: FormatElement,
): Opened {
  const { nested, xml, output, warnings } = options
  if (options.stats) throw new UsageError('--stats counts ranges of records; name fields with --field or --shape')
  if (options.lenient) throw new UsageError('--lenient applies to fields; name them with --field or --shape')
  const texts = options.where ?? []
  const shape: XmlShape = { ...shapeOfConditions(texts), [ELEMENT]: { path: '.', as: 'object', hidden: true } }
  const wanted = {
    nested,
    prefixes,
    lenient: true,
    onError: errors.onFault ?? ('stop' as const),
    where: parseConditions(
      texts,
      orUsage(() => planShape(shape, { prefixes })),
    ),
  }
  orUsage(() => recoveryOf(askForRecords(paths, shape, wanted).projection, errors.onFault))
  const format = xml ? 'jsonl' : (options.format ?? guessFormat(output))
  if (xml) requireFileName(output, ['markup'], 'select --xml')
  else requireRecordsName(output, options.format, 'select', formatNames('objects'))
  const advice =
    format === 'xml' ? 'use --xml to print them as they are, or --field for records' : 'use --field for a table'
  requireObjects(format, 'elements', advice)
  requireFormatOptions(format, options)
  async function* read({ cache, name }: OpenInput, left: number, signal: AbortSignal): AsyncGenerator<Batch> {
    errors.input = name
    const skipped = countSkipped(name)
    const options = { ...(await openReading(reading, skipped.see)), signal }
    async function* elements(): AsyncGenerator<XmlElement[]> {
      for await (const reader of openReaders(cache, reading, options)) {
        if (texts.length > 0)
          yield* filterElements((onRecord) => reader.writtenBatches('jsonl', paths, shape, wanted, { onRecord }))
        else yield* reader.select(paths, { nested, prefixes, onError: errors.onFault ?? 'stop' }).batches()
        errors.report(reader.skipped)
      }
    }
    try {
      yield* batchLines(elements(), line, left)
    } finally {
      if (warnings) tellAll(skipped.say())
    }
  }
  return {
    read,
    noun: 'elements',
    format,
    fields: [],
  }
}

/** The field of a record that has the element itself. */
const ELEMENT = ''

/** The elements of records that satisfy conditions: each is held until that is known. */
async function* filterElements(
  read: (onRecord: (record: RecordView) => void) => AsyncGenerator<unknown>,
): AsyncGenerator<XmlElement[]> {
  const found: XmlElement[] = []
  for await (const _ of read((record) => found.push(record.element(ELEMENT)))) yield found.splice(0)
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}
