// Indexes as text: where the pages of a dump are, a line each.
//
//     offset:id:title        the page is in the bzip2 stream that begins at this byte, or begins at this byte of a dump that is not compressed
//     bit+skip:id:title      the page begins so many bytes into the content of the block of bzip2 that begins at this bit
//
// The first form is MediaWiki's, in which all pages of a stream have the same offset. The second one is ours, for dumps of one stream. Titles
// are as they stand in the dump, with `&amp;` and the like. An index of ours has a line before these and one after them:
//
//     #index {"version":1,…}  what the dump is known by, and its encoding
//     #end {"pages":2004}     the index is complete

import { referenceTo } from '../../text/markup/xml-markup.ts'
import { ParseError } from '../../text/parse-error.ts'
import type { Fingerprint } from '../head/fingerprint.ts'

/** The position of a page. */
export interface IndexEntry {
  id: number
  title: string
  /** Byte offset in the dump: of the stream with the page, or of the page; with `skip`, of the byte in which the block begins. */
  offset: number
  /** Where the next stream begins; undefined for the last stream, and if pages have their own offsets. */
  end?: number
  /** The bit of that byte at which the block begins, from the most significant, and bytes of its content before the page. */
  bit?: number
  skip?: number
}

/** The head of an index that xylem wrote: it identifies the dump. */
export interface IndexHead extends Fingerprint {
  readonly version: 1
  /** Such as `utf-8` or `utf-16le`. */
  readonly encoding: string
}

/** What the lines of an index say. */
export type IndexLine =
  | { readonly type: 'entry'; readonly entry: IndexEntry }
  | { readonly type: 'head'; readonly head: IndexHead }
  | { readonly type: 'end'; readonly pages: number }

const ENTRY = /^(\d+)(?:\+(\d+))?:(\d+):(.*)$/s
const OTHER = /^#(index|end) (\{.*\})$/

/** The first line of an index. */
export function formatIndexHead(head: IndexHead): string {
  return `#index ${JSON.stringify(head)}\n`
}

/** A line of an index. */
export function formatIndexEntry({ id, title, offset, bit, skip }: IndexEntry): string {
  const place = skip === undefined ? `${offset}` : `${offset * 8 + (bit ?? 0)}+${skip}`
  return `${place}:${id}:${escapeTitle(title)}\n`
}

/** The last line of an index. */
export function formatIndexEnd(pages: number): string {
  return `#end ${JSON.stringify({ pages })}\n`
}

/** What a line says that stands at an offset. Throws a `ParseError` with the code `malformed-index`. */
export function parseIndexLine(line: string, byteOffset: number): IndexLine {
  const [, first, skip, id, title] = ENTRY.exec(line) ?? []
  if (first === undefined || id === undefined || title === undefined) return parseOther(line, byteOffset)
  const entry = { id: Number(id), title: unescapeTitle(title) }
  if (skip === undefined) return { type: 'entry', entry: { ...entry, offset: Number(first) } }
  const bits = Number(first)
  return { type: 'entry', entry: { ...entry, offset: Math.floor(bits / 8), bit: bits % 8, skip: Number(skip) } }
}

function parseOther(line: string, byteOffset: number): IndexLine {
  const [, name, text = ''] = OTHER.exec(line) ?? []
  const value = name === undefined ? undefined : parseJson(text)
  if (name === 'end' && typeof value?.pages === 'number') return { type: 'end', pages: value.pages }
  if (name === 'index' && value?.version === 1) return { type: 'head', head: value as unknown as IndexHead }
  const what = name === 'index' ? 'this index has an unsupported version' : 'not a valid index line'
  throw makeIndexError(`${what}; expected offset:id:title`, byteOffset)
}

/** The error for an index that cannot be used. */
export function makeIndexError(message: string, byteOffset: number): ParseError {
  return new ParseError(message, { code: 'malformed-index', byteOffset })
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}

const NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeTitle(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+));/g, (_, name: string | undefined, code: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (NAMES[name] as string),
  )
}

/** A title has one line. One that a dump says has more must not become two entries. */
function escapeTitle(text: string): string {
  return text.replace(/[&<>"\r\n]/g, referenceTo)
}
