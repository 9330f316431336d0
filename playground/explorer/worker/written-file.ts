// Records and pages as files that are saved: byte for byte what the command line writes, for which what is absent is null.

import { readDump } from 'xylem/mediawiki'
import { readXml } from 'xylem/xml/streaming'
import type { ExplorerRequest } from '../protocol.ts'
import { toPath, toShape } from './document/record-reading.ts'
import type { OpenInput } from './input.ts'

export type DownloadRequest = Extract<ExplorerRequest, { type: 'download' }>

/** The records of a shape, or the pages that a filter lets through. Releases the cursor at the end. */
export async function* writeFile(
  { cursor }: OpenInput,
  { wanted, format, isSafe: safe }: Omit<DownloadRequest, 'type' | 'download'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if ('record' in wanted) {
      yield* readXml(cursor).write(format, toPath(wanted), toShape(wanted), {
        absent: 'null',
        safe: format === 'csv' && safe,
      })
      return
    }
    const { namespaces, redirects } = wanted
    const title = wanted.title.toLowerCase()
    yield* readDump(cursor.chunks()).writePages(format, {
      ...(namespaces && { namespaces: new Set(namespaces) }),
      redirects: ({ all: 'in', only: 'only', none: 'out' } as const)[redirects],
      ...(title !== '' && { isWanted: (page) => page.title.toLowerCase().includes(title) }),
      safe: format === 'csv' && safe,
    })
  } finally {
    cursor.release()
  }
}
