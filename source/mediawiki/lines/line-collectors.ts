// From a dump to lines.

import { decider } from '../../stream/options.ts'
import { formatJson } from '../../text/json.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import type { LineFormOptions } from '../../xml/question/line-form.ts'
import type { XmlShape } from '../../xml/question/shape.ts'
import { Collector, completed, PagesOfRevisions } from '../collectors.ts'
import { PAGE, type Page, type PageFacts } from '../shape/page.ts'
import { PAGE_REVISION } from '../shape/page-revision.ts'
import type { Revision } from '../shape/revision.ts'
import type { RecordKind } from './added-fields.ts'
import { ChosenFields } from './chosen-fields.ts'
import { LineOutput } from './line-output.ts'
import { chooseFields, isOfPage, lineFormOf, withSuppression } from './page-form.ts'
import type { LineFilter, PageLineFilter, PageLines, RevisionLineFilter, WrittenContent } from './page-lines.ts'
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
/** Bytes of the line of an object without anything in it. */
const EMPTY_LENGTH = 3

/** A kind of records: where they are, what is read of them, and the names of some fields of a revision in them. */
interface LineKind {
  readonly kind: RecordKind
  readonly path: 'page' | 'page/revision'
  readonly shape: XmlShape
  readonly names: ReturnType<typeof namesOf>
}

const PAGES: LineKind = { kind: 'pages', path: 'page', shape: PAGE, names: namesOf('revision.') }
const REVISIONS: LineKind = { kind: 'revisions', path: 'page/revision', shape: PAGE_REVISION, names: namesOf('') }

function namesOf(prefix: string) {
  const of = (name: string) => `${prefix}${name}`
  return { id: of('id'), bytes: of('bytes'), sha1: of('sha1'), text: of('text'), deleted: of('contributor.deleted') }
}

abstract class LineCollector<Traits> extends Collector<PageLines> {
  protected readonly filter: LineFilter<Traits>
  protected readonly lines: LineOutput
  protected readonly chosen: ChosenFields | undefined
  readonly #kind: LineKind
  readonly #conditions: RecordConditions

  constructor(kind: LineKind, filter: LineFilter<Traits>) {
    const { limit, choice, isWanted, where = {}, sightings } = filter
    const conditions = new RecordConditions(where, sightings)
    const looks = conditions.fieldsOf(kind.kind)
    const isBySize = looks.some((name) => name.endsWith(SUPPRESSION))
    const shape = isBySize ? withSuppression(kind.kind, kind.shape) : kind.shape
    super(kind.path, choice ? chooseFields(kind.kind, shape, choice, filter, looks) : shape)
    this.#conditions = conditions
    this.#kind = kind
    this.filter = { ...filter, isWanted: isWanted && decider('isWanted', isWanted) }
    this.chosen = choice && new ChosenFields(kind.kind, choice)
    this.lines = new LineOutput(limit, choice?.notation.lineEnd)
  }

  override get isOver(): boolean {
    return super.isOver || this.lines.isFull
  }

  override take(): PageLines[] {
    return [...super.take(), ...this.lines.take()]
  }

  protected override get written(): LineFormOptions | undefined {
    const { choice, onRevision } = this.filter
    // Where some fields are written and others compared, objects show what is wrong with either.
    return choice && onRevision ? undefined : lineFormOf(this.#kind.kind, choice)
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
    const { lines, chosen } = this
    lines.output.putText(chosen ? chosen.write(record, values) : formatJson(record))
    lines.endLine()
    if (revision) this.filter.onRevision?.(revision)
  }

  /** Writes the line that the kernel has written of a record. `skipped`: how many bytes of it are left out at the start. */
  protected putLine(record: RecordView, skipped = 0): void {
    record.putLine(this.lines.output, skipped)
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
    const isNew = lines.count(page.id, isRevision)
    if (this.filter.counts === false) {
      if (isRevision) lines.add('revisions')
      return
    }
    if (isNew && page.redirect !== undefined) lines.add('redirects')
    if (this.#hasRevision(record)) lines.add('revisions')
    const bytes = record.number(names.bytes) ?? 0
    if (bytes > 0 && !record.has(names.text)) lines.add('missingTexts')
    if (bytes < 0 || record.has(names.deleted)) lines.add('suppressed')
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
    } else this.putLine(record)
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
  /** The page of the last line, as its lines begin. */
  #begun: { readonly page: PageFacts; readonly bytes: Uint8Array } | undefined

  constructor(filter: RevisionLineFilter) {
    super(REVISIONS, filter)
    this.#ofPage = this.chosen?.only(isOfPage)
  }

  protected make(record: RecordView): undefined {
    if (!record.isLineComplete || !this.#pages.isLikeFirst(record)) {
      const page = this.#pages.factsOf(record)
      if (page) this.#putWith(page, record)
      return
    }
    const revision = new WrittenRevision(record)
    if (!this.#isWanted(revision)) return
    this.putLine(record)
    this.count(revision.page, record)
  }

  /** Writes a revision with a page that its line does not have, or not as the first revision found it. */
  #putWith(page: PageFacts, record: RecordView): void {
    const traits = this.#traits as PageRevisionTraits['page']
    const hasRest = record.hasLine && !record.isLineComplete
    // What is not valid is an error, also if it is not wanted.
    const isValid = hasRest || record.ownValues !== undefined
    if (!isValid || !this.#isWanted(new WrittenRevision(record, traits))) return
    if (hasRest) {
      this.#putAfterPage(record, page)
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

  /** Writes the line of a revision whose page the kernel has not written. */
  #putAfterPage(record: RecordView, page: PageFacts): void {
    const { output } = this.lines
    const beginning = this.#beginningOf(page)
    const isJson = (this.filter.choice?.notation.mode ?? 'object') === 'object'
    output.put(beginning)
    // In JSON, its brace is there already.
    if (isJson && beginning.length > 1 && record.lineLength > EMPTY_LENGTH) output.putByte(COMMA)
    this.putLine(record, isJson ? 1 : 0)
  }

  #beginningOf(page: PageFacts): Uint8Array {
    if (this.#begun?.page !== page) {
      const beginning = this.#ofPage ? this.#ofPage.begin({ page }) : formatJson({ page }).slice(0, -1)
      this.#begun = { page, bytes: encoder.encode(beginning) }
    }
    return this.#begun.bytes
  }
}
