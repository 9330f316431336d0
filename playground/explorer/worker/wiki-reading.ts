// A dump of a wiki: where its pages are, and any page by its place.

import { type Contributor, type DumpReader, type Page, readDump, readPageAt, type SiteInfo } from 'xylem/mediawiki'
import type { Article } from '../protocol.ts'
import type { Gate } from './gate.ts'
import type { Input, InputFacts, OpenInput } from './input.ts'
import type { PageTable } from './page-table.ts'

/** The bzip2 blocks in which pages that come may still begin. */
export class BlockList {
  #bits: number[] = []
  #offsets: number[] = []
  #first = 0

  /** A block begins at a bit of the input; its content has an offset in the dump. */
  add(bit: number, offset: number): void {
    this.#bits.push(bit)
    this.#offsets.push(offset)
  }

  /** Where a page is that begins at an offset in the dump. Offsets must not decrease. */
  placeOf(offset: number): { readonly at: number; readonly skip: number } {
    while ((this.#offsets[this.#first + 1] ?? Number.POSITIVE_INFINITY) <= offset) this.#first++
    const bit = this.#bits[this.#first]
    const place =
      bit === undefined ? { at: offset, skip: 0 } : { at: bit, skip: offset - (this.#offsets[this.#first] as number) }
    if (this.#first > 1000) this.#forget()
    return place
  }

  #forget(): void {
    this.#bits = this.#bits.slice(this.#first)
    this.#offsets = this.#offsets.slice(this.#first)
    this.#first = 0
  }
}

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
    for await (const batch of reader.placeBatches()) {
      for (const { id, ns = 0, title, redirect, start } of batch) {
        table.add({ id, ns, title, isRedirect: redirect !== undefined, ...blocks.placeOf(start) })
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
    ['Redirect to', redirect],
    ['Revision', revision && String(revision.id)],
    ['Saved', revision?.timestamp?.replace('T', ' ').replace('Z', ' UTC')],
    ['By', contributor && nameOf(contributor)],
    ['Comment', revision?.comment],
    ['Model', revision?.model],
    ['Format', revision?.format],
    ['Size', revision?.bytes === undefined ? undefined : `${revision.bytes} bytes`],
  ]
  const text = revision?.text
  return {
    title,
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
