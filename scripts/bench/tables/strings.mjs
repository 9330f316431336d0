// Writes fields of the pages of a dump as Parquet, by records and hyparquet-writer as one uses it at first: strings.mjs INPUT OUTPUT

import * as zlib from 'node:zlib'
import { ParquetWriter } from 'hyparquet-writer'
import { fileWriter } from 'hyparquet-writer/src/node.js'
import { FileSource } from 'xylem/node'
import { readXml } from 'xylem/xml'

const ROWS = 16_384
const shape = {
  id: { path: 'id', as: 'integer' },
  ns: { path: 'ns', as: 'integer' },
  title: 'title',
  revision: { path: 'revision/id', as: 'integer' },
  timestamp: 'revision/timestamp',
  user: 'revision/contributor/username',
  text: 'revision/text',
}
const names = Object.keys(shape)
const [, , input, output] = process.argv
const schema = names.map((name) =>
  typeof shape[name] === 'string'
    ? { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
    : { name, type: 'INT64', repetition_type: 'OPTIONAL' },
)
const writer = new ParquetWriter({
  writer: fileWriter(output),
  schema: [{ name: 'root', num_children: names.length }, ...schema],
  codec: zlib.zstdCompressSync ? 'ZSTD' : 'SNAPPY',
  compressors: {
    ZSTD: (bytes) => zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }),
  },
})
let rows = []
const flush = async () => {
  const columnData = names.map((name) => ({
    name,
    data: rows.map((row) => (typeof row[name] === 'number' ? BigInt(row[name]) : row[name])),
  }))
  await writer.write({ columnData, rowGroupSize: rows.length })
  rows = []
}
for await (const batch of readXml(new FileSource(input)).records('page', shape).batches()) {
  rows.push(...batch)
  if (rows.length >= ROWS) await flush()
}
if (rows.length > 0) await flush()
await writer.finish()
