// The documents of the benchmark, in any size: those of the grammars' benchmark, and prose.

import { readFile } from 'node:fs/promises'
import { type InputFile, type InputFiles, makeInputFile } from '../grammar/inputs.ts'
import type { RecordKind } from './engine.ts'
import { keepFile } from './kept-file.ts'
import { makeProse, PROSE_FILE } from './prose.ts'

export type InputName = 'dump' | 'markup' | 'prose'

/** The inputs and their records. */
export const inputs: Readonly<Record<InputName, RecordKind>> = {
  dump: 'pages',
  markup: 'third level',
  prose: 'pages',
}

const MARKUP_FILE = 'xml-markup-1.xml'
/** Of the generated markup, in bytes; larger documents repeat it. */
const MARKUP_SIZE = 4 * 1024 * 1024

/** A file of about `bytes` bytes, kept for the next time. */
export async function makeInput(name: InputName, bytes: number, { dump, markup }: InputFiles): Promise<InputFile> {
  if (name === 'prose') return makeInputFile('xml', bytes, { dump: await keepFile(PROSE_FILE, makeProse) })
  if (name === 'dump') return makeInputFile('xml', bytes, { dump })
  return makeInputFile('markup', bytes, { markup: markup ?? (await keepFile(MARKUP_FILE, makeMarkup)) })
}

/** The markup of the grammars, for which prefixes are part of names: here they have to mean a namespace. */
async function makeMarkup(): Promise<string> {
  const { path } = await makeInputFile('markup', MARKUP_SIZE, {})
  return (await readFile(path, 'utf8')).replace('<root>', '<root xmlns:p="urn:example:pores">')
}
