// Entries of the wiki's logs, which dumps named `pages-logging` have.

import type { XmlElement, XmlElementData } from '../xml/element.ts'
import { type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, requireInteger, visibleText } from './fields.ts'

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

const KNOWN = new Set(['id', 'timestamp', 'contributor', 'comment', 'type', 'action', 'logtitle', 'params', 'text'])

/** From `<logitem>`. */
export function makeLogItem(element: XmlElement): LogItem {
  const contributor = element.child('contributor')
  const comment = element.child('comment')
  const others = element.childElements.filter((child) => !KNOWN.has(child.name))
  return dropUndefined<LogItem>({
    id: requireInteger('the id of a log item', element.childText('id'), element),
    timestamp: element.childText('timestamp'),
    contributor: contributor && makeContributor(contributor),
    comment: comment && visibleText(comment),
    type: element.childText('type'),
    action: element.childText('action'),
    title: element.childText('logtitle'),
    params: element.childText('params'),
    deleted: element.child('text')?.attributes.has('deleted') ? true : undefined,
    other: others.length > 0 ? others.map((other) => other.toJSON()) : undefined,
  })
}
