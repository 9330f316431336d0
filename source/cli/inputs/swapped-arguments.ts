// `xylem select feed.rss item`, where `xylem select item feed.rss` is meant.

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

async function isFile(name: string): Promise<boolean> {
  return stat(name).then(
    (status) => status.isFile(),
    () => false,
  )
}
