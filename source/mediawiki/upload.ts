// Uploads: versions of files.

import type { XmlRecord } from '../xml/question/shape.ts'
import { CONTRIBUTOR, type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, parseInteger } from './fields.ts'

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
  start: { path: '.', as: 'offset' },
  timestamp: 'timestamp',
  contributor: { of: 'contributor', fields: CONTRIBUTOR },
  comment: { path: 'comment', own: true, unless: '@deleted' },
  filename: 'filename',
  archivename: 'archivename',
  src: 'src',
  size: 'size',
  sha1: 'sha1base36',
  rel: 'rel',
  contents: 'contents',
  encoding: 'contents/@encoding',
} as const

/** From what was read. */
export function makeUpload({ start = 0, contributor, size, ...texts }: XmlRecord<typeof UPLOAD>): Upload {
  return dropUndefined<Upload>({
    timestamp: texts.timestamp,
    contributor: makeContributor(contributor, { start }),
    comment: texts.comment,
    filename: texts.filename,
    archivename: texts.archivename,
    src: texts.src,
    size: parseInteger('the size of a file', size, { start }),
    sha1: texts.sha1,
    rel: texts.rel,
    contents: texts.contents,
    encoding: texts.encoding,
  })
}
