// What `xylem select` does: prints elements of a document, or fields of them.

import { stat } from 'node:fs/promises'
import { formatNames } from '../../record/format/index.ts'
import { count, Report, sum } from '../../record/report.ts'
import { formatJson, formatPieces } from '../../text/json.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import { planShape } from '../../xml/question/plan.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { askForRecords } from '../../xml/readings/record-question.ts'
import { recoveryOf } from '../../xml/readings/recovery.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { ExitCode, InputError, UsageError } from '../errors/errors.ts'
import { dashed, orUsage } from '../errors/or-usage.ts'
import { findInputs, type Input, orStandardInput } from '../inputs/inputs.ts'
import type { OpenInput } from '../inputs/read-inputs.ts'
import {
  countReplaced,
  countSkipped,
  openReaders,
  openReading,
  warnOfReplaced,
  warnOfSkipped,
} from '../inputs/xml-readers.ts'
import type { SelectOptions } from '../options/document-options.ts'
import { requireFormatOptions } from '../options/format-options.ts'
import { parseWhere, shapeOfConditions } from '../options/where-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { reportUnseen, requireGood } from '../output/findings.ts'
import { requireObjects } from '../output/record-output.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import { ask } from '../read/ask.ts'
import { makeFaultHandler, noteFaults, tellSkipped } from '../read/fault-handler.ts'
import { InputReader } from '../read/input-reader.ts'
import type { Asked, RecordCounts, RecordQuestion } from '../read/question.ts'
import { describeUse, RANGE_SIZE } from '../read/range-sizes.ts'
import { readQuestion } from '../read/read-question.ts'
import { addSkipped, findUnseen } from '../read/records.ts'
import { tell, tellAll } from '../terminal/terminal.ts'
import { quotePath, quoteWord } from '../terminal/word-list.ts'
import type { InferredInputs } from '../xml/inferred-inputs.ts'

/** Characters of the longest name in the lines of `--stats`. */
const WIDTH = 16

/** What is written, and how. */
interface Opened extends Pick<BatchWriting, 'read' | 'noun' | 'format' | 'fields' | 'setup' | 'report'> {
  readonly counts: Pick<Asked['report'], 'data'>
  /** Warns of what was seen in all documents, and says how they were read. */
  readonly say?: () => void
}

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectOptions,
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
  const hasFields = sampled || options.field || shapeFile !== undefined
  const { counts, say, ...written } = hasFields
    ? await openRecords(question, options, sampled)
    : openElements(question, options, await lineOf(options))
  const otherPaths = [shapeFile, options.dtd].filter((path) => path !== undefined)
  const found = inputs ?? (await findInputs(orStandardInput(names)).catch((error) => refuseSwapped(path, names, error)))
  const advise = async () => {
    const { adviseOnNames } = await import('../xml/similar-names.ts')
    return adviseOnNames(found[0], question, await openReading(question.xml), { jobs: options.jobs, signal })
  }
  try {
    const { exitCode } = await writeBatches({
      inputs: found,
      advise: sampled ? undefined : advise,
      open: sampled && ((input) => sampled.open(input)),
      options,
      otherPaths,
      signal,
      ...written,
    })
    requireGood(exitCode)
    if ((counts.data.faults ?? 0) > 0) requireGood(ExitCode.FAULTS)
  } finally {
    sampled?.release()
    say?.()
  }
}

/** Records, in any format. */
async function openRecords(asked: RecordQuestion, options: SelectOptions, sampled?: InferredInputs): Promise<Opened> {
  const { output, jobs, warnings, stats } = options
  const format = options.format ?? guessFormat(output)
  requireRecordsName(output, options.format, 'select')
  const request = { format, question: { ...asked, written: requireFormatOptions(format, options) } }
  const { fields, setup, report } = await ask(request, undefined, sampled?.reading)
  const withoutRecords: string[] = []
  async function* read(input: OpenInput, limit: number, signal: AbortSignal): AsyncGenerator<Batch, void, undefined> {
    const { name } = input
    const asked = await ask(request, noteFaults(name, report), sampled?.reading)
    const reader = new InputReader(input, asked, { jobs, rangeSize: RANGE_SIZE, limit, signal })
    const before = sampled?.found.data.records
    try {
      for await (const batch of reader.batches()) {
        sampled?.release(input.input)
        yield batch
      }
      if (sampled && sampled.found.data.records === before) withoutRecords.push(name)
    } finally {
      sampled?.release(input.input)
      const { data } = asked.report
      if (warnings) tellAll(warnOfSkipped(name, data.entities))
      tellSkipped(name, data.skipped)
      report.add(data)
    }
  }
  return {
    read,
    noun: 'records',
    format,
    fields,
    setup,
    counts: report,
    report: (records, advice) => {
      // All fields are in the sample, but that of what is not.
      const unseen = sampled ? { inputs: withoutRecords } : findUnseen(request.question, report.data)
      return reportUnseen('record', { records, ...unseen }, options, advice)
    },
    say: () => {
      if (warnings) tellAll(sampled ? [...sampled.say(), ...warnOfReplaced(report.data.replaced)] : report.say())
      for (const [name, value] of stats ? describeUse(report.data) : []) tell(`${name.padEnd(WIDTH)}  ${value}`)
    },
  }
}

const NOT_WITH_INFER = ['field', 'shape', 'xml', 'asObject', 'prefix', 'documents'] as const
const ONLY_WITH_INFER = ['each', 'sample', 'all'] as const

/** Throws a `UsageError` for options that cannot be used together with `--infer`, or only with it. */
function requireInfer(options: SelectOptions): void {
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
  options: SelectOptions,
  signal: AbortSignal,
): Promise<InferredInputs> {
  const { InferredInputs: Inferred } = await import('../xml/inferred-inputs.ts')
  return Inferred.of(inputs, options, true, signal)
}

/** Throws a `UsageError` if an option is used together with one of others. */
function refuseTogether<Name extends keyof SelectOptions>(
  option: string,
  isUsed: true | undefined,
  options: SelectOptions,
  others: readonly Name[],
): void {
  const other = isUsed && others.find((name) => options[name] !== undefined)
  if (other) throw new UsageError(`${option} cannot be used together with --${dashed(other)}`)
}

/** The pieces of the line of an element: as it stands in the input, or as JSON. */
type FormatElement = (element: XmlElement) => Iterable<string>

async function lineOf({ xml, asObject }: SelectOptions): Promise<FormatElement> {
  if (xml) return ({ bytes }) => [new TextDecoder().decode(bytes)]
  if (!asObject) return (element) => formatPieces(element, dataOf)
  const { toObject } = await import('../../xml/object/to-object.ts')
  return (element) => [formatJson(toObject(element))]
}

function dataOf({ name, attributes, children }: XmlElement): object {
  return { name, attributes: [...attributes], children }
}

/** Elements, as objects of JSON or as they are in the input. */
function openElements(
  { path: paths, prefixes, xml: reading = {}, onError: how }: RecordQuestion,
  options: SelectOptions,
  line: FormatElement,
): Opened {
  const { nested, xml, output, warnings } = options
  if (options.stats) throw new UsageError('--stats counts ranges of records; name fields with --field or --shape')
  if (options.lenient) throw new UsageError('--lenient applies to fields; name them with --field or --shape')
  const texts = options.where ?? []
  const shape: XmlShape = { ...shapeOfConditions(texts, paths), [ELEMENT]: { path: '.', as: 'object', hidden: true } }
  const wanted = {
    nested,
    prefixes,
    lenient: true,
    where: parseWhere(
      texts,
      orUsage(() => planShape(shape, { prefixes })),
      paths,
    ),
  }
  orUsage(() => recoveryOf(askForRecords(paths, shape, wanted).projection, how && 'skip'))
  const format = xml ? 'jsonl' : (options.format ?? guessFormat(output))
  if (xml) requireFileName(output, ['markup'], 'select --xml')
  else requireRecordsName(output, options.format, 'select', formatNames('objects'))
  const advice =
    format === 'xml' ? 'use --xml to print them as they are, or --field for records' : 'use --field for a table'
  requireObjects(format, 'elements', advice)
  requireFormatOptions(format, options)
  const counts = new Report<number, RecordCounts>([sum('faults'), countReplaced()])
  async function* read(input: OpenInput, left: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const { name } = input
    const onFault = makeFaultHandler(how ?? 'stop', noteFaults(name, counts))
    if (how === 'skip-block') input.onFault = onFault
    const onError = onFault ?? ('stop' as const)
    const skipped = countSkipped()
    const leftOut = new Report<never, RecordCounts>([count('skipped', addSkipped)])
    const options = { ...(await openReading(reading, skipped.see, counts.on('replaced'))), signal }
    async function* elements(): AsyncGenerator<XmlElement[]> {
      for await (const reader of openReaders(input.cache, reading, options)) {
        const filter = { ...wanted, onError }
        try {
          if (texts.length > 0)
            yield* filterElements((onRecord) => reader.writtenBatches('jsonl', paths, shape, filter, { onRecord }))
          else yield* reader.select(paths, { nested, prefixes, onError }).batches()
        } finally {
          leftOut.add({ skipped: reader.skipped })
        }
      }
    }
    try {
      yield* batchLines(elements(), line, left)
    } finally {
      tellSkipped(name, leftOut.data.skipped)
      if (warnings) tellAll(warnOfSkipped(name, skipped.data))
    }
  }
  return { read, noun: 'elements', format, fields: [], counts, say: () => warnings && tellAll(counts.say()) }
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

/** Throws the error of looking for the documents; a `UsageError` where the path is a file and the first document is none. */
async function refuseSwapped(path: string, [first]: readonly string[], error: unknown): Promise<never> {
  if (first === undefined || !(await isFile(path)) || (await isFile(first))) throw error
  throw new UsageError(
    `no such file: ${first}; the path comes first, and ${path} is a file: xylem select ${quoteWord(first)} ${quotePath(path)}`,
  )
}

/** Throws a `UsageError` where the path is a file, and the path of elements was forgotten. Names without an ending may be both. */
async function refuseFile(path: string, [first]: readonly string[]): Promise<void> {
  if (!/\.\w+$/.test(path) || !(await isFile(path)) || (first !== undefined && !(await isFile(first)))) return
  const otherwise = path.includes('/') ? '' : ` (elements of this name: //${path})`
  throw new UsageError(
    `${path} is a file, and the path of elements comes first: xylem select PATH ${quotePath(path)}${otherwise}`,
  )
}

async function isFile(name: string): Promise<boolean> {
  return stat(name).then(
    (status) => status.isFile(),
    () => false,
  )
}
