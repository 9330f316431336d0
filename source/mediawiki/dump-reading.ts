// One reading of a dump: where it begins, where it stands (in the root, in a page, after all that is wanted), and what its errors say.

import { USUAL_FORMAT } from '../record/format/index.ts'
import type { Cursor } from '../stream/cursor.ts'
import { LimitError } from '../stream/errors.ts'
import { XmlError } from '../xml/errors/errors.ts'
import { UnplacedError } from '../xml/errors/unplaced-error.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { Consumer } from '../xml/parser/consumer.ts'
import type { XmlParser } from '../xml/parser/parser.ts'
import { openSource, type RunOptions, runParser } from '../xml/parser/run.ts'
import type { OutermostRecord } from '../xml/projection/open-fields.ts'
import type { Projector } from '../xml/projection/projector.ts'
import { projectionOf } from '../xml/question/projection.ts'
import type { FieldError } from '../xml/question/shape.ts'
import type { HeadBytes } from '../xml/ranges/head-facts.ts'
import { passTo } from '../xml/ranges/pass-to.ts'
import { findNext, runStretches } from '../xml/ranges/stretches.ts'
import { readRecords } from '../xml/readings/records.ts'
import { Recovery } from '../xml/readings/recovery.ts'
import { parseElement } from '../xml/tree/parse-element.ts'
import type { DumpOptions, DumpPart } from './dump-options.ts'
import type { DumpQuestion } from './dump-question.ts'
import { copyDumpHead, PAGE_NAMES, ROOT_TAG } from './head/dump-head.ts'
import { describePage } from './shape/page.ts'
import { isBefore, type RootFacts, requireRoot } from './shape/site-info.ts'

const START = { byteOffset: 0, line: 1, column: 1 }

export class DumpReading<Item extends object> {
  readonly #question: DumpQuestion<Item>
  readonly #cursor: Cursor
  readonly #options: DumpOptions & DumpPart
  /** Characters that were replaced. */
  readonly #counts: { replaced: number }
  /** Offsets of those that may be after all that is to be read. */
  readonly #lateReplaced: number[] = []
  #isPart: boolean
  /** What is known of the head of the dump, or why it cannot be kept. */
  #head: HeadBytes | LimitError | undefined
  #projector: Projector | undefined
  #open: OutermostRecord | undefined
  /** What stands on the root; undefined before that has begun. */
  root: RootFacts | undefined
  #from: number | undefined
  #overAt: number | undefined

  /** The cursor is at the start of the source. */
  constructor(
    question: DumpQuestion<Item>,
    cursor: Cursor,
    options: DumpOptions & DumpPart,
    counts: { replaced: number },
  ) {
    this.#question = question
    this.#cursor = cursor
    this.#options = options
    this.#counts = counts
    this.#isPart = options.isPart ?? false
  }

  /** Moves to the start. Returns what reads the items, undefined if there are none. */
  async begin(leaving = new AbortController().signal): Promise<AsyncGenerator<Item[], void, undefined> | undefined> {
    const { head, startOffset, onFault } = this.#options
    const cursor = this.#cursor
    if (onFault) await cursor.fill(1)
    // Where the beginning is missing, the rest is a part.
    this.#isPart ||= cursor.gaps.includes(0)
    const isWanted = !this.#isPart && (onFault || startOffset)
    this.#head = head ? await head(leaving) : isWanted ? await copyDumpHead(cursor) : undefined
    const start = await this.#findStart()
    this.#from = start && cursor.offset
    return start && this.#read(start)
  }

  /** The head of the dump where reading continues in its middle. */
  get bytes(): HeadBytes {
    if (this.#head instanceof LimitError) throw this.#head
    return this.#head ?? ROOT_TAG
  }

  /** Errors before this offset are not of pages. */
  get end(): number {
    return this.root ? 0 : Number.POSITIVE_INFINITY
  }

  /** Counts what was replaced before the end of what was read, which is known now. */
  finish(): void {
    const { length } = this.#lateReplaced.filter((offset) => offset < (this.#overAt ?? Number.POSITIVE_INFINITY))
    this.#counts.replaced += length
    this.#options.range?.finish(this.#from, this.#overAt)
  }

  /** Whether an error says only that a part of a dump, whose head is not known, ends between two pages. */
  isEnd(error: unknown): boolean {
    const isEarly = error instanceof XmlError && error.code === 'unexpected-end' && this.#projector?.depth === 1
    return isEarly && this.#isPart && !this.#head
  }

  /** An error in words for those who read dumps. One about what is too large names the child of a page that was open when the parser stopped last. */
  explain<Fault>(error: Fault): Fault | XmlError | LimitError {
    if (error instanceof XmlError && !this.root && !this.#isPart) return explainNoDump(error)
    const { field, hasInner = false } = this.#open ?? {}
    const isRevision = this.#question.path === 'page/revision' && hasInner
    const child = isRevision ? 'revision' : field === 'uploads' ? 'upload' : field
    const [title, id] = [this.#open?.readField('title'), this.#open?.readField('id')]
    return nameTooLarge(error, child, describePage(title as string | undefined, id as number | undefined))
  }

  /** Moves the cursor to where reading begins. Returns what is read before that; undefined if there is no page. */
  async #findStart(): Promise<Pick<RunOptions, 'head'> | undefined> {
    const { partStart, startOffset } = this.#options
    const cursor = this.#cursor
    if (!this.#isPart && !startOffset) return {}
    const { bytes } = this
    if (!this.#isPart) {
      const { position: next, before } = await passTo(cursor, bytes.length, () => startOffset)
      // What is before was counted by those who have read it.
      this.#counts.replaced = 0
      return { head: { bytes, next, before } }
    }
    const { position } = partStart ? await passTo(cursor, 0, partStart) : { position: START }
    const next = await findNext(cursor, PAGE_NAMES, position)
    return next && { head: { bytes, next } }
  }

  #read(start: Pick<RunOptions, 'head'>): AsyncGenerator<Item[], void, undefined> {
    const { onFault } = this.#options
    const {
      path,
      shape,
      format,
      limit,
      onRecord,
      written,
      isRecord = () => true,
      isWanted,
      ...question
    } = this.#question
    const recovery = onFault && new Recovery([], PAGE_NAMES, (error) => this.isEnd(error) || onFault(error))
    if (recovery) recovery.locate = (error) => this.explain(error)
    const asked = {
      projection: projectionOf({ path, shape, nested: 'outermost', watch: 'page' }),
      conditions: [],
      isWanted:
        this.#options.range || isWanted
          ? (record: RecordView) => this.#isInPlace(record) && (!isWanted || isWanted(record))
          : undefined,
      isLenient: false,
      recovery,
    }
    const options = {
      ...USUAL_FORMAT,
      limit,
      isRecord: (record: RecordView) => this.#isInPlace(record) && isRecord(record),
      onRecord,
      writer: {
        parsing: { parseElement },
        wantsEmptyOuter: true,
        mayLack: ({ since }: FieldError) => since !== undefined && !question.needsIds && isBefore(this.root, since),
      },
      projector: {
        written,
        sharesAround: true,
        onRoot: (...root: Parameters<typeof requireRoot>) => {
          this.root = requireRoot(...root)
        },
        onWatched: question.onPage ?? requireInRoot,
      },
      isOver: question.isOver ?? ((projector: Projector, failedAt?: number) => this.#isOver(projector, failedAt)),
    }
    return readRecords((make) => this.#run(make, start, recovery), asked, format, options, undefined)
  }

  /** Runs parsers over the dump. */
  #run(
    make: () => Consumer,
    start: Pick<RunOptions, 'head'>,
    recovery: Recovery | undefined,
  ): AsyncGenerator<XmlParser, void, undefined> {
    const { strict, limits, signal } = this.#options
    const options = {
      ...start,
      signal,
      ignoresServer: true,
      // The cache counts all of the dump.
      limits: { ...limits, maxInput: undefined },
      onReplace: strict ? undefined : (offset: number) => this.#countReplaced(offset),
    }
    const cursor = this.#cursor
    if (!recovery) return runParser(cursor, 'check', make(), options)
    return runStretches({ openSource, runParser }, [], 'check', make, { ...options, cursor, known: this }, recovery)
  }

  /**
   * Whether nothing more is wanted. It has to be asked whenever the parser stops. `failedAt`: where the parser has failed, if it has. The record that is open
   * may come after a record that is wrong.
   */
  #isOver(projector: Projector, failedAt = Number.POSITIVE_INFINITY): boolean {
    this.#projector = projector
    this.#open = projector.openRecord
    if (this.#open && this.#open.start <= failedAt) this.#pass(this.#open.start)
    return this.#overAt !== undefined
  }

  /** Whether a record is before the end of what is wanted. */
  #isInPlace(record: RecordView): boolean {
    if (this.#options.range) {
      const ofPage = this.#question.path === 'page/revision' && !record.isOuter
      this.#pass((ofPage ? record.startOf('page') : undefined) ?? record.start)
    }
    return this.#overAt === undefined
  }

  /** A page begins at an offset. At the first one that is not wanted, reading is over. */
  #pass(start: number): void {
    if (start >= this.#ownedUntil) this.#overAt ??= start
  }

  #countReplaced(offset: number): void {
    if (offset < this.#ownedUntil) this.#counts.replaced++
    else this.#lateReplaced.push(offset)
  }

  get #ownedUntil(): number {
    return this.#options.range?.ownedUntil ?? Number.POSITIVE_INFINITY
  }
}

function requireInRoot(start: number, depth: number): void {
  if (depth !== 2) throw new UnplacedError('a page must be inside <mediawiki>', 'malformed-dump', undefined, start)
}

/** The same error; a `LimitError` with a message that names the element that is too large, if that is known, and its page. */
function nameTooLarge<Fault>(error: Fault, child: string | undefined, page: string): Fault | LimitError {
  if (!(error instanceof LimitError) || error.code !== 'retained-limit' || child === undefined) return error
  const { limit } = error
  return new LimitError(`<${child}> of ${page} is larger than the limit of ${limit} bytes (maxRetained)`, error)
}

/** Input that stops being XML before its root begins is most probably not a dump. */
function explainNoDump({ detail, code, byteOffset, line, column, excerpt }: XmlError): XmlError {
  const message = `not a MediaWiki dump: ${detail}`
  return new XmlError(message, { code, byteOffset, line, column, excerpt })
}
