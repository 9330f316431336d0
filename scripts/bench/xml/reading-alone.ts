// The file's bytes, and nothing done with them: what no engine can be faster than, and the memory that reading takes.

import { FileSource } from 'xylem/node'
import type { Engine } from './engine.ts'

export const readingAlone: Engine = {
  async check(file) {
    let bytes = 0
    for await (const chunk of new FileSource(file)) bytes += chunk.length
    if (bytes === 0) throw new Error(`${file} is empty`)
  },
  readEvents: notRead,
  readRecords: notRead,
}

function notRead(): never {
  throw new Error('nothing is read of the bytes')
}
