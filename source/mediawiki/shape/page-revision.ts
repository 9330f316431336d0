// Revisions with their pages.

import { PAGE_AROUND, type PageFacts } from './page.ts'
import { REVISION, type Revision, type RevisionFacts } from './revision.ts'

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
