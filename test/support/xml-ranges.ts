// Reading a document in ranges, as those do who read them on several threads: what does not fit is read again from where the range before has ended.

import { XmlError } from '../../source/xml/errors/errors.ts'
import type { RecordOptions } from '../../source/xml/options.ts'
import type { XmlShape } from '../../source/xml/question/shape.ts'
import { planXmlRanges, readXmlRange, type XmlRange, type XmlRangeOptions } from '../../source/xml/ranges/index.ts'
import { RangeChecker } from '../../source/xml/ranges/range-checker.ts'
import { readXml } from '../../source/xml/reader.ts'
import { encodeBzip2 } from './bzip2-encoder.ts'

export interface Found {
  readonly records: unknown[]
  /** The error, with its place; undefined for none. */
  readonly error?: object | undefined
}

export interface FoundInRanges extends Found {
  /** How many ranges had to be read again. */
  readonly again: number
}

export const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** What one reading gives. */
export async function readWhole(
  content: Uint8Array,
  path: string | readonly string[],
  shape: XmlShape,
  options: XmlRangeOptions = {},
  asked: RecordOptions = {},
): Promise<Found> {
  const records: unknown[] = []
  try {
    for await (const record of readXml(content, options).records(path, shape, asked)) records.push(record)
  } catch (error) {
    return { records, error: describe(error) }
  }
  return { records }
}

/** What reading in ranges gives that begin at some bytes of a file. The file is planned as one that is cut. */
export async function readInRanges(
  file: Uint8Array<ArrayBuffer>,
  cuts: readonly number[],
  path: string | readonly string[],
  shape: XmlShape,
  options: XmlRangeOptions & { prefixes?: Record<string, string> } = {},
  asked: RecordOptions = {},
): Promise<FoundInRanges> {
  const { prefixes, ...reading } = options
  const planned = await planXmlRanges(file, file.length, path, { target: 1, prefixes, ...reading })
  const ranges = cutAt(file.length, planned[0] as XmlRange, cuts)
  const checker = new RangeChecker()
  const records: unknown[] = []
  let again = 0
  for (const range of ranges) {
    let result = await readOne(file, range, shape, reading, asked)
    if (!result.report || !checker.follows({ ...range, ...result.report })) {
      if (range.start > 0) again++
      result = await readOne(file, range, shape, { ...reading, from: checker.boundary }, asked)
    }
    records.push(...result.records)
    if (!result.report) {
      // As it is reported: by one reading from the last place that is proven.
      const all = { ...range, start: 0, end: file.length }
      const rest =
        checker.boundary === 'start'
          ? result
          : await readOne(file, all, shape, { ...reading, from: checker.boundary }, asked)
      return { records, again, error: rest.error }
    }
    checker.add({ ...range, ...result.report })
  }
  checker.finish(file.length)
  return { records, again }
}

/** The ranges of a file that is cut at some bytes. */
export function cutAt(size: number, planned: XmlRange, cuts: readonly number[]): XmlRange[] {
  if (planned.codec === 'other') return [{ ...planned, start: 0, end: size }]
  const places = [...new Set([0, ...cuts.filter((cut) => cut < size), size])].sort((one, other) => one - other)
  return places.slice(1).map((end, i) => ({ ...planned, start: places[i] as number, end }))
}

async function readOne(
  file: Uint8Array<ArrayBuffer>,
  range: XmlRange,
  shape: XmlShape,
  options: XmlRangeOptions,
  asked: RecordOptions,
) {
  const reader = readXmlRange(file, range, options)
  const records: unknown[] = []
  try {
    for await (const record of reader.records(shape, asked)) records.push(record)
  } catch (error) {
    return { records, error: describe(error), report: undefined }
  }
  return { records, report: reader.report }
}

function describe(error: unknown): object {
  if (error instanceof TypeError || error instanceof RangeError) throw error
  if (!(error instanceof XmlError)) return { message: (error as Error).message }
  const { message, code, byteOffset, line, column, excerpt } = error
  return { message, code, byteOffset, line, column, excerpt }
}

/** A file in small blocks of bzip2. */
export function compress(content: Uint8Array, blockSize = 300): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodeBzip2(content, { blockSize }))
}
