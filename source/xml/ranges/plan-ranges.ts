// Cutting a file into ranges. Planning reads the beginning of the file, and nothing else.

import { decompress } from '../../compression/decompress.ts'
import { readFrom, type Seekable } from '../../stream/seekable.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { ReportsCharset } from '../../stream/sources/source-reader.ts'
import { StreamCache } from '../../stream/stream-cache.ts'
import { RecordNames } from '../names/record-names.ts'
import type { XmlOptions } from '../options.ts'
import { runParser } from '../parser/run.ts'
import { type Path, parsePaths } from '../question/path.ts'
import { detectEncoding } from '../text/encoding.ts'
import { copyHead, type HeadOptions, type XmlHead } from './head.ts'
import { describeHead, isOfContent, LARGEST_BEGINNING, requireHead } from './head-facts.ts'
import type { FileRange, XmlRange } from './range.ts'

/** About how many bytes of a file are in a range, which may depend on the codec. */
export type RangeTarget = number | Readonly<Record<'none' | 'bzip2', number>>

export interface PlanXmlOptions
  extends Pick<XmlOptions, 'namespaces' | 'encoding' | 'entities' | 'resolve' | 'onReplace' | 'signal'> {
  /** About how many bytes of the file are in a range (default: 64 MiB, of bzip2 16 MiB). */
  target?: RangeTarget | undefined
  /** What prefixes in paths stand for. Without this option, names are compared as they are written. */
  prefixes?: Readonly<Record<string, string>> | undefined
}

/** UTF-16 units of what a plan says of the elements around records. */
const LONGEST_PATH = 64 * 1024

/** Bytes of a file in a range, unless said otherwise: some 70 MB of XML in bzip2. */
export const USUAL_TARGET = { bzip2: 16 * 1024 * 1024, none: 64 * 1024 * 1024 } as const

/**
 * Divides a file of `size` bytes into ranges of its records: the elements that a path matches, or one of several, which may be no more than a name. Reads the
 * beginning of the file, up to the first record. The file is one range if it is not UTF-8, or compressed in another way than by bzip2, or if its first
 * record comes after more than 1 MiB, or is the root; or if a path does not end with a name, or has conditions on elements around the record. Throws what
 * reading the file throws, and a `RangeError` with the code `invalid-option` for an invalid path.
 */
export async function planXmlRanges(
  source: Seekable,
  size: number,
  path: string | readonly string[],
  options: PlanXmlOptions = {},
): Promise<XmlRange[]> {
  const { prefixes, target = USUAL_TARGET, ...reading } = options
  const texts = [path].flat()
  const paths = parsePaths(texts, { prefixes })
  const common = { path: texts, ...(prefixes && { prefixes }) }
  const codec = RecordNames.of(paths) ? await findCodec(source, options.encoding) : 'other'
  const count = chooseCount(codec, size, target)
  const content = () => openContent(readFrom(source, 0, LARGEST_BEGINNING), codec)
  const head = count > 1 ? await readXmlHead(content(), paths, reading) : undefined
  if (!head) return [{ codec: 'other', start: 0, end: size, ...common }]
  const facts = await describeHead(head.bytes)
  return divide(codec, size, count).map((range) => ({ ...range, head: facts, ...common, within: head.within }))
}

/** The content of a file, which is compressed by bzip2 or not at all. */
export function openContent(file: ByteSource, codec: FileRange['codec']): ByteSource {
  return codec === 'bzip2' ? decompress(file) : file
}

/** How a file can be cut. Throws what reading it throws. */
export async function findCodec(source: Seekable, said?: string): Promise<FileRange['codec']> {
  const content = decompress(readFrom(source, 0, LARGEST_BEGINNING))
  try {
    const encoding = await detectEncoding(content, said, content as Partial<ReportsCharset>)
    const { format } = content
    return encoding === 'utf-8' && (format === 'none' || format === 'bzip2') ? format : 'other'
  } catch (error) {
    // What is wrong with the beginning is reported when it is read.
    if (isOfContent(error)) return 'other'
    throw error
  }
}

/** How many ranges a file is cut into. */
export function chooseCount(codec: FileRange['codec'], size: number, target: RangeTarget): number {
  if (codec === 'other' || size === 0) return 1
  return Math.min(size, Math.max(1, Math.round(size / (typeof target === 'number' ? target : target[codec]))))
}

/** Cuts a file into ranges of about the same size. */
export function divide(codec: FileRange['codec'], size: number, count: number): FileRange[] {
  return Array.from({ length: count }, (_, i) => ({
    codec,
    start: Math.floor((i * size) / count),
    end: Math.floor(((i + 1) * size) / count),
  }))
}

/** Heads that were read, by what they were read from: many ranges may be read of a file, one by one. */
const heads = new WeakMap<object, { readonly key: string; readonly head: XmlHead | undefined }>()

/**
 * The head of a file for a range of it, up to the first record; without a path, as for dumps, up to the end of the start tag of the root. Undefined where it has
 * none. `open` gives the content of the file. Throws a `SourceError` with the code `source-changed` if it is not that of the plan (`head`).
 */
export async function readHeadFor(
  source: Seekable,
  {
    path,
    prefixes,
    head: planned,
    open,
  }: Pick<XmlRange, 'path' | 'prefixes' | 'head'> & { readonly open: (file: ByteSource) => ByteSource },
  options: Parameters<typeof readXmlHead>[2],
): Promise<XmlHead | undefined> {
  const key = JSON.stringify([path, prefixes, options.namespaces])
  const isDump = path.length === 0
  const known = heads.get(source)
  const paths = isDump ? [] : parsePaths(path, { prefixes })
  const read = () => readXmlHead(open(readFrom(source, 0, LARGEST_BEGINNING)), paths, options)
  const head = known?.key === key ? known.head : await read()
  heads.set(source, { key, head })
  const end = isDump ? 'the end of the start tag of its root' : 'its first record'
  if (planned) await requireHead(head?.bytes, planned, [isDump ? 'dump' : 'document', end])
  return head
}

/**
 * The head of a document, from a source of its content; undefined where it cannot be read, is too large, or has no record after it. Throws what reading
 * the source throws.
 */
async function readXmlHead(
  content: ByteSource,
  paths: readonly Path[],
  options: HeadOptions,
): Promise<XmlHead | undefined> {
  // Nothing is read ahead: no second block is decompressed.
  const cache = StreamCache.from(content, { highWaterMark: 1, signal: options.ending })
  const cursor = cache.cursor()
  try {
    const head = await copyHead(runParser, cursor, paths, options)
    return head && JSON.stringify(head.within).length <= LONGEST_PATH ? head : undefined
  } finally {
    cursor.release()
    await cache.cancel().catch(() => {})
  }
}
