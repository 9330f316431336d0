// Pages, as `docs/page.schema.json` describes them. Numbers are numbers where MediaWiki's schema (docs/export-0.11.xsd in its repository)
// has numbers; what the dump does not have is absent.

import type { XmlElementData } from '../../xml/tree/element.ts'
import { LAST, wholeNumber } from './fields.ts'
import { REVISION, type Revision, type RevisionFacts } from './revision.ts'
import { UPLOAD, type Upload } from './upload.ts'

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

/** What is read of `<page>` besides its revisions and uploads. */
const FACTS = {
  id: { path: 'id', ...LAST, required: true, ...wholeNumber('the id of a page') },
  ns: { path: 'ns', ...LAST, ...wholeNumber('the namespace of a page') },
  title: { path: 'title', ...LAST, required: true, error: { code: 'malformed-page', missing: 'a page has no title' } },
  redirect: { path: 'redirect/@title', pick: 'last' },
  restrictions: { path: 'restrictions', ...LAST },
  // LiquidThreads has written it under two names.
  discussion: { firstOf: ['discussionthreadinginfo', 'DiscussionThreading'], as: 'children', ...LAST, unique: true },
  other: { as: 'rest' },
} as const

/** By which the newest revision is found: an id that is not a number comes before all numbers. */
const KEYS = { time: { path: 'timestamp', hidden: true }, number: { path: 'id', as: 'integer', hidden: true } } as const

/** What is read of `<page>`. */
export const PAGE = {
  ...FACTS,
  uploads: [{ of: 'upload', fields: UPLOAD, empty: 'absent' }],
  revision: { of: 'revision', fields: { ...REVISION, ...KEYS }, pick: { newest: ['time', 'number'] } },
} as const

/** What is read of the `<page>` around a revision. */
export const PAGE_AROUND = {
  ...FACTS,
  // So that they are not among the others.
  uploads: { path: 'upload', as: 'present', hidden: true },
  revisions: { path: 'revision', as: 'present', hidden: true },
} as const

/** What is read to say where a page is. */
export const PAGE_PLACE = { id: FACTS.id, ns: FACTS.ns, title: FACTS.title, redirect: FACTS.redirect } as const

/** What is known about which page it is, for messages: `page "Xylem" (id 1)`. */
export function describePage(title: string | undefined, id: number | undefined): string {
  const named = title === undefined ? '' : ` ${JSON.stringify(title)}`
  return `page${named}${id === undefined ? '' : ` (id ${id})`}`
}
