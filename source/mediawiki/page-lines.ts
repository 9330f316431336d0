// Pages and revisions as lines of JSON: which ones, and what is counted.

import type { OptionKinds } from '../stream/options.ts'
import type { LineChoice } from './chosen-fields.ts'
import type { Contributor } from './contributor.ts'
import type { Revision } from './revision.ts'

/** What filters look at of a revision. */
export interface RevisionTraits {
  readonly timestamp?: string | undefined
  readonly model?: string | undefined
  readonly minor?: true | undefined
  readonly contributor?: Contributor | undefined
}

/** What filters look at of a page. */
export interface PageTraits {
  readonly id: number
  readonly ns?: number | undefined
  readonly title: string
  readonly redirect?: string | undefined
  readonly revision?: RevisionTraits | undefined
}

/** What filters look at of a revision with its page. */
export interface PageRevisionTraits extends RevisionTraits {
  readonly page: Omit<PageTraits, 'revision'>
}

/** A revision whose line was written, for those who compare its text. It must not be kept. */
export interface WrittenContent extends Pick<Revision, 'id' | 'bytes' | 'sha1' | 'slots'> {
  readonly text?: string | undefined
  /** The text in UTF-8 where it was not decoded; undefined where it was, or there is none. */
  readonly utf8?: Uint8Array | undefined
}

/** Looks at the revisions whose lines are written. */
export interface RevisionObserver<Result = unknown> {
  /** Called while the revision is there, if a page has one. Its line may yet be taken back. */
  look(revision: WrittenContent | undefined): Result
  /** Called with what it gave, in the order of the lines, when the line stands. */
  keep(result: Result): void
}

/** Filters for pages. A filter that is absent excludes nothing. */
export interface PageLineFilter {
  /**
   * What to write of each record, by fields that can be chosen (`canChoose`); without it, all fields as JSON.
   *
   * @internal
   */
  readonly choice?: LineChoice | undefined
  readonly namespaces?: ReadonlySet<number> | undefined
  readonly redirects?: 'in' | 'out' | 'only' | undefined
  /**
   * Called with those of the namespaces that pages are in, at least once for each.
   *
   * @internal
   */
  readonly onNamespace?: ((ns: number) => void) | undefined
  /** Whether a page is wanted. */
  readonly isWanted?: ((page: PageTraits) => boolean) | undefined
  /**
   * Looks at the revision of each page that is written.
   *
   * @internal
   */
  readonly observer?: RevisionObserver | undefined
  /**
   * How many pages to write at most.
   *
   * @internal
   */
  readonly limit?: number | undefined
}

/** Which revisions are written. */
export interface RevisionLineFilter {
  /**
   * What to write of each record, by fields that can be chosen (`canChoose`); without it, all fields as JSON.
   *
   * @internal
   */
  readonly choice?: LineChoice | undefined
  /**
   * Looks at each revision that is written.
   *
   * @internal
   */
  readonly observer?: RevisionObserver | undefined
  /** Whether a revision is wanted. */
  readonly isWanted?: ((revision: PageRevisionTraits) => boolean) | undefined
  /** How many revisions to write at most. */
  readonly limit?: number | undefined
}

export const PAGE_LINE_FILTER: OptionKinds<PageLineFilter> = {
  choice: 'object',
  namespaces: 'object',
  redirects: ['in', 'out', 'only'],
  onNamespace: 'function',
  isWanted: 'function',
  observer: 'any',
  limit: 'any',
}
export const REVISION_LINE_FILTER: OptionKinds<RevisionLineFilter> = {
  choice: 'object',
  observer: 'any',
  isWanted: 'function',
  limit: 'any',
}

/** What was written. */
export interface PageLines {
  /** Complete lines in UTF-8. Keeping them retains up to 256 KiB. */
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
