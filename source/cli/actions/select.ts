// What `xylem select` does: prints elements of a document, or fields of them.

import type { FormatField } from '../../record/format/format.ts'
import { formatNames } from '../../record/format/index.ts'
import type { StreamCache } from '../../stream/stream-cache.ts'
import { Path } from '../../xml/question/path.ts'
import { type OrderedShape, planShape } from '../../xml/question/plan.ts'
import { readXml } from '../../xml/reader.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import { UsageError } from '../errors/errors.ts'
import { findInputs, orStandardInput } from '../inputs/inputs.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { refuseSwapped } from '../inputs/swapped-arguments.ts'
import type { FormatOptions } from '../options/format-options.ts'
import type { FieldOption } from '../options/option-values.ts'
import { type XmlCommandOptions, xmlOptions } from '../options/xml-options.ts'
import { guessFormat, requireFileName, requireRecordsName } from '../output/file-formats.ts'
import { requireObjects, requireTable } from '../output/record-output.ts'
import { formatElementLine } from '../output/tree-lines.ts'
import { type Batch, batchLines, writeBatches } from '../output/write-batches.ts'

interface SelectCommandOptions extends XmlCommandOptions, FormatOptions {
  xml?: true
  field?: FieldOption[]
  nested: 'outermost' | 'innermost' | 'all'
  limit?: number
  jobs: number
  output?: string
  quiet?: true
}

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.xml && options.format) throw new UsageError('--xml cannot be used together with --format')
  const fields = fieldsOf(options)
  const written = requirePaths(path, fields)
  const format = options.xml ? 'jsonl' : (options.format ?? guessFormat(options.output))
  if (options.xml) requireFileName(options.output, ['xml'], 'select --xml')
  else requireRecordsName(options.output, options.format, 'select', formatNames(fields ? undefined : 'objects'))
  if (!fields) requireObjects(format, 'elements', 'use --field for a table')
  if (options.csvSafe) requireTable(format)
  const { nested, csvSafe: safe = false } = options
  async function* read(cache: StreamCache, name: string, left: number, signal: AbortSignal): AsyncGenerator<Batch> {
    const skipped = new SkippedEntities()
    const xml = readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal })
    const line = options.xml ? formatXml : formatElementLine
    try {
      yield* fields
        ? (xml.writtenBatches(format, path, fields, { nested, absent: 'null', safe }, left) as AsyncGenerator<Batch>)
        : batchLines(xml.select(path, { nested }).batches(), line, left)
    } finally {
      skipped.report(name)
    }
  }
  await writeBatches({
    inputs: await findInputs(orStandardInput(names)).catch((error) => refuseSwapped(path, names, error)),
    read,
    noun: fields ? 'records' : 'elements',
    options,
    format,
    fields: written,
    hasNulls: true,
    isSafe: safe,
    signal,
  })
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}

function fieldsOf({ field, xml }: SelectCommandOptions): OrderedShape | undefined {
  if (!field) return undefined
  if (xml) throw new UsageError('--xml cannot be used together with --field')
  return new Map(field.map(({ name, path }) => [name, path]))
}

/** The fields that are written. Throws a `UsageError` for paths that are not valid. */
function requirePaths(path: string, fields: OrderedShape | undefined): readonly FormatField[] {
  try {
    new Path(path)
    return fields ? planShape(fields).fields : []
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
