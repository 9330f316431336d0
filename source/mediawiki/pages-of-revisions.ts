// The pages of revisions, each as its first revision found it.

import type { RecordValues } from '../record/value.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { PageFacts } from './shape/page.ts'

/** The first revision of a page: where the page begins, the revision's entry, and offsets at which it found the fields of the page, if those are known. */
interface FirstRevision {
  readonly start: number
  readonly revision: number
  origins?: readonly number[]
}

/** The pages of revisions, each as its first revision found it. */
export class PagesOfRevisions {
  readonly #onPage: ((record: RecordView, first: number) => void) | undefined
  /** The page of the last revision: where it begins, and its data; undefined if that is not valid. */
  #page: { readonly start: number; readonly facts: PageFacts | undefined } | undefined
  /** That of the page of the last line that the kernel has written completely. */
  #first: FirstRevision | undefined

  /** `onPage` is called with the entry of the first revision of a page before `factsOf` gives its data. */
  constructor(onPage?: (record: RecordView, first: number) => void) {
    this.#onPage = onPage
  }

  /** Whether the line of a revision has what the first revision of its page found of the page, and the page is valid. */
  isLikeFirst(record: RecordView): boolean {
    const start = record.startOf('page') as number
    const isFirst = this.#first?.start !== start
    if (isFirst && this.#page?.start === start) return false
    if (isFirst) this.#first = { start, revision: record.entry }
    else {
      const origins = this.#originsIn(record)
      if (record.originsOf('page').some((origin, i) => origin !== origins[i])) return false
    }
    // Another one may need the data of the page when the entry is not known any more.
    if (record.isLast) this.factsOf(record)
    return true
  }

  /** The data of the page of a revision. Undefined for a page that is not valid, which is reported at its first revision, and for a page without revisions. */
  factsOf(record: RecordView): PageFacts | undefined {
    if (record.isOuter) {
      // Its values are read for their errors.
      return record.values && undefined
    }
    const start = record.startOf('page') as number
    if (this.#page?.start === start) return this.#page.facts
    this.#page = { start, facts: undefined }
    const known = this.#first?.start === start ? this.#first : undefined
    if (known) this.#originsIn(record)
    const first = known?.revision ?? record.entry
    const facts = record.compact<PageFacts>(record.value('page', first) as RecordValues, 'page')
    this.#page = { start, facts }
    this.#onPage?.(record, first)
    return facts
  }

  /** Where the first revision found the fields of the page. Known after its entry is not: so they are asked for before. */
  #originsIn(record: RecordView): readonly number[] {
    const first = this.#first as FirstRevision
    first.origins ??= record.originsOf('page', first.revision)
    return first.origins
  }
}
