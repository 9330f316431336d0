// Pages and revisions as lines of JSON: which ones, and what is counted.

import type { PageFacts } from './page.ts'
import type { WrittenCounts } from './page-json.ts'
import type { RevisionFacts } from './revision.ts'

/** What filters look at of a revision. */
export type RevisionTraits = Pick<RevisionFacts, 'timestamp' | 'model' | 'minor' | 'contributor'>

/** What filters look at of a page. */
export interface PageTraits extends Pick<PageFacts, 'id' | 'ns' | 'title' | 'redirect'> {
  readonly revision?: RevisionTraits
}

/** What filters look at of a revision with its page. */
export interface PageRevisionTraits extends RevisionTraits {
  readonly page: PageFacts
}

/** Filters for pages. A filter that is absent excludes nothing. */
export interface PageLineFilter {
  readonly namespaces?: ReadonlySet<number> | undefined
  readonly redirects?: 'in' | 'out' | 'only' | undefined
  /**
   * Called with those of the namespaces that pages are in, at least once for each.
   *
   * @internal
   */
  readonly onNamespace?: ((ns: number) => void) | undefined
  /**
   * Whether a page is wanted.
   *
   * @internal
   */
  readonly isWanted?: ((page: PageTraits) => boolean) | undefined
  /**
   * How many pages to write at most.
   *
   * @internal
   */
  readonly limit?: number | undefined
}

/** Which revisions are written. */
export interface RevisionLineFilter {
  /** Whether a revision is wanted. */
  readonly isWanted?: ((revision: PageRevisionTraits) => boolean) | undefined
  /** How many revisions to write at most. */
  readonly limit?: number | undefined
}

/** What was written. */
export interface PageLines {
  /** Complete lines in UTF-8. Keeping them retains up to 1 MiB. */
  readonly bytes: Uint8Array
  readonly pages: number
  /** Ids of the first page and the last one. */
  readonly firstPage: number
  readonly lastPage: number
  readonly redirects: number
  readonly revisions: number
  /** Revisions without a text although their size is not 0; and revisions whose size shows that the text is suppressed. */
  readonly missingTexts: number
  readonly suppressed: number
}

const NOTHING = { pages: 0, firstPage: 0, lastPage: 0, redirects: 0, revisions: 0, missingTexts: 0, suppressed: 0 }

/** Counts what is written. */
export class LineCounter {
  readonly #counts = { ...NOTHING }

  /** A line of a page, or of a revision of it; `isSame`: the page of the line before. */
  add(page: number, counts: WrittenCounts, isSame: boolean): void {
    const sums = this.#counts
    if (!isSame) {
      sums.pages++
      if (counts.isRedirect) sums.redirects++
    }
    if (sums.firstPage === 0) sums.firstPage = page
    sums.lastPage = page
    if (counts.hasRevision) sums.revisions++
    if (counts.isMissingText) sums.missingTexts++
    if (counts.isSuppressed) sums.suppressed++
  }

  /** The counts since the last time. */
  take(): Omit<PageLines, 'bytes'> {
    const counts = { ...this.#counts }
    Object.assign(this.#counts, NOTHING)
    return counts
  }
}
