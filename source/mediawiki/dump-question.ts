// What is asked of a dump: which elements, what is read of them, and what becomes of each.

import type { Format } from '../record/format/format.ts'
import type { Report } from '../record/report.ts'
import type { RecordValues } from '../record/value.ts'
import { decider } from '../stream/options.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { LineFormOptions } from '../xml/question/line-form.ts'
import type { XmlShape } from '../xml/question/shape.ts'
import type { RecordQuestion } from '../xml/readings/record-question.ts'
import type { BatchOptions } from '../xml/readings/records.ts'
import { LOG_ITEM, type LogItem } from './shape/log-item.ts'
import {
  PAGE,
  PAGE_PLACE,
  PAGE_REVISION,
  type Page,
  type PageFacts,
  type PageOutline,
  type PageRevision,
  type PageRevisionFacts,
} from './shape/page.ts'
import type { RevisionFacts } from './shape/revision.ts'
import { SITE_INFO, type SiteInfo } from './shape/site-info.ts'

export interface DumpQuestion<Item extends object>
  extends Pick<BatchOptions, 'limit' | 'onRecord' | 'isOver'>,
    Partial<Pick<RecordQuestion, 'isWanted'>> {
  readonly path: 'page' | 'page/revision' | 'logitem' | '/mediawiki/siteinfo'
  readonly shape: XmlShape
  /** Whether an element that matches is a record at all, unless the kernel has written it completely. */
  readonly isRecord?: ((record: RecordView) => boolean) | undefined
  /** Whether an id must be there, also in dumps whose schema does not require it. */
  readonly needsIds: boolean
  readonly format: Format<Item[]>
  /** What the kernel is to write of each record; undefined for nothing. */
  readonly written?: LineFormOptions | undefined
  /** Called where a page begins; without it, a page must stand in the root. */
  readonly onPage?: ((start: number) => void) | undefined
  /** What is counted; undefined for records that are objects. */
  readonly report?: Pick<Report, 'data'> | undefined
}

/** Delivers what is made of each record. */
function itemsOf<Item extends object>(make: (record: RecordView) => Item): Format<Item[]> {
  return {
    collect: () => ({
      add: (record) => make(record as RecordView) as RecordValues,
      take: (items) => (items.length === 0 ? [] : [{ batch: items as Item[], records: items.length }]),
      finish: () => [],
    }),
  }
}

/** A page, and where it stands. */
export interface PagePlace extends Pick<PageFacts, 'id' | 'ns' | 'title' | 'redirect'> {
  /** Offsets in bytes of the decompressed dump: where its start tag begins and its end tag ends. */
  start: number
  end: number
}

/** Where pages are. */
export const PLACES: DumpQuestion<PagePlace> = {
  path: 'page',
  shape: PAGE_PLACE,
  needsIds: true,
  format: itemsOf((record) => {
    const { start, end } = record
    return { ...record.compact<PageFacts>(record.values), start, end }
  }),
}

/** Where pages begin and end, and nothing else of them. */
export const PAGE_STARTS: DumpQuestion<Pick<PagePlace, 'start' | 'end'>> = {
  path: 'page',
  shape: {},
  needsIds: true,
  format: itemsOf(({ start, end }) => ({ start, end })),
}

export const LOG_ITEMS: DumpQuestion<LogItem> = {
  path: 'logitem',
  shape: LOG_ITEM,
  needsIds: true,
  format: itemsOf((record) => record.compact(record.values)),
}

/** Pages with their newest revision. */
export function askForPages(filter: ((page: PageOutline) => boolean) | undefined): DumpQuestion<Page> {
  const decide = filter && decider('filter', filter)
  return {
    path: 'page',
    shape: PAGE,
    needsIds: false,
    isWanted: decide && ((record) => decide(record.compact(record.values))),
    format: itemsOf((record) => record.compact(record.complete())),
  }
}

/** The pages of revisions, each as its first revision found it (`sharesAround`). */
export class PagesOfRevisions {
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined

  /** The data of the page of a revision. Undefined for a page that is not valid, which is reported at its first revision, and for a page without revisions. */
  factsOf(record: RecordView): PageFacts | undefined {
    // The values of such a page are read for their errors.
    if (record.isOuter) return record.values && undefined
    const start = record.startOf('page') as number
    if (this.#page?.start !== start) {
      this.#page = { start, facts: undefined }
      this.#page = { start, facts: record.compact<PageFacts>(record.value('page') as RecordValues, 'page') }
    }
    return this.#page.facts
  }
}

/** Revisions with their pages. */
export function askForRevisions(filter: ((one: PageRevisionFacts) => boolean) | undefined): DumpQuestion<PageRevision> {
  const decide = filter && decider('filter', filter)
  const pages = new PagesOfRevisions()
  const outlineOf = (record: RecordView) => {
    const page = pages.factsOf(record) as PageFacts
    return { page, ...record.compact<RevisionFacts>(record.ownValues) }
  }
  return {
    path: 'page/revision',
    shape: PAGE_REVISION,
    needsIds: false,
    isRecord: (record) => pages.factsOf(record) !== undefined,
    isWanted: decide && ((record) => decide(outlineOf(record))),
    format: itemsOf((record) => {
      record.addLate(record.ownValues)
      return outlineOf(record)
    }),
  }
}

/** The description of the wiki, which ends before the first page. */
export class SiteInfoQuestion implements DumpQuestion<SiteInfo> {
  readonly path = '/mediawiki/siteinfo'
  readonly shape = SITE_INFO
  readonly needsIds = true
  #firstPage: number | undefined
  /** Whether a value in it is an error. */
  #isInvalid = false
  found: SiteInfo | undefined

  readonly onPage = (start: number): void => {
    this.#firstPage ??= start
  }

  readonly format = itemsOf((record) => {
    this.#isInvalid = true
    this.found = record.compact<SiteInfo>(record.values)
    this.#isInvalid = false
    return this.found
  })

  readonly isRecord = ({ place }: RecordView): boolean => !this.found && place <= (this.#firstPage ?? place)

  readonly isOver = (): boolean => this.found !== undefined || (this.#firstPage !== undefined && !this.#isInvalid)
}
