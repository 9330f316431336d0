// What `xylem get` does: finds one page of a dump.

import { stat } from 'node:fs/promises'
import { type DumpReader, readDump } from '../../mediawiki/dump-reader.ts'
import { isSameDump, takeFingerprint } from '../../mediawiki/head/fingerprint.ts'
import type { IndexEntry, IndexHead } from '../../mediawiki/multistream/index-format.ts'
import { readIndex, readPageAt } from '../../mediawiki/multistream/multistream-index.ts'
import { mayDiffer, resolveTitle } from '../../mediawiki/names/wiki-names.ts'
import type { Page } from '../../mediawiki/shape/page.ts'
import { FileSource } from '../../stream/sources/node.ts'
import { formatJson } from '../../text/json.ts'
import { ExitCode, InputChanged, InputError, ReportedError, UsageError } from '../errors/errors.ts'
import { tellError } from '../errors/report.ts'
import { findInput, findInputs, type Input, type InputSource, openSeekable, pathsOf } from '../inputs/inputs.ts'
import { openCache, type ReadingOptions } from '../inputs/read-inputs.ts'
import type { GetOptions } from '../options/dump-options.ts'
import { requireFileName } from '../output/file-formats.ts'
import { writeOutput } from '../output/output.ts'
import { ProgressLine } from '../output/progress.ts'

/** Whether a page is the one that is wanted, or may be it: by a title in another form. */
type IsWanted = (page: { id: number; title: string }) => boolean | 'maybe'

export async function printPage(dumps: readonly string[], options: GetOptions, signal: AbortSignal): Promise<void> {
  const { title, id, index, text } = options
  if ((title === undefined) === (id === undefined)) throw new UsageError('select the page with either --title or --id')
  if (text) requireFileName(options.output, ['text'], 'get --text')
  else requireFileName(options.output, ['value', 'jsonl'], 'get')
  const inputs = await findInputs(dumps)
  if (index !== undefined && inputs.length > 1)
    throw new UsageError('--index is the index of one dump; without it, each dump is read with the index beside it')
  const given = index === undefined ? undefined : await findInput(index)
  let page: Page | undefined
  for (const input of inputs) {
    page = await findPage(input, given ?? (await findIndex(input)), options, signal)
    if (page) break
  }
  if (!page) {
    const names = inputs.map(({ name }) => name).join(', ')
    const { adviseOnLogs } = await import('../inputs/other-xml.ts')
    const wanted = title === undefined ? `id ${id}` : `title ${title}`
    tellError(`${names}: found no page with the ${wanted}${await adviseOnLogs(inputs, signal)}`, 'nothing-found')
    throw new ReportedError(ExitCode.FAULTS)
  }
  const line = text ? `${page.revision?.text ?? ''}\n` : `${formatJson(page)}\n`
  await writeOutput(options.output, pathsOf(given ? [...inputs, given] : inputs), signal, (output) =>
    output.write(line),
  )
}

async function findPage(
  dump: Input,
  index: Input | undefined,
  options: GetOptions,
  signal: AbortSignal,
): Promise<Page | undefined> {
  if (!index) return await searchPage(dump, options, signal)
  const why = 'with an index, a dump is read from the middle'
  const source = openSeekable(dump, why, signal)
  const beginning = readDump(openSeekable(dump, why, signal), { signal })
  const isWanted = await askFor(options, () => beginning)
  await beginning.close()
  const { entry, head } = await findEntry(index, isWanted, { jobs: options.jobs, signal })
  try {
    if (head && !isSameDump(head, await takeFingerprint(source))) throw makeMismatch(dump.name, index.name)
    if (!entry) return undefined
    const limits = { maxRetained: options.maxRetained, maxInput: options.maxInput }
    const page = await readPageAt(source, entry, { signal, limits, encoding: head?.encoding })
    if (page?.title !== entry.title) throw makeMismatch(dump.name, index.name)
    await requireUnchanged(source)
    return page
  } catch (error) {
    throw error instanceof InputChanged ? error : new InputError(dump.name, error)
  }
}

/** Which page is wanted. A title may be written in a way that only the description of the wiki explains; `open` opens the dump for that. */
async function askFor({ title, id }: GetOptions, open: () => DumpReader): Promise<IsWanted> {
  if (title === undefined) {
    return (page) => {
      if (page.id === undefined) throw new UsageError('a page of this dump has no id; use --title')
      return page.id === id
    }
  }
  const form = mayDiffer(title) ? await readTitle(title, open()) : title
  // No title has underscores: it need not be looked for.
  return (page) => page.title === title || (page.title === form && (title.includes('_') || 'maybe'))
}

/** A title as the wiki writes it; as it is if nothing is known of the wiki. */
async function readTitle(title: string, reader: DumpReader): Promise<string> {
  try {
    return resolveTitle(title, await reader.siteInfo)
  } catch {
    // Those who read the page report what is wrong with the dump.
    return title
  }
}

/** Reads a dump up to the page; to its end where the page that was found has the title in another form. */
async function searchPage(dump: Input, options: GetOptions, signal: AbortSignal): Promise<Page | undefined> {
  const { jobs, maxRetained, maxInput, quiet } = options
  const source = dump.open(signal)
  const progress = new ProgressLine(!quiet)
  let count = 0
  let other: Page | undefined
  try {
    const reader = readDump(source, { signal, threads: jobs, limits: { maxRetained, maxInput } })
    const isWanted = await askFor(options, () => reader)
    const pages = reader.pages((page) => {
      progress.update(source.progress, ++count)
      return isWanted(page) !== false
    })
    for await (const page of pages) {
      other ??= page
      if (isWanted(page) === 'maybe') continue
      other = page
      break
    }
    if (other) await requireUnchanged(source)
    return other
  } catch (error) {
    throw new InputError(dump.name, error)
  } finally {
    progress.clear()
  }
}

/** Rejects where a file was written to since it was first read: each reading of it begins with a look at that. */
async function requireUnchanged(source: InputSource): Promise<void> {
  if (!(source instanceof FileSource)) return
  for await (const _ of source.from(0, 1));
}

async function findEntry(
  index: Input,
  isWanted: IsWanted,
  options: ReadingOptions,
): Promise<{ entry?: IndexEntry; head?: IndexHead | undefined }> {
  let head: IndexHead | undefined
  let other: IndexEntry | undefined
  const onHead = (said: IndexHead) => {
    head = said
  }
  const cache = openCache(index, options)
  try {
    for await (const entry of readIndex(cache.cursor().chunks(), { onHead })) {
      options.signal.throwIfAborted()
      const found = isWanted(entry)
      if (found === true) return { entry, head }
      if (found) other ??= entry
    }
    return { ...(other && { entry: other }), head }
  } catch (error) {
    throw new InputError(index.name, error)
  } finally {
    await cache.cancel().catch(() => {})
  }
}

function makeMismatch(dump: string, index: string): InputChanged {
  return new InputChanged(
    `${index} is not an index of ${dump}, or the dump has changed; create a new one with xylem index`,
  )
}

/** The index beside a dump; undefined when there is none. */
async function findIndex({ path }: Input): Promise<Input | undefined> {
  if (path === undefined) return undefined
  const multistream = path.replace(/-multistream(\d*)\.xml/, '-multistream-index$1.txt')
  const names = [`${path}.index`, ...(multistream === path ? [] : [multistream, multistream.replace(/\.bz2$/, '')])]
  for (const name of names) {
    const isThere = await stat(name).then(
      (status) => status.isFile(),
      () => false,
    )
    if (isThere) return await findInput(name)
  }
  return undefined
}
