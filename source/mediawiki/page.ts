// Pages, as `docs/page.schema.json` describes them. Numbers are numbers where MediaWiki's schema (docs/export-0.11.xsd in its repository)
// has numbers; what the dump does not have is absent.

import { Fault } from '../xml/errors/fault.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { XmlRecord } from '../xml/question/shape.ts'
import type { XmlElementData } from '../xml/tree/element.ts'
import { dropUndefined, parseInteger, requireInteger } from './fields.ts'
import {
  addContent,
  makeRevision,
  REVISION,
  REVISION_WITHOUT_TEXT,
  type Revision,
  type RevisionFacts,
} from './revision.ts'
import { makeUpload, UPLOAD, type Upload } from './upload.ts'

/** The data of a page without its revisions. */
export interface PageFacts {
  id: number
  /** The namespace's number. Absent in dumps before schema 0.6. */
  ns?: number
  title: string
  /** The title that this page redirects to. Absent for other pages, and when the target is not a valid title. */
  redirect?: string
  /** Who may edit and move it, in old dumps: `edit=sysop:move=sysop`. */
  restrictions?: string
  /** Of wikis with LiquidThreads: what a thread is, by the names that the dump gives. */
  discussion?: Record<string, string>
  /** Elements that are not in any schema. */
  other?: XmlElementData[]
}

/** A page with its newest revision in the dump: the one with the latest timestamp, then the largest id. */
export interface Page extends PageFacts {
  /** Versions of a file, where the page is one and the dump has them. */
  uploads?: Upload[]
  /** Absent when the dump has none for this page. */
  revision?: Revision
}

/** A page except for the content of its revision. */
export interface PageOutline extends PageFacts {
  uploads?: Upload[]
  revision?: RevisionFacts
}

/** What is read of `<page>` besides its revisions and uploads. Of elements that come twice the last one counts, as it always has. */
const FACTS = {
  id: { path: 'id', own: true, pick: 'last' },
  ns: { path: 'ns', own: true, pick: 'last' },
  title: { path: 'title', own: true, pick: 'last' },
  redirect: { path: 'redirect/@title', pick: 'last' },
  restrictions: { path: 'restrictions', own: true, pick: 'last' },
  // LiquidThreads has written it under two names.
  discussion: { path: 'DiscussionThreading', as: 'children', own: true, pick: 'last' },
  discussionAt: { path: 'DiscussionThreading', as: 'offset', pick: 'last' },
  thread: { path: 'discussionthreadinginfo', as: 'children', own: true, pick: 'last' },
  threadAt: { path: 'discussionthreadinginfo', as: 'offset', pick: 'last' },
  other: { as: 'rest' },
} as const

/** What is read of `<page>`. */
export const PAGE = {
  ...FACTS,
  uploads: [{ of: 'upload', fields: UPLOAD }],
  revision: { of: 'revision', fields: REVISION, pick: { newest: ['time', 'number'] } },
} as const

/** The same without decoding texts. */
export const PAGE_WITHOUT_TEXT = {
  ...PAGE,
  revision: { ...PAGE.revision, fields: REVISION_WITHOUT_TEXT },
} as const

/** What is read of the `<page>` around a revision. */
export const PAGE_AROUND = {
  ...FACTS,
  start: { path: '.', as: 'offset' },
  // So that they are not among the others.
  uploads: { path: 'upload', as: 'present' },
  revisions: { path: 'revision', as: 'present' },
} as const

/** What is read to say where a page is. */
export const PAGE_PLACE = { id: FACTS.id, ns: FACTS.ns, title: FACTS.title, redirect: FACTS.redirect } as const

/** What was read of a page without its revisions. Throws a `Fault` when there is no title or no id, with the place of the page. */
export function makeFacts(values: Partial<XmlRecord<typeof FACTS>>, place: { start: number }): PageFacts {
  const { title, discussion, discussionAt = 0, thread, threadAt = 0 } = values
  if (title === undefined) throw new Fault('a page has no title', 'malformed-page', undefined, place.start)
  return dropUndefined<PageFacts>({
    id: requireInteger('the id of a page', values.id, place),
    ns: parseInteger('the namespace of a page', values.ns, place),
    title,
    redirect: values.redirect,
    restrictions: values.restrictions,
    discussion: lastOfEach(threadAt > discussionAt ? thread : discussion),
    other: values.other,
  })
}

/** Of each name the last text. */
function lastOfEach(texts: Record<string, string | string[]> | undefined): Record<string, string> | undefined {
  return texts && Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text].flat().at(-1) ?? '']))
}

/** A page except for the content of its revision. */
export function makeOutline({ values, place }: RecordView): PageOutline {
  const { uploads, revision, ...facts } = values as unknown as XmlRecord<typeof PAGE>
  const made = uploads.map(makeUpload)
  const outline: PageOutline = makeFacts(facts, { start: place })
  if (made.length > 0) outline.uploads = made
  if (revision) outline.revision = makeRevision(revision)
  return outline
}

/** The page with its newest revision; undefined if the filter, which sees all but the content, refuses it. */
export function makePage(record: RecordView, filter: ((page: PageOutline) => boolean) | undefined): Page | undefined {
  const outline = makeOutline(record)
  if (filter && !filter(outline)) return undefined
  const { revision } = record.values as unknown as XmlRecord<typeof PAGE>
  if (outline.revision && revision) {
    record.addLate()
    addContent(outline.revision, revision)
  }
  return outline
}

/** What is known about which page it is, for messages: `page "Xylem" (id 1)`. */
export function describePage(title: string | undefined, id: string | undefined): string {
  const named = title === undefined ? '' : ` ${JSON.stringify(title)}`
  return `page${named}${id === undefined ? '' : ` (id ${id.trim()})`}`
}
