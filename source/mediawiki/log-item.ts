// Entries of the wiki's logs, which dumps named `pages-logging` have.

import type { XmlRecord } from '../xml/question/shape.ts'
import type { XmlElementData } from '../xml/tree/element.ts'
import { CONTRIBUTOR, type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, requireInteger } from './fields.ts'

/** A logged action, such as a move or a block. Fields that the dump does not have are absent. */
export interface LogItem {
  id: number
  timestamp?: string
  contributor?: Contributor
  /** Absent when there is none, or it is suppressed. */
  comment?: string
  /** The log: `move`, `block`, … */
  type?: string
  action?: string
  /** The page that it was done to. */
  title?: string
  /** The parameters of the action: serialised by PHP, or one value on each line. */
  params?: string
  /** Present when title and params are suppressed. */
  deleted?: true
  /** Elements that are not in any schema. */
  other?: XmlElementData[]
}

/** What is read of `<logitem>`. */
export const LOG_ITEM = {
  id: 'id',
  timestamp: 'timestamp',
  contributor: { of: 'contributor', fields: CONTRIBUTOR },
  comment: { path: 'comment', own: true, unless: '@deleted' },
  type: 'type',
  action: 'action',
  title: 'logtitle',
  params: 'params',
  deleted: { path: 'text/@deleted', as: 'present' },
  other: { as: 'rest' },
} as const

/** From what was read. `place` is where it begins, for messages. */
export function makeLogItem(
  { id, contributor, ...values }: XmlRecord<typeof LOG_ITEM>,
  place: { start: number },
): LogItem {
  return dropUndefined<LogItem>({
    id: requireInteger('the id of a log item', id, place),
    timestamp: values.timestamp,
    contributor: makeContributor(contributor, place),
    comment: values.comment,
    type: values.type,
    action: values.action,
    title: values.title,
    params: values.params,
    deleted: values.deleted,
    other: values.other,
  })
}
