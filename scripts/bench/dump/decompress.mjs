// Decompresses a file to standard output: node decompress.mjs ENGINE FILE, where the engine is xylem-1, xylem-2 or unbzip2-stream.

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { decompress } from 'xylem/compression'
import { FileSource } from 'xylem/node'

const [engine = '', file = ''] = process.argv.slice(2)

function open() {
  if (engine !== 'unbzip2-stream')
    return decompress(new FileSource(file), { threads: Number(engine.slice('xylem-'.length)) })
  const unbzip2 = createRequire(import.meta.url)('unbzip2-stream')
  return new Readable().wrap(createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(unbzip2()))
}

for await (const chunk of open()) if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
