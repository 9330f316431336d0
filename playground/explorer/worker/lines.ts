// Records and pages as lines of a file that is downloaded.

import { readDump } from 'xylem/mediawiki'
import { readXml } from 'xylem/xml/streaming'
import type { PageFilter, PickedShape } from '../protocol.ts'
import type { OpenInput } from './input.ts'
import { toPath, toShape } from './record-rows.ts'

/** The records of a shape. Releases the cursor at the end. */
export function recordLines(
  { cursor }: OpenInput,
  shape: PickedShape,
  format: 'jsonl' | 'csv',
): AsyncGenerator<Uint8Array, void, undefined> {
  return readXml(cursor).write(format, toPath(shape), toShape(shape))
}

/** The pages of a dump that a filter lets through, with their newest revision, as JSON lines. */
export async function* pageLines(
  { cursor }: OpenInput,
  { namespaces, redirects, title }: PageFilter,
): AsyncGenerator<Uint8Array, void, undefined> {
  const wanted = title.toLowerCase()
  const lines = readDump(cursor.chunks()).pageLines({
    ...(namespaces && { namespaces: new Set(namespaces) }),
    redirects: ({ all: 'in', only: 'only', none: 'out' } as const)[redirects],
    ...(wanted !== '' && { isWanted: (page) => page.title.toLowerCase().includes(wanted) }),
  })
  for await (const batch of lines.batches()) for (const { bytes } of batch) yield bytes
}
