// What functions of users, and those who note what was found, see of pages and revisions: views, which decode a field when it is read.

import type { Contributor } from '../shape/contributor.ts'

/** What functions see of a revision: a view, which decodes a field when it is read, and is valid as long as the function runs. */
export interface RevisionTraits {
  readonly timestamp?: string | undefined
  readonly model?: string | undefined
  readonly minor?: true | undefined
  readonly contributor?: Contributor | undefined
}

/** What functions see of a page: a view, as of a revision. */
export interface PageTraits {
  readonly id: number
  readonly ns?: number | undefined
  readonly title: string
  readonly redirect?: string | undefined
  readonly revision?: RevisionTraits | undefined
}

/** What functions see of a revision with its page. */
export interface PageRevisionTraits extends RevisionTraits {
  readonly page: Omit<PageTraits, 'revision'>
}

/** The names of the fields of a page, and of a revision. */
export const TRAITS = [
  ['id', 'ns', 'title', 'redirect'],
  ['timestamp', 'model', 'minor', 'contributor'],
] as const
