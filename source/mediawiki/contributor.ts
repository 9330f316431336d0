// Who did something.

import type { XmlRecord } from '../xml/question/shape.ts'
import { parseInteger } from './fields.ts'

/** An account, an IP address, or a suppressed user. Imported revisions have the id 0, and can have an empty name. */
export type Contributor = { username: string; id?: number } | { ip: string } | { deleted: true }

/** What is read of `<contributor>`. */
export const CONTRIBUTOR = {
  deleted: { path: '@deleted', as: 'present' },
  ip: { path: 'ip', own: true },
  username: { path: 'username', own: true },
  id: 'id',
} as const

/** From what was read; undefined when it says nothing. `place` is that of what the contributor did, for messages. */
export function makeContributor(
  values: XmlRecord<typeof CONTRIBUTOR> | undefined,
  place: { start: number },
): Contributor | undefined {
  if (!values) return undefined
  const { deleted, ip, username } = values
  if (deleted) return { deleted }
  if (ip !== undefined) return { ip }
  if (username === undefined) return undefined
  const id = parseInteger('the id of a contributor', values.id, place)
  return id === undefined ? { username } : { username, id }
}
