// Records of a document, read in all ways.

import { expect } from 'vitest'
import { type RecordOptions, readXml, type XmlError, type XmlOptions, type XmlShape } from '../../source/xml/index.ts'
import { cutsFor } from './machine.ts'

export interface FoundRecords {
  readonly records: object[]
  /** What ended it: message and place. */
  readonly fault: readonly unknown[] | undefined
}

export async function readPieces(
  pieces: readonly Uint8Array[] | AsyncIterable<Uint8Array>,
  path: string | readonly string[],
  fields: XmlShape,
  { nested, prefixes, where, lenient, ...options }: XmlOptions & RecordOptions,
): Promise<FoundRecords> {
  const records: object[] = []
  try {
    for await (const record of readXml(pieces, options).records(path, fields, { nested, prefixes, where, lenient }))
      records.push(record)
    return { records, fault: undefined }
  } catch (error) {
    const { code, message, byteOffset, line, column } = error as XmlError
    return { records, fault: [code, message, byteOffset, line, column] }
  }
}

/** What is found in a document: the same on both engines, complete, byte by byte and at every cut. */
export async function readRecords(
  document: string | Uint8Array,
  path: string | readonly string[],
  fields: XmlShape,
  options: XmlOptions & RecordOptions = {},
): Promise<FoundRecords> {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document
  const found = await readPieces([bytes], path, fields, options)
  for (const engine of ['wasm', 'plain'] as const) {
    for (const pieces of cutsFor(engine, bytes)) {
      const cut = pieces.map(({ length }) => length).join()
      expect({ cut, ...(await readPieces(pieces, path, fields, { ...options, engine })) }).toEqual({ cut, ...found })
    }
  }
  return found
}

export async function recordsOf(...how: Parameters<typeof readRecords>): Promise<object[]> {
  const { records, fault } = await readRecords(...how)
  expect(fault).toBeUndefined()
  return records
}
