// Entries of the wiki's logs, which dumps named `pages-logging` have.

import type { XmlElementData } from '../../xml/tree/element.ts'
import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { wholeNumber } from './fields.ts'

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
  id: { path: 'id', required: true, ...wholeNumber('the id of a log item') },
  timestamp: 'timestamp',
  contributor: CONTRIBUTOR,
  comment: { path: 'comment', own: true, unless: '@deleted' },
  type: 'type',
  action: 'action',
  title: 'logtitle',
  params: 'params',
  deleted: { path: 'text/@deleted', as: 'present' },
  other: { as: 'rest' },
} as const
