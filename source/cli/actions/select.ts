// What `xylem select` does: prints elements of a document, or fields of them.

import { decompress } from '../../compression/decompress.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import type { XmlElement } from '../../xml/element.ts'
import { parseFields, type XmlFields, type XmlRecord } from '../../xml/field.ts'
import { Path } from '../../xml/path.ts'
import { readXml } from '../../xml/reader.ts'
import type { SelectCommandOptions } from '../commands/select.ts'
import { UsageError } from '../errors.ts'
import { nameFaults, openInput } from '../input.ts'
import { formatElementLine } from '../output/element-lines.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { openOutput } from '../output/output.ts'
import { writeBatches } from '../output/write-batches.ts'
import { SkippedEntities } from '../skipped-entities.ts'
import { xmlOptions } from '../xml-options.ts'

type Values = XmlRecord<XmlFields>

export async function selectFrom(
  path: string,
  file: string,
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const fields = fieldsOf(options)
  requirePaths(path, fields)
  const isStandardInput = file === '-'
  const cache = StreamCache.from(decompress(openInput(file)), { signal })
  const skipped = new SkippedEntities()
  const reader = readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal })
  const { nested } = options
  const items: AsyncIterable<readonly (XmlElement | Values)[]> = fields
    ? reader.recordBatches(path, fields, { nested })
    : reader.selectBatches(path, { nested })
  const batches = nameFaults(isStandardInput ? 'standard input' : file, items)
  try {
    // An input that cannot be read must not empty the output of an earlier run, so the output is opened after the first elements.
    const first = await batches.next()
    const output = await openOutput(options.output, isStandardInput ? undefined : file, signal)
    await writeBatches<XmlElement | Values>(output, {
      first,
      others: batches,
      noun: fields ? 'records' : 'elements',
      limit: options.limit,
      isTold: !options.quiet && (options.output !== undefined || !process.stdout.isTTY),
      source: cache,
      format: (fields ? formatValues : options.xml ? formatXml : formatElementLine) as (
        item: unknown,
      ) => Iterable<string>,
    })
  } finally {
    await batches.return(undefined)
    skipped.report(isStandardInput ? 'standard input' : file)
  }
}

/** The pieces of an element as it stands in the input, with a line feed. */
function formatXml({ bytes }: XmlElement): string[] {
  return [`${new TextDecoder().decode(bytes)}\n`]
}

/** A record as a line of JSON, in which what is not there is null. */
function formatValues(values: Record<string, unknown>): string[] {
  for (const name in values) values[name] ??= null
  return [formatJsonLine(values)]
}

function fieldsOf({ field, xml }: SelectCommandOptions): XmlFields | undefined {
  if (!field) return undefined
  if (xml) throw new UsageError('--xml cannot be used together with --field')
  return Object.fromEntries(field.map(({ name, path }) => [name, path]))
}

function requirePaths(path: string, fields: XmlFields | undefined): void {
  try {
    new Path(path)
    if (fields) parseFields(fields)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
