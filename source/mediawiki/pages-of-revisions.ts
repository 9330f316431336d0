// The pages of revisions, each as its first revision found it (`sharesAround`).

import type { RecordValues } from '../record/value.ts'
import type { RecordView } from '../xml/output/record-view.ts'
import type { PageFacts } from './shape/page.ts'

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
