// Entries of the wiki's logs, which dumps named `pages-logging` have.

import type { CompactRecord } from '../../xml/question/shape.ts'
import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { OWN, wholeNumber } from './fields.ts'

/** What is read of `<logitem>`. */
export const LOG_ITEM = {
  /** The id of the entry, unique in the wiki. */
  id: { path: 'id', required: true, ...wholeNumber('the id of a log item') },
  /** ISO 8601, in UTC, such as 2026-01-02T03:04:05Z. */
  timestamp: { path: 'timestamp', ...OWN },
  /** Who did it. */
  contributor: CONTRIBUTOR,
  /** Absent if there is none, or if it is suppressed. */
  comment: { path: 'comment', ...OWN, unless: '@deleted' },
  /** The log: `move`, `block`, … */
  type: { path: 'type', ...OWN },
  /** What was done, in the words of the log. */
  action: { path: 'action', ...OWN },
  /** The page that it was done to. */
  title: { path: 'logtitle', ...OWN },
  /** The parameters of the action: serialised by PHP, or one value on each line. */
  params: { path: 'params', ...OWN },
  /** Present if title and params are suppressed. */
  deleted: { path: 'text/@deleted', as: 'present' },
  /** Elements that no version of the schema has. */
  other: { as: 'rest' },
} as const

/** A logged action, such as a move or a block. Fields that the dump does not have are absent. */
export interface LogItem extends CompactRecord<typeof LOG_ITEM> {
  contributor?: Contributor
}
