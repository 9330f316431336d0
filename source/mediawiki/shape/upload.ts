// Uploads: versions of files.

import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { wholeNumber } from './fields.ts'

/** One version of a file, in dumps that have them. */
export interface Upload {
  timestamp?: string
  contributor?: Contributor
  /** Absent when there is none, or it is suppressed. */
  comment?: string
  filename?: string
  /** Its name in the archive, when it is not the newest one. */
  archivename?: string
  /** The URL of the file. */
  src?: string
  /** In bytes. */
  size?: number
  /** SHA-1 of its content, in base 36. */
  sha1?: string
  /** Where it is below the place of all files. */
  rel?: string
  /** The file itself, in the encoding that `encoding` says. */
  contents?: string
  /** `base64`. */
  encoding?: string
}

/** What is read of `<upload>`. */
export const UPLOAD = {
  timestamp: 'timestamp',
  contributor: CONTRIBUTOR,
  comment: { path: 'comment', own: true, unless: '@deleted' },
  filename: 'filename',
  archivename: 'archivename',
  src: 'src',
  size: { path: 'size', ...wholeNumber('the size of a file') },
  sha1: 'sha1base36',
  rel: 'rel',
  contents: 'contents',
  encoding: 'contents/@encoding',
} as const
