// What filters see of pages and revisions, read from a record that is written and not made as an object. What nobody looks at is not decoded.

import { utf8Length } from '../../text/utf8.ts'
import type { RecordView } from '../../xml/output/record-view.ts'
import type { Contributor } from '../shape/contributor.ts'

/** A hidden field of a revision: whether its text is suppressed. Filters by size ask for it. */
export const SUPPRESSION = '@deleted'

/** What filters look at of a revision. */
export interface RevisionTraits {
  readonly timestamp?: string | undefined
  readonly model?: string | undefined
  readonly minor?: true | undefined
  /**
   * Bytes of the text: as the dump says, otherwise counted. Undefined for a text that is suppressed, or missing without a size.
   *
   * @internal
   */
  readonly size?: number | undefined
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

/** The traits of the page around a revision that are read at all, for longer than its record is there. `entry`: that of the revision. */
export function keepTraits(record: RecordView, entry: number): PageRevisionTraits['page'] {
  const textOf = (name: string) => (record.reads('page', name) ? record.text(`page.${name}`, entry) : undefined)
  const [id, title, redirect] = ['id', 'title', 'redirect'].map(textOf)
  return { id: Number(id), ns: namespaceOf(textOf('ns')), title: title as string, redirect }
}

function sizeOf(text: string): number {
  return utf8Length(text, 0, text.length)
}

function namespaceOf(text: string | undefined): number | undefined {
  return !text?.trim() ? undefined : Number(text)
}

/** With a prefix, the record is a revision of the page. */
export class WrittenPage implements PageTraits {
  readonly #record: RecordView
  readonly #prefix: string

  constructor(record: RecordView, prefix = '') {
    this.#record = record
    this.#prefix = prefix
  }

  get id(): number {
    return this.#record.number(`${this.#prefix}id`) ?? Number.NaN
  }

  get ns(): number | undefined {
    return namespaceOf(this.#record.text(`${this.#prefix}ns`))
  }

  get title(): string {
    return this.#record.text(`${this.#prefix}title`) as string
  }

  get redirect(): string | undefined {
    return this.#record.text(`${this.#prefix}redirect`)
  }

  get revision(): RevisionTraits | undefined {
    return this.#record.has('revision') ? new WrittenRevision(this.#record, this, 'revision.') : undefined
  }
}

/** With a prefix, the record is the page of the revision. */
export class WrittenRevision implements PageRevisionTraits {
  readonly page: PageRevisionTraits['page']
  readonly #record: RecordView
  readonly #prefix: string

  constructor(record: RecordView, page: PageRevisionTraits['page'] = new WrittenPage(record, 'page.'), prefix = '') {
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

  get size(): number | undefined {
    const of = (name: string) => this.#prefix + name
    const text = this.#record.has(of('text')) ? () => this.#record.text(of('text')) ?? '' : undefined
    if (!text && this.#record.has(of(SUPPRESSION))) return undefined
    const bytes = this.#record.number(of('bytes')) ?? -1
    return bytes >= 0 ? bytes : text && sizeOf(text())
  }

  get contributor(): Contributor | undefined {
    const textOf = (name: string) => this.#record.text(`${this.#prefix}contributor.${name}`)
    if (this.#record.has(`${this.#prefix}contributor.deleted`)) return { deleted: true }
    const ip = textOf('ip')
    if (ip !== undefined) return { ip }
    const username = textOf('username')
    const id = Number(textOf('id') || Number.NaN)
    return username === undefined ? undefined : { username, ...(Number.isSafeInteger(id) && { id }) }
  }
}
