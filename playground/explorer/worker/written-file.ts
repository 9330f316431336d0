// Records and pages as files that are saved: byte for byte what the command line writes, for which what is absent is null.

import { readDump } from 'xylem/mediawiki'
import { readXml } from 'xylem/xml/streaming'
import type { ExplorerRequest } from '../protocol.ts'
import { toPath, toShape } from './document/record-rows.ts'
import type { OpenInput } from './input.ts'

export type DownloadRequest = Extract<ExplorerRequest, { type: 'download' }>

/** The records of a shape, or without one the pages that a filter lets through. Releases the cursor at the end. */
export async function* writeFile(
  { cursor }: OpenInput,
  { shape, filter: { namespaces, redirects, title }, format, isSafe }: Omit<DownloadRequest, 'type' | 'download'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const wanted = title.toLowerCase()
  try {
    if (shape) yield* readXml(cursor).write(format, toPath(shape), toShape(shape), { absent: 'null', safe: isSafe })
    else
      yield* readDump(cursor.chunks()).writePages(format, {
        ...(namespaces && { namespaces: new Set(namespaces) }),
        redirects: ({ all: 'in', only: 'only', none: 'out' } as const)[redirects],
        ...(wanted !== '' && { isWanted: (page) => page.title.toLowerCase().includes(wanted) }),
        safe: isSafe,
      })
  } finally {
    cursor.release()
  }
}
