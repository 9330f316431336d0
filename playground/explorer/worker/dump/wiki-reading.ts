// A dump of a wiki: where its pages are, and any page by its place.

import {
  type BlockList,
  type Contributor,
  type DumpReader,
  type Page,
  readDump,
  readPageAt,
  type SiteInfo,
} from 'xylem/mediawiki'
import { countOf } from '../../../shell/numbers.ts'
import type { Article } from '../../protocol.ts'
import type { Gate } from '../gate.ts'
import type { Input, InputFacts, OpenInput } from '../input.ts'
import type { PageTable } from './page-table.ts'

/** What is told of a dump, apart from its pages. */
export interface WikiEvents {
  /** Before anything is read. */
  onReader(reader: DumpReader): void
  onSite(site: SiteInfo): void
  /** After each batch of pages. */
  onPages(): void
}

/** Puts the pages of a dump into a table, in their order. Throws what `readDump` throws, after the pages before. */
export async function readPages(
  { cursor }: OpenInput,
  blocks: BlockList,
  table: PageTable,
  gate: Gate,
  events: WikiEvents,
): Promise<void> {
  const reader = readDump(cursor.chunks())
  events.onReader(reader)
  try {
    events.onSite(await reader.siteInfo)
    for await (const batch of reader.places().batches()) {
      for (const { id, ns = 0, title, redirect, start } of batch) {
        const { offset, bit, skip = 0 } = blocks.placeOf(start)
        const at = bit === undefined ? offset : offset * 8 + bit
        table.add({ id, ns, title, isRedirect: redirect !== undefined, at, skip })
      }
      events.onPages()
      await gate.passed()
    }
  } finally {
    await reader.close()
    cursor.release()
  }
}

/** Why a page of an input cannot be opened without reading everything before it; undefined if it can. */
export function whyNoPages({ compression, isUtf8 }: InputFacts): string | undefined {
  if (compression === 'gzip' || compression === 'zstd') {
    return `${compression} can only be read from its beginning. To open single pages, decompress the dump, or take the bzip2 file.`
  }
  return isUtf8 ? undefined : 'This dump is not in UTF-8. Its pages are listed, but cannot be opened one by one.'
}

/** Opens the page of a table. Undefined if it is not there any more. Reads only the part of the input in which it is. */
export async function openArticle(
  input: Input,
  { compression }: InputFacts,
  table: PageTable,
  index: number,
  namespaces: ReadonlyMap<number, string>,
  signal: AbortSignal,
): Promise<Article | undefined> {
  const { at, skip } = table.placeOf(index)
  const entry = { id: table.idOf(index), title: table.titles.at(index) ?? '' }
  const place = compression === 'bzip2' ? { offset: Math.floor(at / 8), bit: at % 8, skip } : { offset: at }
  const page = await readPageAt(input.seekable, { ...entry, ...place }, { signal })
  return page && describe(page, namespaces)
}

function describe({ id, ns = 0, title, redirect, revision }: Page, namespaces: ReadonlyMap<number, string>): Article {
  const { contributor } = revision ?? {}
  const facts: [name: string, value: string | undefined][] = [
    ['Page', String(id)],
    ['Namespace', `${namespaces.get(ns) || (ns === 0 ? 'articles' : 'unnamed')} (${ns})`],
    ['Revision', revision && String(revision.id)],
    ['Saved', revision?.timestamp?.replace('T', ' ').replace('Z', ' UTC')],
    ['By', contributor && nameOf(contributor)],
    ['Comment', revision?.comment],
    ['Model', revision?.model],
    ['Format', revision?.format],
    ['Size', revision?.bytes === undefined ? undefined : countOf(revision.bytes, 'byte')],
  ]
  const text = revision?.text
  return {
    title,
    redirect: redirect || undefined,
    text: text ?? '',
    whyNoText:
      text !== undefined
        ? undefined
        : revision
          ? 'The text of this revision is not in the dump.'
          : 'The dump has no revision of this page.',
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== ''),
  }
}

function nameOf(contributor: Contributor): string {
  if ('username' in contributor) return contributor.username
  return 'ip' in contributor ? contributor.ip : 'hidden'
}
