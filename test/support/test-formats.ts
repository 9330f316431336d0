// Formats that only tests have, of the two kinds that are hard: one with a footer, made of columns, and one that writes its file by itself.

import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { LazyModule } from '../../source/async/lazy-module.ts'
import type { ColumnBatch } from '../../source/record/format/column.ts'
import { columnFormat } from '../../source/record/format/columns.ts'
import type { Format, FormatField } from '../../source/record/format/format.ts'
import { FORMATS } from '../../source/record/format/index.ts'
import { valuesOf } from './arrow.ts'

const MAGIC = 'XBIN'
const encoder = new TextEncoder()

/**
 * Binary blocks, each a length and as many bytes of a batch, between two marks. The footer, before the second mark, has the names of the fields and the place of
 * each block, and its own length; so a reader begins at the end, as one of Parquet does.
 */
export const binary: Format<ColumnBatch> = columnFormat((fields) => {
  const places: number[] = []
  let offset = MAGIC.length
  let rows = 0
  return {
    begin: () => encoder.encode(MAGIC),
    write: (batch) => {
      const bytes = encoder.encode(JSON.stringify(recordsOf(batch)))
      places.push(offset)
      offset += 4 + bytes.length
      rows += batch.rows
      return Buffer.concat([word(bytes.length), bytes])
    },
    end: async () => {
      const names = fields.map(({ name }) => name)
      const footer = encoder.encode(JSON.stringify({ names, rows, places }))
      return Buffer.concat([footer, word(footer.length), encoder.encode(MAGIC)])
    },
  }
})

/** The records in a binary file, and the names of their fields. Throws for anything that is not such a file. */
export function readBinary(bytes: Uint8Array): {
  readonly names: readonly string[]
  readonly records: readonly unknown[]
} {
  const file = Buffer.from(bytes)
  const end = file.length - MAGIC.length
  if (file.toString('latin1', 0, 4) !== MAGIC || file.toString('latin1', end) !== MAGIC)
    throw new Error('not a binary file')
  const footer = file.readUInt32LE(end - 4)
  const { names, rows, places } = JSON.parse(file.toString('utf8', end - 4 - footer, end - 4))
  const records = (places as number[]).flatMap((place) => {
    return JSON.parse(file.toString('utf8', place + 4, place + 4 + file.readUInt32LE(place))) as unknown[]
  })
  if (records.length !== rows) throw new Error(`${records.length} records instead of ${rows}`)
  return { names, records }
}

/** The records of a batch, with all keys that have a value. */
function recordsOf({ rows, columns }: ColumnBatch): unknown[] {
  const values = columns.map(valuesOf)
  return Array.from({ length: rows }, (_, i) => {
    return Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[i]]))
  })
}

/** Writes the number of records into its file, at the end; what it did stands in `log`. */
export function ownFile(log: string[]): Format<ColumnBatch> {
  return columnFormat((_fields: readonly FormatField[], { path = '' }) => {
    const file = openSync(path, 'w')
    const nothing = new Uint8Array(0)
    let rows = 0
    return {
      begin: () => {
        log.push('begin')
        return nothing
      },
      write: async (batch) => {
        rows += batch.rows
        return nothing
      },
      end: () => {
        writeSync(file, `${rows} records\n`)
        closeSync(file)
        log.push('end')
        return nothing
      },
      abandon: () => {
        closeSync(file)
        if (path !== '/dev/null') rmSync(path)
        log.push('abandon')
      },
    }
  })
}

/** A format whose writer fails in one of its methods. */
export function failing(
  place: 'begin' | 'write' | 'end' | 'abandon',
  format: Format<ColumnBatch>,
): Format<ColumnBatch> {
  const open: typeof format.open = (fields, options) => {
    const writer = (format.open as NonNullable<typeof format.open>)(fields, {
      ...options,
      path: options.path ?? '/dev/null',
    })
    const fail = (): never => {
      if (place === 'abandon') void writer.abandon?.()
      throw new Error(`${place} fails`)
    }
    return { ...writer, [place]: fail }
  }
  return { ...format, open }
}

/** Adds a format to the table while something is done: one of a file that it writes by itself if it is called `own`. Without one, takes the format of this name out. */
export async function withFormat(
  name: string,
  format: Format<ColumnBatch> | undefined,
  act: () => Promise<void>,
): Promise<void> {
  const table = FORMATS as unknown as Record<string, (typeof FORMATS)['csv'] | undefined>
  const before = { ...table }
  const replace = (entries: typeof table) => {
    for (const each of Object.keys(table)) delete table[each]
    Object.assign(table, entries)
  }
  const { [name]: _, ...others } = before
  const added = format && {
    kind: 'columns',
    title: name.toUpperCase(),
    endings: [name],
    place: name === 'own' ? 'file' : 'anywhere',
    module: new LazyModule(async () => ({ format })),
  }
  replace(added ? { ...others, [name]: added as never } : others)
  try {
    await act()
  } finally {
    replace(before)
  }
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
