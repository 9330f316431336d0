// What filters see of pages and revisions, read from a record that is written and not made as an object. What nobody looks at is not decoded.

import { type Contributor, makeContributor } from './contributor.ts'
import type { PageRevisionTraits, PageTraits, RevisionTraits } from './page-lines.ts'

/** A record whose texts are found by the names of its fields, as `RecordView` finds them. */
export interface FieldTexts {
  has(name: string): boolean
  /** Undefined if there is none. */
  text(name: string): string | undefined
}

/** With a prefix, the record is a revision of the page. */
export class WrittenPage implements PageTraits {
  readonly #record: FieldTexts
  readonly #prefix: string

  constructor(record: FieldTexts, prefix = '') {
    this.#record = record
    this.#prefix = prefix
  }

  get id(): number {
    return Number(this.#record.text(`${this.#prefix}id`))
  }

  get ns(): number | undefined {
    const text = this.#record.text(`${this.#prefix}ns`)
    return text === undefined || text === '' ? undefined : Number(text)
  }

  get title(): string {
    return this.#record.text(`${this.#prefix}title`) as string
  }

  get redirect(): string | undefined {
    return this.#record.text(`${this.#prefix}redirect`)
  }

  get revision(): RevisionTraits | undefined {
    return this.#record.has('revision.id') ? new WrittenRevision(this.#record, this, 'revision.') : undefined
  }
}

/** With a prefix, the record is the page of the revision. */
export class WrittenRevision implements PageRevisionTraits {
  readonly page: PageRevisionTraits['page']
  readonly #record: FieldTexts
  readonly #prefix: string

  constructor(record: FieldTexts, page: PageRevisionTraits['page'] = new WrittenPage(record, 'page.'), prefix = '') {
    this.page = page
    this.#record = record
    this.#prefix = prefix
  }

  get timestamp(): string | undefined {
    return this.#record.text(`${this.#prefix}timestamp`)
  }

  get model(): string | undefined {
    return this.#record.text(`${this.#prefix}model`)
  }

  get minor(): true | undefined {
    return this.#record.has(`${this.#prefix}minor`) || undefined
  }

  get contributor(): Contributor | undefined {
    const [ip, username, id] = ['ip', 'username', 'id'].map((name) => {
      return this.#record.text(`${this.#prefix}contributor.${name}`)
    })
    const deleted = this.#record.has(`${this.#prefix}contributor.deleted`) || undefined
    return makeContributor({ deleted, ip, username, id }, { start: 0 })
  }
}
