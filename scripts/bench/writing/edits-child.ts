// Checks or edits a document, in a process of its own.

import { open } from 'node:fs/promises'
import { FileSource } from 'xylem/node'
import { readXml } from 'xylem/xml'
import { atTags, editXml, remove, type XmlEdits } from 'xylem/xml/edit'
import { answer, peakMemory, readJob } from '../isolated.ts'

export type EditWay = 'check' | 'no match' | 'a title in each page, at its tags' | 'a title in each page, with its text'

export interface EditJob {
  readonly way: EditWay
  readonly path: string
  readonly output: string
}

export interface EditRun {
  readonly seconds: number
  /** Peak memory in MB. */
  readonly memory: number
  /** Bytes of the result. */
  readonly written: number
}

const EDITS: Readonly<Record<Exclude<EditWay, 'check'>, XmlEdits>> = {
  'no match': { 'page/none': remove },
  'a title in each page, at its tags': { 'page/title': atTags((title) => title.setContent('A title')) },
  'a title in each page, with its text': { 'page/title': (title) => title.setContent(`${title.text}!`) },
}

/** How many writes may wait for the system at once. */
const MOST_WRITES = 4

const { way, path, output } = readJob<EditJob>()
const start = performance.now()
const source = new FileSource(path)
const written = way === 'check' ? await readXml(source).check() : await write(editXml(source, EDITS[way]))
answer({ seconds: (performance.now() - start) / 1000, memory: peakMemory(), written: written ?? 0 })

/** Writes some pieces while the next one is made. */
async function write(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(output, 'w')
  let length = 0
  const writing: Promise<unknown>[] = []
  for await (const piece of pieces) {
    if (writing.length === MOST_WRITES) await writing.shift()
    writing.push(file.write(piece, 0, piece.length, length))
    length += piece.length
  }
  await Promise.all(writing)
  await file.close()
  return length
}
