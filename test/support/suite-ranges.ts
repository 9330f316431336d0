// The documents of the conformance suite, read in ranges.

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { readSuite } from '../conformance/suite.ts'
import { readInRanges, readWhole } from './xml-ranges.ts'

/** A document, and the names of some of its elements. */
export interface SuiteDocument {
  readonly file: string
  readonly content: Uint8Array<ArrayBuffer>
  readonly names: readonly string[]
}

export const SHAPE = {
  text: '.',
  all: ['.//*'],
  own: [{ of: '*', fields: { n: '@n', id: '@id', name: 'name()' } }],
  attributes: { path: '.', as: 'attributes' },
  xml: { path: '*', as: 'xml' },
  rest: { as: 'rest' },
} as const
/** Bytes of a document that is read whose cuts are all tried. */
const SMALL = 600

/** The names of some elements that are not the root. */
function namesIn(content: Uint8Array): string[] {
  const text = new TextDecoder().decode(content)
  const names = [...text.matchAll(/<([A-Za-z_][\w:.-]*)(?=[\s/>])/g)].map(([, name]) => name as string)
  const found = [...new Set(names.slice(1))].slice(0, 3)
  return found.length > 0 ? found : ['none']
}

/** All documents that are not large. */
export function suiteDocuments(): SuiteDocument[] {
  return [...new Set(readSuite().map(({ file }) => file))]
    .map((file) => ({ file, content: new Uint8Array(readFileSync(file)) }))
    .map((document) => ({ ...document, names: namesIn(document.content) }))
    .filter(({ content }) => content.length > 1 && content.length < 20_000)
}

/** Compares a document in two ranges, and in many, with one reading: cut at every byte, or at every so many, of a small one; a large one in so many places. */
export async function compareCuts(
  { file, content, names }: SuiteDocument,
  { step: smallStep, few }: { readonly step: number; readonly few: number },
): Promise<void> {
  const whole = await readWhole(content, names, SHAPE)
  const all = Array.from({ length: content.length - 1 }, (_, i) => i + 1)
  const step = content.length <= SMALL ? smallStep : Math.ceil(content.length / few)
  const single = all.filter((cut) => cut % step === content.length % step).map((cut) => [cut])
  for (const cuts of [...single, all.filter((cut) => cut % 9 === 0)]) {
    const { records, error } = await readInRanges(content, cuts, names, SHAPE)
    expect({ file, cuts, records, error }).toEqual({ file, cuts, records: whole.records, error: whole.error })
  }
}
