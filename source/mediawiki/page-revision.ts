// Revisions with their pages.

import type { PageFacts } from './page.ts'
import type { Revision, RevisionFacts } from './revision.ts'

/** A revision, with the data of its page. */
export interface PageRevision extends Revision {
  page: PageFacts
}

/** A revision except for its content. */
export interface PageRevisionFacts extends RevisionFacts {
  page: PageFacts
}
