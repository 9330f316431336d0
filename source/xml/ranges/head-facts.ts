// By what a head is known again: the beginning of a document, which each of its ranges reads first.

import { SourceError } from '../../stream/errors.ts'
import { ParseError } from '../../text/parse-error.ts'
import type { HeadFacts } from './range.ts'

/** Bytes of UTF-8 that a head may have: it is kept while records are read. */
export const LARGEST_HEAD = 1024 * 1024
/** Bytes of the file in which such a head ends, in any compression: two blocks of bzip2, or twice its length. */
export const LARGEST_BEGINNING = 4 * 1024 * 1024

export type HeadBytes = Uint8Array<ArrayBuffer>

/** What is to be known of a head, to know it again. */
export async function describeHead(head: HeadBytes): Promise<HeadFacts> {
  return { length: head.length, digest: await digestOf(head) }
}

/** Throws a `SourceError` with the code `source-changed` where a head is not the one that is expected. `what`: how messages call the document, and where its head ends. */
export async function requireHead(
  head: HeadBytes | undefined,
  expected: HeadFacts,
  [noun, end]: readonly [noun: string, end: string],
): Promise<void> {
  const { length, digest } = head ? await describeHead(head) : { length: 0, digest: '' }
  if (length === expected.length && digest === expected.digest) return
  const message = `the ${noun} has changed: its first ${expected.length} bytes, up to ${end}, are not those of the plan`
  throw new SourceError('source-changed', message, 0, undefined)
}

/** Whether an error is about the content of a document, and not about reading it. */
export function isOfContent(error: unknown): boolean {
  return error instanceof ParseError || (error as Error).cause instanceof ParseError
}

/** SHA-256 in hexadecimal. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
