// Pages, as `docs/page.schema.json` describes them. Numbers are numbers where MediaWiki's schema (docs/export-0.11.xsd in its repository)
// has numbers; what the dump does not have is absent.

import type { CompactRecord } from '../../xml/question/shape.ts'
import { id, LAST, LAST_TEXT, MARKUP, wholeNumber } from './fields.ts'
import { REVISION, type Revision, type RevisionFacts } from './revision.ts'
import { UPLOAD, type Upload } from './upload.ts'

/** What is read of `<page>` besides its revisions and uploads. */
const FACTS = {
  /** The page's id, unique in the wiki. Ids ascend in a dump, with gaps. Dumps before schema 0.7 may have none. */
  id: { path: 'id', ...LAST, ...id('the id of a page') },
  /** The number of the namespace. Absent in dumps before schema 0.6. */
  ns: { path: 'ns', ...LAST, ...wholeNumber('the namespace of a page') },
  /** With the name of the namespace, and with spaces instead of underscores. */
  title: { path: 'title', ...LAST, required: true, error: { ...MARKUP, missing: 'a page has no title' } },
  /** The title that this page redirects to; empty in dumps before schema 0.6, which do not say it. Absent for other pages, and when the target is not a valid title. */
  redirect: { firstOf: ['redirect/@title', 'redirect'], pick: 'last' },
  /** In old dumps: who may edit and move the page, such as `edit=sysop:move=sysop`. */
  restrictions: { path: 'restrictions', ...LAST_TEXT },
  // LiquidThreads has written it under two names.
  /** In wikis with LiquidThreads: describes a thread, with the names that the dump uses. */
  discussion: { firstOf: ['discussionthreadinginfo', 'DiscussionThreading'], as: 'children', ...LAST, unique: true },
  /** Elements that no version of the schema has. */
  other: { as: 'rest' },
} as const

/** The data of a page without its revisions. */
export interface PageFacts extends CompactRecord<typeof FACTS> {}

/** By which the newest revision is found: an id that is not a number comes before all numbers. */
const KEYS = { time: { path: 'timestamp', hidden: true }, number: { path: 'id', as: 'integer', hidden: true } } as const

/** What is read of `<page>`. */
export const PAGE = {
  ...FACTS,
  /** On pages of files, in dumps that list them: the versions of the file. */
  uploads: [{ of: 'upload', fields: UPLOAD, empty: 'absent' }],
  /** The newest revision of the page in the dump: by its timestamp, then by its id. */
  revision: { of: 'revision', fields: { ...REVISION, ...KEYS }, pick: { newest: ['time', 'number'] } },
} as const

/** A page with its newest revision in the dump: the one with the latest timestamp, then the largest id. */
export interface Page extends PageFacts, CompactRecord<typeof PAGE> {
  uploads?: Upload[]
  revision?: Revision
}

/** A page except for the content of its revision. */
export interface PageOutline extends Omit<Page, 'revision'> {
  revision?: RevisionFacts
}

/** What is read of the `<page>` around a revision. */
const PAGE_AROUND = {
  ...FACTS,
  // So that they are not among the others.
  uploads: { path: 'upload', as: 'present', hidden: true },
  revisions: { path: 'revision', as: 'present', hidden: true },
} as const

/** A revision, with the data of its page. */
export interface PageRevision extends Revision {
  page: PageFacts
}

/** A revision except for its content. */
export interface PageRevisionFacts extends RevisionFacts {
  page: PageFacts
}

const AROUND = {
  /** The page of the revision. */
  page: { outer: 'page', fields: PAGE_AROUND, required: true },
} as const

/** What is read of `<revision>`, and of the page around it. */
export const PAGE_REVISION = { ...AROUND, ...REVISION } as const

/** What is read to say where a page is. */
export const PAGE_PLACE = { id: FACTS.id, ns: FACTS.ns, title: FACTS.title, redirect: FACTS.redirect } as const

/** What is known about which page it is, for messages: `page "Xylem" (id 1)`. */
export function describePage(title: string | undefined, id: number | undefined): string {
  const named = title === undefined ? '' : ` ${JSON.stringify(title)}`
  return `page${named}${id === undefined ? '' : ` (id ${id})`}`
}
