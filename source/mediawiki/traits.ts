// What filters see of pages and revisions, read from a record that is written and not made as an object. What nobody looks at is not decoded.

import { makeContributor } from './contributor.ts'
import type { PageRevisionTraits, PageTraits } from './page-lines.ts'

/** A record whose texts are found by the names of its fields, as `RecordView` finds them. */
export interface FieldTexts {
  has(name: string): boolean
  /** Undefined if there is none. */
  text(name: string): string | undefined
}

/** With a prefix, the record is a revision of the page. */
export function pageTraits(record: FieldTexts, prefix = ''): PageTraits {
  const text = (name: string) => record.text(prefix + name)
  const page: PageTraits = {
    get id() {
      return Number(text('id'))
    },
    get ns() {
      const ns = text('ns')
      return ns === undefined || ns === '' ? undefined : Number(ns)
    },
    get title() {
      return text('title') as string
    },
    get redirect() {
      return text('redirect')
    },
    get revision() {
      return record.has('revision.id') ? revisionTraits(record, page, 'revision.') : undefined
    },
  }
  return page
}

/** With a prefix, the record is the page of the revision. */
export function revisionTraits(
  record: FieldTexts,
  page: PageRevisionTraits['page'] = pageTraits(record, 'page.'),
  prefix = '',
): PageRevisionTraits {
  const text = (name: string) => record.text(prefix + name)
  const has = (name: string) => record.has(prefix + name) || undefined
  return {
    page,
    get timestamp() {
      return text('timestamp')
    },
    get model() {
      return text('model')
    },
    get minor() {
      return has('minor')
    },
    get contributor() {
      const [ip, username, id] = ['ip', 'username', 'id'].map((name) => text(`contributor.${name}`))
      return makeContributor({ deleted: has('contributor.deleted'), ip, username, id }, { start: 0 })
    },
  }
}
