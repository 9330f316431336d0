// What filters look at of pages and revisions that a kernel has written. What nobody looks at is not decoded.

import type { Contributor } from './contributor.ts'
import type { PageRevisionTraits, PageTraits, RevisionTraits } from './page-lines.ts'

/** Where the texts of a written page and its revision are found, by the names of fields. */
export interface WrittenFields {
  /** Undefined if there is none. */
  textOf(of: 'page' | 'revision', name: string): string | undefined
  has(of: 'page' | 'revision', name: string): boolean
  readonly hasRevision: boolean
  readonly contributor: Contributor | undefined
}

export class WrittenPage implements PageTraits {
  readonly #fields: WrittenFields
  readonly #revision: WrittenRevision

  constructor(fields: WrittenFields) {
    this.#fields = fields
    this.#revision = new WrittenRevision(fields)
  }

  get id(): number {
    return Number(this.#fields.textOf('page', 'id'))
  }

  get ns(): number | undefined {
    const text = this.#fields.textOf('page', 'ns')
    return text === undefined || text === '' ? undefined : Number(text)
  }

  get title(): string {
    return this.#fields.textOf('page', 'title') as string
  }

  get redirect(): string | undefined {
    return this.#fields.textOf('page', 'redirect')
  }

  get revision(): RevisionTraits | undefined {
    return this.#fields.hasRevision ? this.#revision : undefined
  }
}

/** The same of a revision. */
class WrittenRevision implements RevisionTraits {
  readonly #fields: WrittenFields

  constructor(fields: WrittenFields) {
    this.#fields = fields
  }

  get timestamp(): string | undefined {
    return this.#fields.textOf('revision', 'timestamp')
  }

  get model(): string | undefined {
    return this.#fields.textOf('revision', 'model')
  }

  get minor(): true | undefined {
    return this.#fields.has('revision', 'minor') ? true : undefined
  }

  get contributor(): Contributor | undefined {
    return this.#fields.contributor
  }
}

/** The same of a revision with its page. */
export class WrittenPageRevision extends WrittenRevision implements PageRevisionTraits {
  readonly page: PageRevisionTraits['page']

  constructor(fields: WrittenFields, page: PageRevisionTraits['page']) {
    super(fields)
    this.page = page
  }
}
