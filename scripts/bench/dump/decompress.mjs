// Decompresses a file to standard output: node decompress.mjs ENGINE FILE, where the engine is xylem-1, xylem-2 or unbzip2-stream.

import { createReadStream, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { decompress } from 'xylem/compression'
import { FileSource } from 'xylem/node'

const [engine = '', file = ''] = process.argv.slice(2)
const chunks =
  engine === 'unbzip2-stream'
    ? createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(createRequire(import.meta.url)('unbzip2-stream')())
    : decompress(new FileSource(file), { threads: Number(engine.slice('xylem-'.length)) })
for await (const chunk of chunks) {
  for (let written = 0; written < chunk.length; ) written += writeSync(1, chunk, written)
}
