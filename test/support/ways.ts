// All ways to read the records of a document: each must give the same.

import { makeTransform } from '../../source/stream/make-transform.ts'
import { readXmlInWorker } from '../../source/worker/index.ts'
import {
  type ColumnBatch,
  type FormatName,
  readXml,
  type WhereConditions,
  type WriteOptions,
  type XmlShape,
} from '../../source/xml/index.ts'
import { valuesOf } from './arrow.ts'
import { NOTATIONS } from './notations.ts'
import { webStream } from './sources.ts'

type Values = Readonly<Record<string, unknown>>

export interface WaysOptions {
  readonly lenient?: boolean
  /** Conditions, or a function; a worker reads with conditions alone. */
  readonly where?: WhereConditions | ((record: Values) => unknown)
  readonly prefixes?: Readonly<Record<string, string>>
}

/** What all ways are to give: records, and the code of the error after them. */
export interface Records {
  readonly records: readonly Values[]
  readonly code?: string | undefined
}

/** The texts of all items until an error, and its code. A cell of a table may have line ends, so they are one text. */
async function read<Item>(
  items: AsyncIterable<Item>,
  textOf: (item: Item) => string,
): Promise<{ text: string; code: unknown }> {
  let text = ''
  try {
    for await (const item of items) text += textOf(item)
    return { text, code: undefined }
  } catch (error) {
    return { text, code: (error as { code?: unknown }).code ?? String(error) }
  }
}

const lines = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const nulls = (_: string, value: unknown): unknown => (value === undefined ? null : value)
const asJson = (values: unknown): string => `${JSON.stringify(values, nulls)}\n`
const asLine = (values: unknown): string => `${JSON.stringify(values)}\n`

/** The records of a batch, with all keys. */
function rowsOf({ rows, columns }: ColumnBatch): string {
  const values = columns.map(valuesOf)
  const records = Array.from({ length: rows }, (_, i) => {
    return asJson(Object.fromEntries(columns.map(({ name }, at) => [name, values[at]?.[i]])))
  })
  return records.join('')
}

/** A way of reading: what it makes of records, and what it gives. */
interface Way {
  readonly name: string
  readonly textOf: (values: Values) => string
  readonly give: () => ReturnType<typeof read>
  /** What it gives before all records. */
  readonly header?: string
}

/** The ways of reading; each reads the pieces anew. */
function waysOf(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  { where, ...others }: WaysOptions,
): readonly Way[] {
  const wanted = { ...others, where: where as WhereConditions }
  const stream = () => webStream(pieces)
  const names = Object.keys(shape)
  const row = (cells: readonly unknown[]) => {
    const { format, lineEnd } = NOTATIONS.csv
    return format(names, cells, {}) + lineEnd
  }
  const ofEngine = (engine: 'wasm' | 'plain'): readonly Way[] => {
    const xml = () => readXml(pieces, { engine })
    const written =
      (format: FormatName, options: WriteOptions = {}) =>
      () =>
        read(xml().write(format, path, shape, { ...wanted, ...options }), lines)
    const objects = () => read(xml().records(path, shape, wanted), asJson)
    const columns = () => read(xml().columns(path, shape, wanted), rowsOf)
    return [
      { name: `objects, ${engine}`, textOf: asJson, give: objects },
      { name: `lines, ${engine}`, textOf: asLine, give: written('jsonl') },
      { name: `lines with nulls, ${engine}`, textOf: asJson, give: written('jsonl', { absent: 'null' }) },
      {
        name: `a table, ${engine}`,
        textOf: (values) => row(names.map((name) => values[name])),
        give: written('csv'),
        header: row(names),
      },
      { name: `columns, ${engine}`, textOf: asJson, give: columns },
    ]
  }
  const streams: readonly Way[] = [
    {
      name: 'a stream of records',
      textOf: asJson,
      give: () =>
        read(stream().pipeThrough(makeTransform((source) => readXml(source).records(path, shape, wanted))), asJson),
    },
    {
      name: 'a stream of lines',
      textOf: asLine,
      give: () =>
        read(
          stream().pipeThrough(
            makeTransform((source) => readXml(source).write('jsonl', path, shape, wanted), { type: 'bytes' }),
          ),
          lines,
        ),
    },
    {
      name: 'a stream of columns',
      textOf: asJson,
      give: () =>
        read(stream().pipeThrough(makeTransform((source) => readXml(source).columns(path, shape, wanted))), rowsOf),
    },
  ]
  // There is no script of workers beside the sources: this thread reads, and need not wait until starting one has failed.
  const worker = () => readXmlInWorker(pieces, { workerUrl: 'none' })
  const elsewhere: readonly Way[] = [
    {
      name: 'records of a worker',
      textOf: asJson,
      give: () => read(worker().records(path, shape, wanted), (one) => asJson(withAll(names, one))),
    },
    {
      name: 'lines of a worker',
      textOf: asLine,
      give: () => read(worker().write('jsonl', path, shape, wanted), lines),
    },
    { name: 'columns of a worker', textOf: asJson, give: () => read(worker().columns(path, shape, wanted), rowsOf) },
  ]
  return [...ofEngine('wasm'), ...ofEngine('plain'), ...streams, ...(typeof where === 'function' ? [] : elsewhere)]
}

/** Also with the keys of absent values, which a worker leaves out. */
function withAll(names: readonly string[], values: Values): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

/** Throws an error for the first way of reading, all of them or those of a kind, that gives anything else. */
export async function requireInAllWays(
  pieces: readonly Uint8Array[],
  path: string,
  shape: XmlShape,
  options: WaysOptions,
  { records, code }: Records,
  kind: 'all' | 'direct' = 'all',
): Promise<void> {
  for (const { name, textOf, give, header = '' } of waysOf(pieces, path, shape, options)) {
    if (kind === 'direct' && !name.endsWith(', wasm')) continue
    const found = await give()
    const text = header + records.map((one) => textOf(withAll(Object.keys(shape), one))).join('')
    const [left, right] = [found, { text, code }].map((one) => JSON.stringify(one))
    if (left === right) continue
    const document = new TextDecoder().decode(Buffer.concat(pieces)).slice(0, 2000)
    throw new Error(`${name} of ${JSON.stringify(shape)} in ${document}:\n${left}\nwanted\n${right}`)
  }
}
