// Who did something.

import { OWN, wholeNumber } from './fields.ts'

/** What is read of `<contributor>`. */
export const CONTRIBUTOR = {
  of: 'contributor',
  oneOf: [
    {
      /** Present if the contributor is suppressed. */
      deleted: { path: '@deleted', as: 'present' },
    },
    {
      /** The address, if there was no account. */
      ip: { path: 'ip', ...OWN },
    },
    {
      /** The name of the account. May be empty, with the id 0, for imported revisions. */
      username: { path: 'username', ...OWN },
      /** The account's id; 0 for imported and system users. */
      id: { path: 'id', ...wholeNumber('the id of a contributor') },
    },
  ],
} as const

/** An account, an IP address, or a suppressed user. Imported revisions have the id 0, and can have an empty name. */
export type Contributor = { username: string; id?: number } | { ip: string } | { deleted: true }
