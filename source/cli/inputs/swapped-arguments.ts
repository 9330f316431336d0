// `xylem select feed.rss item`, where `xylem select item feed.rss` is meant, and `xylem select feed.rss`.

import { stat } from 'node:fs/promises'
import { UsageError } from '../errors/errors.ts'
import { quotePath, quoteWord } from '../terminal/quote-word.ts'

/** Throws the error of looking for the documents; a `UsageError` where the path is a file and the first document is none. */
export async function refuseSwapped(path: string, [first]: readonly string[], error: unknown): Promise<never> {
  if (first === undefined || !(await isFile(path)) || (await isFile(first))) throw error
  throw new UsageError(
    `no such file: ${first}; the path comes first, and ${path} is a file: xylem select ${quoteWord(first)} ${quotePath(path)}`,
  )
}

/** Throws a `UsageError` where the path is a file, and the path of elements was forgotten. Names without an ending may be both. */
export async function refuseFile(path: string, [first]: readonly string[]): Promise<void> {
  if (!/\.\w+$/.test(path) || !(await isFile(path)) || (first !== undefined && !(await isFile(first)))) return
  const otherwise = path.includes('/') ? '' : ` (elements of this name: //${path})`
  throw new UsageError(
    `${path} is a file, and the path of elements comes first: xylem select PATH ${quotePath(path)}${otherwise}`,
  )
}

async function isFile(name: string): Promise<boolean> {
  return stat(name).then(
    (status) => status.isFile(),
    () => false,
  )
}
