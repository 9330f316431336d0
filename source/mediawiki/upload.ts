// Uploads: versions of files.

import type { XmlElement } from '../xml/element.ts'
import { type Contributor, makeContributor } from './contributor.ts'
import { dropUndefined, parseInteger, visibleText } from './fields.ts'

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

/** From `<upload>`. */
export function makeUpload(element: XmlElement): Upload {
  const contributor = element.child('contributor')
  const comment = element.child('comment')
  const contents = element.child('contents')
  return dropUndefined<Upload>({
    timestamp: element.childText('timestamp'),
    contributor: contributor && makeContributor(contributor),
    comment: comment && visibleText(comment),
    filename: element.childText('filename'),
    archivename: element.childText('archivename'),
    src: element.childText('src'),
    size: parseInteger('the size of a file', element.childText('size'), element),
    sha1: element.childText('sha1base36'),
    rel: element.childText('rel'),
    contents: contents?.text,
    encoding: contents?.attribute('encoding'),
  })
}
