// Who did something.

import type { XmlElement } from '../xml/element.ts'
import { parseInteger } from './fields.ts'

/** An account, an IP address, or a suppressed user. Imported revisions have the id 0, and can have an empty name. */
export type Contributor = { username: string; id?: number } | { ip: string } | { deleted: true }

/** From `<contributor>`; undefined when it says nothing. */
export function makeContributor(element: XmlElement): Contributor | undefined {
  if (element.attributes.has('deleted')) return { deleted: true }
  const ip = element.child('ip')
  if (ip) return { ip: ip.ownText }
  const username = element.child('username')
  if (!username) return undefined
  const id = parseInteger('the id of a contributor', element.childText('id'), element)
  return id === undefined ? { username: username.ownText } : { username: username.ownText, id }
}
