// Who did something.

import { wholeNumber } from './fields.ts'

/** An account, an IP address, or a suppressed user. Imported revisions have the id 0, and can have an empty name. */
export type Contributor = { username: string; id?: number } | { ip: string } | { deleted: true }

/** What is read of `<contributor>`. */
export const CONTRIBUTOR = {
  of: 'contributor',
  oneOf: [
    { deleted: { path: '@deleted', as: 'present' } },
    { ip: { path: 'ip', own: true } },
    { username: { path: 'username', own: true }, id: { path: 'id', ...wholeNumber('the id of a contributor') } },
  ],
} as const
