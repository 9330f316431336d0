// What `xylem select` does: prints elements of a document, or fields of them.

import { formatNames } from '../../record/format/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { projectionOf } from '../../xml/question/projection.ts'
import { readXml, type XmlReader } from '../../xml/reader.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { UsageError } from '../errors/errors.ts'
import { orUsage } from '../errors/or-usage.ts'
import { findInputs, orStandardInput } from '../inputs/inputs.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { refuseSwapped } from '../inputs/swapped-arguments.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { requireObjects, requireTable } from '../output/record-output.ts'
import { formatElementLine } from '../output/tree-lines.ts'
import { type Batch, type BatchWriting, batchLines, writeBatches } from '../output/write-batches.ts'
import { type QuestionOptions, readQuestion } from '../xml/read-question.ts'
import { SelectedRecords, type SelectQuestion } from '../xml/select-question.ts'

interface SelectCommandOptions extends QuestionOptions {
  path?: string[]
  xml?: true
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
  const { shape: shapeFile, xml } = options
  const other = (['format', 'field', 'shape'] as const).find((name) => options[name] !== undefined)
  if (xml && other) throw new UsageError(`--xml cannot be used together with --${other}`)
  const question = await readQuestion([path, ...(options.path ?? [])], options, signal)
  const { batches, report, ...written } =
    options.field || shapeFile !== undefined ? openRecords(question, options) : openElements(question, options)
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

/** Records, in any format. */
function openRecords(question: SelectQuestion, options: SelectCommandOptions): Opened {
  const { output } = options
  const format = options.format ?? guessFormat(output)
  const records = new SelectedRecords(question)
  requireRecordsName(output, options.format, 'select')
  requireTable(format, options)
  const { path, prefixes, csvSafe: isSafe = false } = question
  return {
    batches: (xml, limit) =>
      records.batches(
        (shape, reading, batches) => xml.writtenBatches(format, path, shape, { ...reading, prefixes }, batches),
        limit,
      ),
    noun: 'records',
    format,
    fields: records.fields,
    hasNulls: true,
    isSafe,
    unseen: () => records.unseen,
    report: () => records.report(),
  }
}

/** Elements, as objects of JSON or as they are in the input. */
function openElements({ path: paths, prefixes }: SelectQuestion, options: SelectCommandOptions): Opened {
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
