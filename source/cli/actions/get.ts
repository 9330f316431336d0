// What `xylem get` does: finds one page of a dump.

import { stat } from 'node:fs/promises'
import { readDump } from '../../mediawiki/dump-reader.ts'
import { isSameDump, takeFingerprint } from '../../mediawiki/fingerprint.ts'
import type { IndexEntry, IndexHead } from '../../mediawiki/index-format.ts'
import { readIndex, readPageAt } from '../../mediawiki/multistream-index.ts'
import type { Page } from '../../mediawiki/page.ts'
import { HttpSource } from '../../stream/sources/http.ts'
import { FileSource } from '../../stream/sources/node.ts'
import type { GetOptions } from '../commands/get.ts'
import { defaultJobs } from '../dump-options.ts'
import { InputChanged, InputError, ToldAlready, UsageError } from '../errors.ts'
import { ExitCode } from '../exit-codes.ts'
import { formatJsonLine } from '../output/json-lines.ts'
import { writeOutput } from '../output/output.ts'
import { tell } from '../terminal.ts'

export async function printPage(dump: string, options: GetOptions, signal: AbortSignal): Promise<void> {
  const { title, id, text, output: path } = options
  if ((title === undefined) === (id === undefined)) throw new UsageError('select the page with either --title or --id')
  const page = await findPage(dump, options, signal)
  if (!page) {
    tell(`xylem: ${dump}: found no page with the ${title === undefined ? `id ${id}` : `title ${title}`}`)
    throw new ToldAlready(ExitCode.FAULTS)
  }
  const line = text ? `${page.revision?.text ?? ''}\n` : formatJsonLine(page)
  await writeOutput(path, isUrl(dump) ? undefined : dump, signal, (output) => output.write(line))
}

async function findPage(
  dump: string,
  { title, id, index, maxRetained }: GetOptions,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const isWanted = (page: { id: number; title: string }) =>
    title === undefined ? page.id === id : page.title === title
  const indexPath = index ?? (isUrl(dump) ? undefined : await findIndex(dump))
  if (indexPath === undefined && isUrl(dump))
    throw new UsageError('a dump at a URL can be read only with an index: use --index')
  if (indexPath !== undefined) {
    const source = open(dump, signal)
    const { entry, head } = await findEntry(indexPath, isWanted, signal)
    try {
      if (head && !isSameDump(head, await takeFingerprint(source))) throw makeMismatch(dump, indexPath)
      if (!entry) return undefined
      const page = await readPageAt(source, entry, { signal, limits: { maxRetained }, encoding: head?.encoding })
      if (page?.title !== entry.title) throw makeMismatch(dump, indexPath)
      if (source instanceof FileSource) await requireUnchanged(source)
      return page
    } catch (error) {
      throw error instanceof InputChanged ? error : new InputError(dump, error)
    }
  }
  const source = new FileSource(dump)
  try {
    const reader = readDump(source, { signal, threads: defaultJobs(), limits: { maxRetained } })
    for await (const page of reader.pages(isWanted)) {
      await requireUnchanged(source)
      return page
    }
    return undefined
  } catch (error) {
    throw new InputError(dump, error)
  }
}

/** Rejects where a file was written to since it was first read: each reading of it begins with a look at that. */
async function requireUnchanged(source: FileSource): Promise<void> {
  for await (const _ of source.from(0, 1));
}

async function findEntry(
  path: string,
  isWanted: (entry: IndexEntry) => boolean,
  signal: AbortSignal,
): Promise<{ entry?: IndexEntry; head?: IndexHead | undefined }> {
  let head: IndexHead | undefined
  const onHead = (said: IndexHead) => {
    head = said
  }
  try {
    for await (const entry of readIndex(open(path, signal), { onHead })) {
      signal.throwIfAborted()
      if (isWanted(entry)) return { entry, head }
    }
    return { head }
  } catch (error) {
    throw new InputError(path, error)
  }
}

function makeMismatch(dump: string, index: string): InputChanged {
  return new InputChanged(
    `${index} is not an index of ${dump}, or the dump has changed; create a new one with xylem index`,
  )
}

/** The index beside a dump; undefined when there is none. */
async function findIndex(dump: string): Promise<string | undefined> {
  const multistream = dump.replace(/-multistream(\d*)\.xml/, '-multistream-index$1.txt')
  const names = [`${dump}.index`, ...(multistream === dump ? [] : [multistream, multistream.replace(/\.bz2$/, '')])]
  for (const name of names) {
    const isThere = await stat(name).then(
      (status) => status.isFile(),
      () => false,
    )
    if (isThere) return name
  }
  return undefined
}

function open(name: string, signal: AbortSignal): FileSource | HttpSource {
  return isUrl(name) ? new HttpSource(name, { signal }) : new FileSource(name)
}

function isUrl(name: string): boolean {
  return /^https?:\/\//.test(name)
}
