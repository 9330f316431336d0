// Uploads: versions of files.

import type { CompactRecord } from '../../xml/question/shape.ts'
import { CONTRIBUTOR, type Contributor } from './contributor.ts'
import { OWN, wholeNumber } from './fields.ts'

/** What is read of `<upload>`. */
export const UPLOAD = {
  /** ISO 8601, in UTC. */
  timestamp: { path: 'timestamp', ...OWN },
  /** Who uploaded the file. */
  contributor: CONTRIBUTOR,
  /** Absent if there is none, or if it is suppressed. */
  comment: { path: 'comment', ...OWN, unless: '@deleted' },
  /** The name of the file. */
  filename: { path: 'filename', ...OWN },
  /** The name of the file in the archive, if it is not the newest version. */
  archivename: { path: 'archivename', ...OWN },
  /** The URL of the file. */
  src: { path: 'src', ...OWN },
  /** In bytes. */
  size: { path: 'size', ...wholeNumber('the size of a file') },
  /** SHA-1 of the content, in base 36. */
  sha1: { path: 'sha1base36', ...OWN },
  /** The path below the folder of all files. */
  rel: { path: 'rel', ...OWN },
  /** The file itself, in the encoding that `encoding` names. */
  contents: { path: 'contents', ...OWN },
  /** `base64`. */
  encoding: 'contents/@encoding',
} as const

/** One version of a file, in dumps that have them. */
export interface Upload extends CompactRecord<typeof UPLOAD> {
  contributor?: Contributor
}
