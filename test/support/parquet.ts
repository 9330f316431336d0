// What another program finds in a file of Parquet: hyparquet.

import * as zlib from 'node:zlib'
import { type FileMetaData, parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'

/** Node 20 has no zstd. */
const { zstdDecompressSync: decompress } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array }
const compressors = decompress ? { ZSTD: (bytes: Uint8Array) => decompress(bytes) } : {}

/** What stands in a file: undefined for absent values. */
export async function readParquet(bytes: Uint8Array): Promise<{
  readonly names: readonly string[]
  readonly records: readonly unknown[]
  readonly metadata: ReadonlyMap<string, string>
  /** How many rows are in each group. */
  readonly batches: readonly number[]
}> {
  const file = new Uint8Array(bytes).buffer
  const metadata = parquetMetadata(file)
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  const rows = names.length === 0 ? [] : await parquetReadObjects({ file, metadata, compressors })
  return {
    names,
    records: rows.map((row) => plainOf(row)),
    metadata: new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value ?? ''])),
    batches: metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
  }
}

/** The metadata of a file, as it is written. */
export function readParquetMetadata(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(new Uint8Array(bytes).buffer)
}

function plainOf(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainOf(one)]))
}
