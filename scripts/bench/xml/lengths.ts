// How long the strings are that records are made of: all that remains of a document for the engine that does not parse (strings-alone.ts).

import { basename } from 'node:path'
import type { RecordKind } from './engine.ts'
import { keepFile } from './kept-file.ts'

/** The path of a file of 32-bit numbers: the UTF-16 units of every string of the records of a document, in their order. */
export function keepLengths(file: string, kind: RecordKind): Promise<string> {
  return keepFile(`xml-lengths-${basename(file)}`, async () => {
    const { withNamespaces } = await import('./xylem.ts')
    const lengths: number[] = []
    await withNamespaces.readRecords(file, kind, {
      add(text) {
        lengths.push(text.length)
      },
    })
    return new Uint8Array(Uint32Array.from(lengths).buffer)
  })
}
