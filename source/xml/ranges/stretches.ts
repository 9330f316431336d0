// Reading on after errors. A document is read in stretches: each is read by one parser, up to the end, an error, or a place where something is missing. The next
// one begins at the start tag of the next record, as if that followed the head of the document.

import type { Cursor } from '../../stream/cursor.ts'
import { LimitError } from '../../stream/errors.ts'
import { InputLimit } from '../../stream/input-limit.ts'
import type { ByteSource } from '../../stream/sources/source.ts'
import type { Position } from '../../text/line-counter.ts'
import { XmlError } from '../errors/errors.ts'
import type { DocumentProgram } from '../language/programs.ts'
import type { RecordNames } from '../names/record-names.ts'
import { type Resolver, readXmlLimits } from '../options.ts'
import type { Consumer } from '../parser/consumer.ts'
import { passedPlaces } from '../parser/error-places.ts'
import type { XmlParser } from '../parser/parser.ts'
import type { openSource, RunOptions, runParser } from '../parser/run.ts'
import type { Recovery } from '../readings/recovery.ts'
import { SkippedText } from '../text/skipped-text.ts'
import { DocumentEnds } from './document-ends.ts'
import { copyHead, type XmlHead } from './head.ts'
import { findStart, type SearchOptions } from './pass-to.ts'

type KnownHead = Pick<XmlHead, 'bytes' | 'end'> & Partial<Pick<XmlHead, 'within'>>

const NO_HEAD: KnownHead = { bytes: new Uint8Array(0), end: 0 }
const LESS_THAN = 0x3c
/** The limits whose errors are about one record. */
const OF_RECORDS: readonly string[] = ['retained-limit', 'depth-limit']

/** The loop that reads documents. It is given: imported, it would be in all that bundlers load with what this file shares. */
interface Loop {
  readonly openSource: typeof openSource
  readonly runParser: typeof runParser
}

/** What those know who read a part of a document. */
export interface StretchPlace {
  /** The head of the document, if that is not at the start of what is read. */
  readonly known?: KnownHead | undefined
  /** Offsets that the parser gets, minus those in what is read. */
  readonly shift?: number
  /** Called with the offset at which reading would continue. If it returns true, others read what is there. */
  readonly isOver?: (offset: number) => boolean
}

/** Runs parsers over a document in which records may be wrong. Errors in records are reported; others are thrown, like those of `runParser`. */
export async function* runStretches(
  loop: Loop,
  source: ByteSource | Cursor,
  program: DocumentProgram,
  make: () => Consumer,
  { known, shift = 0, isOver, ...options }: RunOptions & StretchPlace,
  recovery: Recovery,
): AsyncGenerator<XmlParser, void, undefined> {
  const { delivery, signal, part } = options
  // What is retained is bounded by the limits of the parser.
  const cursor = options.cursor ?? loop.openSource(source, signal, { maxRetained: Number.POSITIVE_INFINITY })
  const limit = new InputLimit(cursor.offset, readXmlLimits(options.limits).maxInput)
  const resolve = options.resolve && remember(options.resolve)
  // What was read after an error is read again.
  const replaced = new Set<number>()
  const onReplace =
    options.onReplace &&
    ((offset: number) => {
      if (!replaced.has(offset)) options.onReplace?.(offset)
      replaced.add(offset)
    })
  const all = { ...options, resolve, onReplace, delivery: undefined, limit }
  try {
    // A fragment needs none.
    const head =
      known ??
      (await copyHead(loop.runParser, cursor, recovery.paths, { ...all, cursor: undefined })) ??
      (options.fragment ? NO_HEAD : undefined)
    const names = part && head?.within ? new DocumentEnds(recovery.names, head.within) : recovery.names
    let run: RunOptions = all
    for (;;) {
      const start = cursor.offset
      const until = () => cursor.gaps.find((gap) => gap > start) ?? Number.POSITIVE_INFINITY
      const consumer = make()
      let readTo = start
      let ended: number | undefined
      let parser: XmlParser | undefined
      let error: XmlError | LimitError | undefined
      // Why the input ends at a gap was reported before.
      let isReported = false
      try {
        for await (const running of loop.runParser([], program, consumer, { ...run, cursor: cursor.clone(), until })) {
          parser = running
          yield running
          ended = part && running.toSource(running.position)
          // An error may be before what was read last.
          cursor.skip(Math.max(0, readTo - cursor.offset))
          readTo = Math.max(readTo, running.toSource(running.readTo) - shift)
          delivery?.follow(readTo + shift)
          for (const offset of replaced) if (offset < cursor.offset + shift) replaced.delete(offset)
        }
        cursor.skip(Math.max(0, (ended ?? readTo) - cursor.offset))
        // A fragment may end anywhere.
        if (part || !head || !cursor.gaps.includes(cursor.offset)) break
      } catch (thrown) {
        const isSkipped = head && !recovery.isOver && !parser?.isTranscoded && isOfRecord(thrown)
        isReported =
          isSkipped === true &&
          thrown.code === 'unexpected-end' &&
          cursor.gaps.includes(placeOf(thrown).byteOffset - shift)
        if (!isSkipped || (thrown.byteOffset < head.end && !isReported)) throw thrown
        error = thrown
      }
      const place = error ? placeOf(error) : { byteOffset: cursor.offset + shift, line: 1, column: 1 }
      if (error && !isReported) recovery.report(error)
      cursor.skip(Math.max(0, Math.min(readTo, place.byteOffset - shift) - cursor.offset))
      const [from, isRecord] =
        consumer.openFrom === undefined
          ? findOpen(cursor, recovery.names, place.byteOffset - shift)
          : [consumer.openFrom - shift, true]
      const onSkip = () => delivery?.follow(cursor.offset)
      const search = { until: () => limit.end, onSkip }
      // An error in the first tag is not to be met again.
      const least = place.byteOffset - shift <= start ? start + 1 : 0
      const failedAt = { ...place, byteOffset: place.byteOffset - shift }
      const at = names instanceof DocumentEnds ? await names.findOpen(cursor, failedAt) : failedAt
      const next = await findNext(cursor, names, at, least, search)
      if (!next && cursor.offset >= limit.end && (await cursor.fill(1))) throw limit.makeError()
      const after = names instanceof DocumentEnds ? names.pass(cursor, next) : undefined
      recovery.skip(cursor.offset - from, isRecord ? 1 : 0)
      if (after) part?.end(after, 'utf-8')
      if (after || !next || isOver?.(cursor.offset + shift)) break
      run = { ...all, head: { bytes: head.bytes, next: { ...next, byteOffset: cursor.offset + shift } } }
    }
    if (delivery) delivery.end = cursor.offset
  } finally {
    cursor.release()
  }
}

/**
 * Moves a cursor to the next start tag of a record that is not before a place, and not before an offset. Returns where that is, with lines; undefined if there
 * is none. The cursor is not after the place.
 */
export async function findNext(
  cursor: Cursor,
  names: Pick<RecordNames, 'begin'>,
  place: Position,
  least = 0,
  { until, onSkip }: SearchOptions = {},
): Promise<Position | undefined> {
  const skipped = new SkippedText(place)
  cursor.skip(Math.min(Math.max(0, place.byteOffset - cursor.offset), cursor.available))
  if (cursor.offset < least && cursor.available > 0) {
    skipped.skip(cursor.peek(1) as Uint8Array)
    cursor.skip(1)
  }
  const pass = (bytes: Uint8Array) => {
    skipped.skip(bytes)
    onSkip?.(bytes)
  }
  return (await findStart(cursor, names, { until, onSkip: pass })) ? skipped.position : undefined
}

/** Where the markup begins between a cursor and an error; without any, where the error is. And whether that is a record. */
function findOpen(cursor: Cursor, names: RecordNames, offset: number): readonly [offset: number, isRecord: boolean] {
  const bytes = cursor.peek(Math.max(0, Math.min(offset - cursor.offset, cursor.available))) as Uint8Array
  const at = bytes.indexOf(LESS_THAN)
  return at === -1 ? [offset, false] : [cursor.offset + at, names.begin(bytes.subarray(at)) === true]
}

/** Whether an error is about one record, and reading can continue after it. */
function isOfRecord(error: unknown): error is XmlError | LimitError {
  return error instanceof XmlError || (error instanceof LimitError && OF_RECORDS.includes(error.code))
}

/** Where reading continues after an error. */
export function placeOf(error: XmlError | LimitError): Position {
  const { byteOffset, line = 1, column = 1 } = passedPlaces.get(error as LimitError) ?? error
  return { byteOffset, line, column }
}

/** A resolver that is asked once for each entity: the head is read by each parser. */
function remember(resolve: Resolver): Resolver {
  const answers = new Map<string, ReturnType<Resolver>>()
  return (request) => {
    const { signal: _, ...entity } = request
    const key = JSON.stringify(entity)
    if (!answers.has(key)) answers.set(key, resolve(request))
    return answers.get(key)
  }
}
