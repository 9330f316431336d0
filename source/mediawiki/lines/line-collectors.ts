// From a dump to lines, or to batches of another format.

import type { FormatRecord, LineNotation } from '../../record/format/format.ts'
import { format as JSON_LINES } from '../../record/format/jsonl.ts'
import type { LineBytes } from '../../record/line-bytes.ts'
import type { RecordValues } from '../../record/value.ts'
import { decider } from '../../stream/options.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import type { LineFormOptions } from '../../xml/question/line-form.ts'
import { Collector, completed, PagesOfRevisions } from '../collectors.ts'
import type { Page, PageFacts } from '../shape/page.ts'
import type { Revision } from '../shape/revision.ts'
import { parseAddedField, type RecordKind } from './added-fields.ts'
import { ChosenFields, type LineChoice } from './chosen-fields.ts'
import { LineOutput } from './line-output.ts'
import { chooseFields, formatFields, isOfPage, lineFormOf, SHAPES, withSuppression } from './page-form.ts'
import type { LineFilter, PageLineFilter, RevisionLineFilter, WrittenContent, WrittenLines } from './page-lines.ts'
import { RecordConditions } from './record-filter.ts'
import {
  keepTraits,
  type PageRevisionTraits,
  type PageTraits,
  type RevisionTraits,
  SUPPRESSION,
  WrittenPage,
  WrittenRevision,
} from './traits.ts'

const encoder = new TextEncoder()
const COMMA = 0x2c
/** A record that was made as an object. */
const MADE = { hasLine: false, putLine: () => {}, readLine: () => {} }
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3
/** The length of the line of a lone empty cell, `""` in CSV. */
const LONE_LENGTH = 4
const QUOTE = 0x22

/** A kind of records: where they are, and the names of some fields of a revision in them. */
interface LineKind {
  readonly kind: RecordKind
  readonly path: 'page' | 'page/revision'
  readonly names: ReturnType<typeof namesOf>
}

const PAGES: LineKind = { kind: 'pages', path: 'page', names: namesOf('revision.') }
const REVISIONS: LineKind = { kind: 'revisions', path: 'page/revision', names: namesOf('') }

function namesOf(prefix: string) {
  const of = (name: string) => `${prefix}${name}`
  return { id: of('id'), bytes: of('bytes'), sha1: of('sha1'), text: of('text'), deleted: of('contributor.deleted') }
}

abstract class LineCollector<Traits> extends Collector<WrittenLines> {
  protected readonly filter: LineFilter<Traits>
  protected readonly lines: LineOutput
  /** Where some fields are wanted. */
  protected readonly chosen: ChosenFields | undefined
  readonly #kind: LineKind
  readonly #conditions: RecordConditions

  constructor(kind: LineKind, filter: LineFilter<Traits>) {
    const { limit, choice, isWanted, where = {}, sightings } = filter
    const { fields, format = JSON_LINES, setup = { rows: Number.POSITIVE_INFINITY } } = choice ?? {}
    const conditions = new RecordConditions(where, sightings)
    const looks = conditions.fieldsOf(kind.kind)
    const isBySize = looks.some((name) => name.endsWith(SUPPRESSION))
    const shape = isBySize ? withSuppression(kind.kind, SHAPES[kind.kind]) : SHAPES[kind.kind]
    super(kind.path, chooseFields(kind.kind, shape, filter, looks))
    this.#conditions = conditions
    this.#kind = kind
    this.filter = { ...filter, isWanted: isWanted && decider('isWanted', isWanted) }
    this.chosen = fields && new ChosenFields(kind.kind, fields)
    const collector = format.collect(formatFields(kind.kind, fields, format), setup)
    this.lines = new LineOutput(collector, limit)
  }

  override get isOver(): boolean {
    return super.isOver || this.lines.isFull
  }

  override take(failedAt?: number): WrittenLines[] {
    return [...super.take(failedAt), ...this.lines.take(false)]
  }

  override finish(): WrittenLines[] {
    return this.lines.take(true)
  }

  protected override get written(): LineFormOptions | undefined {
    const { choice, onRevision } = this.filter
    // Where some fields are written and others compared, objects show what is wrong with either.
    return choice?.fields && onRevision ? undefined : lineFormOf(this.#kind.kind, this.lines.writing, choice)
  }

  protected override get needsIds(): boolean {
    return this.filter.where?.ids !== undefined
  }

  /** Whether a record is wanted. */
  protected isWanted(
    record: Traits,
    page: PageRevisionTraits['page'],
    revisionOf: () => RevisionTraits | undefined,
  ): boolean {
    const { isWanted } = this.filter
    return this.#conditions.hold(page, revisionOf) && (!isWanted || isWanted(record))
  }

  /** Writes a record that is an object. `values` has what was read of it, for fields that are added. */
  protected put(record: object, values: object, revision: Revision | undefined): void {
    const { chosen } = this
    this.lines.add(
      chosen
        ? { ...MADE, complete: () => chosen.valuesOf(record, values) }
        : { ...MADE, bare: record, complete: () => record as RecordValues },
    )
    if (revision) this.filter.onRevision?.(revision)
  }

  /** Writes what the kernel has written of a record. */
  protected putWritten(record: RecordView, written: FormatRecord = record): void {
    this.lines.add(written)
    const { onRevision } = this.filter
    if (onRevision && this.#hasRevision(record)) onRevision(contentOf(record, this.#kind))
  }

  #hasRevision(record: RecordView): boolean {
    return this.#kind.kind === 'revisions' || record.has('revision')
  }

  /** Counts the line of a page and a revision. */
  protected count(page: PageRevisionTraits['page'], record: RecordView): void {
    const { lines } = this
    const { kind, names } = this.#kind
    this.filter.sightings?.seeFields(record)
    const isRevision = kind === 'revisions'
    const isNew = lines.countRecord(page.id, isRevision ? record.startOf('page') : undefined)
    if (this.filter.counts === false) {
      if (isRevision) lines.count('revisions')
      return
    }
    if (isNew && page.redirect !== undefined) lines.count('redirects')
    if (this.#hasRevision(record)) lines.count('revisions')
    const bytes = record.number(names.bytes) ?? 0
    if (bytes > 0 && !record.has(names.text)) lines.count('missingTexts')
    if (bytes < 0 || record.has(names.deleted)) lines.count('suppressed')
  }
}

/** What is compared of a revision without slots. */
function contentOf(record: RecordView, { names }: LineKind): WrittenContent {
  const bytes = record.number(names.bytes)
  const sha1 = record.text(names.sha1)
  const id = record.number(names.id) as number
  return { id, ...(bytes !== undefined && { bytes }), ...(sha1 && { sha1 }), text: record.text(names.text) }
}

export class PageLineCollector extends LineCollector<PageTraits> {
  constructor({ namespaces, redirects, ...filter }: PageLineFilter) {
    const where = {
      ...filter.where,
      ...(namespaces && { ns: Array.from(namespaces, String) }),
      ...(redirects && { redirects }),
    }
    super(PAGES, { ...filter, where })
  }

  protected make(record: RecordView): undefined {
    // What is not valid is an error, also if it is not wanted.
    const values = record.hasLine ? undefined : record.values
    const traits = new WrittenPage(record)
    if (!this.isWanted(traits, traits, () => traits.revision)) return
    if (values) record.complete()
    if (!this.lines.reserve()) return
    if (values) {
      const page = record.compact<Page>(values)
      this.put(page, values, page.revision)
    } else this.putWritten(record)
    this.count(traits, record)
  }
}

export class RevisionLineCollector extends LineCollector<PageRevisionTraits> {
  readonly #pages = new PagesOfRevisions((record, first) => {
    this.#traits = keepTraits(record, first)
  })
  /** What filters see of the page of the last revision whose line does not have it as it is to be. */
  #traits: PageRevisionTraits['page'] | undefined
  /** The chosen fields of the page. */
  readonly #ofPage: ChosenFields | undefined
  /** How lines are written, in formats of lines. */
  readonly #notation: LineNotation | undefined
  /** The page of the last line, as its lines begin. */
  #begun: { readonly page: PageFacts; readonly bytes: Uint8Array } | undefined
  /** The page of the last values. */
  #around: { readonly page: PageFacts; readonly values: RecordValues } | undefined
  /** Whether all that is wanted of pages is in their data. */
  readonly #isPageSimple: boolean

  constructor(filter: RevisionLineFilter) {
    super(REVISIONS, filter)
    const { format = JSON_LINES, fields } = filter.choice ?? {}
    this.#notation = format.notation
    this.#ofPage = fields && new ChosenFields('revisions', fields.filter(isOfPage))
    this.#isPageSimple = !fields?.some((field) => parseAddedField('revisions', field)?.isOfOther)
  }

  protected make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.#pages.isLikeFirst(record)) {
      const page = this.#pages.factsOf(record)
      if (page) this.#putWith(page, record)
      return
    }
    const revision = new WrittenRevision(record)
    if (!this.#isWanted(revision)) return
    this.putWritten(record)
    this.count(revision.page, record)
  }

  /** Writes a revision with a page that its line does not have, or not as the first revision found it. */
  #putWith(page: PageFacts, record: RecordView): void {
    const traits = this.#traits as PageRevisionTraits['page']
    const hasRest = this.#isPageSimple && record.hasLine && !record.isLineComplete
    // What is not valid is an error, also if it is not wanted.
    const isValid = hasRest || record.ownValues !== undefined
    if (!isValid || !this.#isWanted(new WrittenRevision(record, traits))) return
    if (hasRest) {
      this.putWritten(record, this.#withPage(record, page))
      this.count(traits, record)
      return
    }
    const revision = completed(record, page)
    const readPage = () => record.value('page')
    const values = {
      ...record.ownValues,
      // What was read of the page, only if that is asked for.
      get page() {
        return readPage()
      },
    }
    this.put(revision, values, revision)
    this.count(traits, record)
  }

  /** Whether a revision is wanted, and makes room for its line. */
  #isWanted(revision: PageRevisionTraits): boolean {
    return this.isWanted(revision, revision.page, () => revision) && this.lines.reserve()
  }

  /** What the kernel has written of a revision, and its page, which it has not. */
  #withPage(record: RecordView, page: PageFacts): FormatRecord {
    const written = { ...MADE, hasLine: true, complete: () => record.complete() }
    const notation = this.#notation
    if (notation) return { ...written, putLine: (output) => this.#putAfterPage(output, record, notation, page) }
    if (this.#around?.page !== page) this.#around = { page, values: this.#ofPage?.valuesOf({ page }) ?? {} }
    return { ...written, readLine: (read) => record.readLine(read), around: this.#around.values }
  }

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(output: LineBytes, record: RecordView, notation: LineNotation, page: PageFacts): void {
    const beginning = this.#beginningOf(page, notation)
    const isJson = notation.mode === 'object'
    output.put(beginning)
    // In JSON, its brace is there already.
    if (isJson && beginning.length > 1 && record.lineLength > EMPTY_LENGTH) output.putByte(COMMA)
    let skipped = isJson ? 1 : 0
    if (notation.mode === 'csv' && beginning.length > 0 && record.lineLength === LONE_LENGTH) {
      // The kernel puts an empty cell in quotes if it is alone. Here it is not.
      record.readLine((bytes, from) => {
        if (bytes[from] === QUOTE) skipped = 2
      })
    }
    record.putLine(output, skipped)
  }

  #beginningOf(page: PageFacts, notation: LineNotation): Uint8Array {
    if (this.#begun?.page !== page) {
      this.#begun = { page, bytes: encoder.encode(beginLine(page, this.#ofPage, notation, this.filter.choice)) }
    }
    return this.#begun.bytes
  }
}

/** How a line begins with the fields of a page, or those that are chosen, after which others follow. */
function beginLine(
  page: PageFacts,
  chosen: ChosenFields | undefined,
  { format, mode, separator }: LineNotation,
  { setup }: Partial<LineChoice> = {},
): string {
  const values: RecordValues = chosen?.valuesOf({ page }) ?? { page: page as unknown as RecordValues }
  const names = chosen?.names ?? ['page']
  const line = format(
    names,
    names.map((name) => values[name]),
    setup ?? {},
  )
  if (mode === 'object') return line.slice(0, -1)
  return names.length === 0 ? '' : line + separator
}
