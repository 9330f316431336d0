// Pages or revisions as lines of JSON without parsing them, where pages are as nearly all are (kernel/usual); what is between them is left to the parser.
//
// What it writes is what `JSON.stringify` makes of a Page (page.ts) or a PageRevision (page-revision.ts).

import {
  makeRecordScanner,
  type RecordScan,
  type RecordScanner,
  ScanEnd,
  type ScannedFields,
} from '../kernel/record-scanner.ts'
import type { Cursor } from '../stream/cursor.ts'
import type { Position } from '../text/line-counter.ts'
import type { Detour } from '../xml/parser/detour.ts'
import type { LineOutput } from './line-output.ts'
import type { RevisionObserver } from './page-lines.ts'
import { findNextPage } from './page-search.ts'
import type { FieldTexts } from './traits.ts'
import { UsualFields, type UsualKernel } from './usual-fields.ts'

/** Bytes that the parser is given at once where page after page is not usual; they double from one to the next so often. */
const LEAST_PATIENCE = 4 * 1024
const MOST_FAILURES = 8
/** Bytes that are looked at together. */
const PIECE = 256 * 1024

export interface UsualRecordsOptions {
  readonly kernel: UsualKernel
  /** Decides about each record; without it, all are wanted. */
  readonly isWanted?: ((fields: FieldTexts) => boolean) | undefined
  /** Looks at the revision of each line. */
  readonly observer?: RevisionObserver | undefined
  /** How many elements are open round a page. */
  readonly depth: number
  /** Takes lines. */
  readonly lines: LineOutput
  /** What all lines have among their notes. */
  readonly notes: number
  /** The offset from which on pages are not wanted. */
  readonly ownedUntil: () => number
  /** Called with the offset of the first such page. */
  readonly onOver: (offset: number) => void
}

/** Usual records as a detour of the parser; undefined where the kernel cannot run. */
export function makeUsualRecords(options: UsualRecordsOptions): UsualRecords | undefined {
  const { kernel, isWanted, observer, notes: all } = options
  let fields: UsualFields | undefined
  const fieldsOf = (scanned: ScannedFields) => {
    fields ??= new UsualFields(kernel, scanned)
    return fields
  }
  const seen: unknown[] = []
  const scanner = makeRecordScanner(kernel.module, {
    isWanted: isWanted && ((scanned) => isWanted(fieldsOf(scanned))),
    onLine:
      observer &&
      ((line, notes, scanned) => {
        seen[line] = observer.look(fieldsOf(scanned).contentOf((notes >> 1) | all))
      }),
  })
  return scanner && new UsualRecords(scanner, options, seen)
}

export class UsualRecords implements Detour {
  readonly depth: number
  readonly #scanner: RecordScanner
  readonly #options: UsualRecordsOptions
  /** What the observer gave for the lines of a scan. */
  readonly #seen: readonly unknown[]
  /** Is after the bytes that the scanner holds. */
  #ahead: Cursor | undefined
  #position: Position = { byteOffset: 0, line: 1, column: 1 }
  /** Bytes that were read since it began. */
  #passed = 0
  /** How often in a row nothing was there to be read. */
  #failures = 0
  /** The offset of the cursor from which on it is tried again. */
  #resumeAt = 0
  /** What the filter has thrown. */
  #error: { readonly error: unknown } | undefined
  /** Whether all that the scanner holds was looked at. */
  #wantsMore = true

  constructor(scanner: RecordScanner, options: UsualRecordsOptions, seen: readonly unknown[]) {
    this.#scanner = scanner
    this.#options = options
    this.#seen = seen
    this.depth = options.depth
  }

  get needed(): number {
    return this.#scanner.length + 1
  }

  begin(position: Position): void {
    this.#position = position
    this.#passed = 0
  }

  pass(cursor: Cursor, until: number): 'more' | 'again' | 'parser' | 'over' {
    // What was written before it is delivered first.
    if (this.#error) throw this.#error.error
    const ahead = this.#follow(cursor)
    const isStuck = this.#wantsMore && !this.#append(ahead, until) && (ahead.available > 0 || ahead.offset >= until)
    const { reason, consumed } = this.#scan(cursor)
    this.#wantsMore = reason === ScanEnd.MORE
    if (reason === ScanEnd.FAILED) this.#error = { error: this.#scanner.error }
    if (reason === ScanEnd.OVER) {
      const { ownedUntil, onOver } = this.#options
      const { byteOffset } = this.#position
      if (byteOffset >= ownedUntil()) onOver(byteOffset)
      return 'over'
    }
    // A page may be larger than what the scanner can hold.
    if (reason === ScanEnd.UNUSUAL || (isStuck && reason === ScanEnd.MORE)) {
      this.#failures = this.#passed > 0 ? 0 : Math.min(this.#failures + 1, MOST_FAILURES)
      this.#resumeAt = cursor.offset + (this.#failures < 2 ? 0 : LEAST_PATIENCE << this.#failures)
      return 'parser'
    }
    // The lines made of it are delivered before more input is waited for.
    return consumed > 0 || reason === ScanEnd.FULL || reason === ScanEnd.FAILED || ahead.available > 0
      ? 'again'
      : 'more'
  }

  end(): { position: Position; before: Uint8Array } | undefined {
    return this.#passed > 0 ? { position: this.#position, before: this.#scanner.copyBefore(this.#passed) } : undefined
  }

  cut(chunk: Uint8Array, offset: number): number {
    // What the parser reads is not to be kept for the scanner.
    if (this.#ahead && this.#ahead.offset <= offset) this.#letGo()
    const from = Math.max(0, this.#resumeAt - offset)
    return from < chunk.length ? findNextPage(chunk, from) : chunk.length
  }

  release(): void {
    this.#letGo()
    this.#scanner.release()
  }

  #letGo(): void {
    this.#ahead?.release()
    this.#ahead = undefined
    this.#scanner.drop(this.#scanner.length)
    this.#wantsMore = true
  }

  /** A cursor after the bytes that the scanner holds, when the parser has moved the other one. */
  #follow(cursor: Cursor): Cursor {
    if (this.#ahead && this.#ahead.offset < cursor.offset) this.#letGo()
    const scanner = this.#scanner
    if (this.#ahead) scanner.drop(cursor.offset - (this.#ahead.offset - scanner.length))
    this.#ahead ??= cursor.clone()
    return this.#ahead
  }

  /** Gives the scanner what has arrived, some of it. Returns whether there was anything that it could take. */
  #append(ahead: Cursor, until: number): boolean {
    let taken = 0
    while (taken < PIECE) {
      const chunk = ahead.peekChunk()
      const allowed = Math.min(chunk.length, Math.max(0, until - ahead.offset))
      const length = allowed > 0 ? this.#scanner.append(chunk.subarray(0, allowed)) : 0
      if (length === 0) break
      ahead.skip(length)
      taken += length
    }
    return taken > 0
  }

  #scan(cursor: Cursor): RecordScan {
    const { lines, ownedUntil, notes, observer } = this.#options
    const limit = ownedUntil() - this.#position.byteOffset
    const scan = this.#scanner.scan(Math.max(0, limit), lines.left, lines.lastPage)
    if (scan.count > 0) lines.putScan(scan, notes)
    if (observer) for (const seen of this.#seen.slice(0, scan.count)) observer.keep(seen)
    if (scan.consumed > 0) this.#moveOn(cursor, scan)
    return scan
  }

  #moveOn(cursor: Cursor, { consumed, lineFeeds, unitsInLine }: RecordScan): void {
    cursor.skip(consumed)
    const { byteOffset, line, column } = this.#position
    this.#position = {
      byteOffset: byteOffset + consumed,
      line: line + lineFeeds,
      column: lineFeeds > 0 ? 1 + unitsInLine : column + unitsInLine,
    }
    this.#passed += consumed
  }
}
