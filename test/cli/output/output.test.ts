// What is written to an output, and what becomes of it when that fails.

import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { OutputError } from '../../../source/cli/errors/errors.ts'
import { Output } from '../../../source/cli/output/output.ts'

test('a file that cannot be written is an error, also of what is being compressed for it', async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const full = new Writable({
      write: (_chunk, _encoding, done) => void setTimeout(done, attempt % 4, new Error('no space left')),
    })
    const compressor = createGzip()
    const { signal } = new AbortController()
    const output = new Output(compressor, 'pages.gz', signal, undefined, pipeline(compressor, full))
    const writeAll = async () => {
      for (;;) await output.write(randomBytes(64 * 1024))
    }
    await expect(writeAll()).rejects.toThrow(OutputError)
    await output.abandon()
  }
})
