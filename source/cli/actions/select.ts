// What `xylem select` does: prints elements of a document, or fields of them.

import type { StreamCache } from '../../stream/stream-cache.ts'
import type { LineBatch } from '../../xml/output/record-lines.ts'
import { Path } from '../../xml/projection/path.ts'
import { type OrderedShape, planShape } from '../../xml/projection/plan.ts'
import { readXml } from '../../xml/reader.ts'
import type { XmlElement } from '../../xml/tree/element.ts'
import type { SelectCommandOptions } from '../commands/select.ts'
import { UsageError } from '../errors/errors.ts'
import { findInputs, orStandardInput, pathsOf } from '../inputs/inputs.ts'
import { InputsReader } from '../inputs/read-inputs.ts'
import { SkippedEntities } from '../inputs/skipped-entities.ts'
import { xmlOptions } from '../options/xml-options.ts'
import { formatElementLine } from '../output/element-lines.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeBatches } from '../output/write-batches.ts'

const LINE_FEED = 0x0a

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const fields = fieldsOf(options)
  requirePaths(path, fields)
  if (options.xml) requireFileName(options.output, ['xml'], 'select --xml')
  else requireFileName(options.output, ['jsonl'], 'select')
  const inputs = await findInputs(orStandardInput(names))
  const { nested, jobs } = options
  async function* read(cache: StreamCache, name: string): AsyncGenerator<readonly (XmlElement | LineBatch)[]> {
    const skipped = new SkippedEntities()
    const xml = readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal })
    try {
      if (!fields) yield* xml.select(path, { nested }).batches()
      else for await (const lines of xml.lineBatches(path, fields, { nested, absent: 'null' })) yield [lines]
    } finally {
      skipped.report(name)
    }
  }
  const reader = new InputsReader(inputs, { jobs, signal }, read)
  const writing = { noun: fields ? 'records' : 'elements', options, inputPaths: pathsOf(inputs), signal }
  if (fields) {
    const format = ({ bytes }: LineBatch) => [bytes]
    const countOf = ({ records }: LineBatch) => records
    await writeBatches(reader as InputsReader<readonly LineBatch[]>, { ...writing, format, countOf, cut: cutLines })
  } else {
    const format = options.xml ? formatXml : formatElementLine
    await writeBatches(reader as InputsReader<readonly XmlElement[]>, { ...writing, format })
  }
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}

/** The first of some lines. */
function cutLines({ bytes }: LineBatch, count: number): LineBatch {
  let end = 0
  for (let left = count; left > 0; left--) end = bytes.indexOf(LINE_FEED, end) + 1
  return { bytes: bytes.subarray(0, end), records: count }
}

function fieldsOf({ field, xml }: SelectCommandOptions): OrderedShape | undefined {
  if (!field) return undefined
  if (xml) throw new UsageError('--xml cannot be used together with --field')
  return new Map(field.map(({ name, path }) => [name, path]))
}

function requirePaths(path: string, fields: OrderedShape | undefined): void {
  try {
    new Path(path)
    if (fields) planShape(fields)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
