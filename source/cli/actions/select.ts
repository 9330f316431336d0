// What `xylem select` does: prints elements of a document, or fields of them.

import type { StreamCache } from '../../stream/stream-cache.ts'
import type { XmlElement } from '../../xml/element.ts'
import { Path } from '../../xml/path.ts'
import { planShape } from '../../xml/projection/plan.ts'
import type { XmlRecord, XmlShape } from '../../xml/projection/shape.ts'
import { readXml } from '../../xml/reader.ts'
import type { SelectCommandOptions } from '../commands/select.ts'
import { UsageError } from '../errors.ts'
import { findInputs, orStandardInput, pathsOf } from '../inputs.ts'
import { formatElementLine } from '../output/element-lines.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { writeBatches } from '../output/write-batches.ts'
import { InputsReader } from '../read-inputs.ts'
import { SkippedEntities } from '../skipped-entities.ts'
import { xmlOptions } from '../xml-options.ts'

type Values = XmlRecord<XmlShape>

export async function selectFrom(
  path: string,
  names: readonly string[],
  options: SelectCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const fields = fieldsOf(options)
  requirePaths(path, fields)
  const inputs = await findInputs(orStandardInput(names))
  const { nested, jobs } = options
  async function* read(cache: StreamCache, name: string): AsyncGenerator<readonly (XmlElement | Values)[]> {
    const skipped = new SkippedEntities()
    const xml = readXml(cache, { ...xmlOptions(options), onSkippedEntity: skipped.add, signal })
    try {
      yield* fields ? xml.recordBatches(path, fields, { nested }) : xml.selectBatches(path, { nested })
    } finally {
      skipped.report(name)
    }
  }
  const reader = new InputsReader(inputs, { jobs, signal }, read)
  await writeBatches<XmlElement | Values>(reader, {
    noun: fields ? 'records' : 'elements',
    options,
    inputPaths: pathsOf(inputs),
    signal,
    format: (fields ? formatValues : options.xml ? formatXml : formatElementLine) as (
      item: unknown,
    ) => Iterable<string>,
  })
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

function fieldsOf({ field, xml }: SelectCommandOptions): XmlShape | undefined {
  if (!field) return undefined
  if (xml) throw new UsageError('--xml cannot be used together with --field')
  return Object.fromEntries(field.map(({ name, path }) => [name, path]))
}

function requirePaths(path: string, fields: XmlShape | undefined): void {
  try {
    new Path(path)
    if (fields) planShape(fields)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
