// A piece of a dump, read by itself: some pages, after the head of the dump and before its end.

import { detectDumpEncoding } from '../../mediawiki/dump-encoding.ts'
import { readDump } from '../../mediawiki/dump-reader.ts'
import { DUMP_END, type SiteInfo } from '../../mediawiki/site-info.ts'
import type { Position } from '../../text/line-counter.ts'
import { type RecordLines, type RecordRequest, readRecordLines } from './record-lines.ts'

/** What the pieces of a dump have together. It can be sent to a worker. */
export interface PieceSetup {
  /** What comes before the first page. */
  readonly head: Uint8Array
  readonly request: RecordRequest
  readonly strict: boolean
  readonly maxRetained?: number | undefined
}

/** What reading a piece has shown. */
export interface PieceResult {
  readonly lines: RecordLines[]
  /** Characters that were replaced in the head and the piece. */
  readonly replaced: number
  /** Where the piece ends in head and piece, and where an end tag after it ends. */
  readonly end: Position
}

/** What reading the head alone has shown. */
export interface HeadResult extends Omit<PieceResult, 'lines'> {
  /** Undefined where it was not asked for. */
  readonly siteInfo: SiteInfo | undefined
}

/** Reads a piece; undefined where it is not complete pages, or not all of them can be read. */
export async function readPiece(setup: PieceSetup, piece: Uint8Array): Promise<PieceResult | undefined> {
  const { head, request, strict, maxRetained } = setup
  const reader = readDump([head, piece, DUMP_END], { strict, limits: { maxRetained } })
  const lines: RecordLines[] = []
  try {
    for await (const batch of readRecordLines(reader, request)) lines.push(...batch)
    return { lines, replaced: reader.replaced, end: requireEnd(reader.end) }
  } catch {
    return undefined
  }
}

/** Reads the head as if there were no pages; undefined where that cannot be done, or it is not UTF-8: then pieces are not, either. */
export async function readHead(head: Uint8Array, strict: boolean, needsSite: boolean): Promise<HeadResult | undefined> {
  const reader = readDump([head, DUMP_END], { strict })
  try {
    if ((await detectDumpEncoding([head])) !== 'utf-8') return undefined
    const siteInfo = needsSite ? await reader.siteInfo : undefined
    for await (const _ of reader.places());
    return { siteInfo, replaced: reader.replaced, end: requireEnd(reader.end) }
  } catch {
    return undefined
  } finally {
    await reader.close()
  }
}

/** The position in a dump after a piece that begins at `start`, by what reading it and its head has shown. */
export function advance(start: Position, { end }: PieceResult, { end: headEnd }: HeadResult): Position {
  const lineFeeds = end.line - headEnd.line
  return {
    byteOffset: start.byteOffset + end.byteOffset - headEnd.byteOffset,
    line: start.line + lineFeeds,
    column: lineFeeds > 0 ? end.column - DUMP_END.length : start.column + end.column - headEnd.column,
  }
}

/** The position after the head. */
export function endOfHead({ end }: HeadResult): Position {
  const { byteOffset, line, column } = end
  return { byteOffset: byteOffset - DUMP_END.length, line, column: column - DUMP_END.length }
}

function requireEnd(end: Position | undefined): Position {
  if (!end) throw new Error('the reading has not finished')
  const { byteOffset, line, column } = end
  return { byteOffset, line, column }
}
