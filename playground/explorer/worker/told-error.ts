// Errors as a person is told of them: what happened, what it means, and what to do.

import { CompressionError } from 'xylem/compression'
import { SourceError, XylemError } from 'xylem/stream'
import type { ToldError } from '../protocol.ts'
import { describeArchive, type FileKind } from './file-kind.ts'

interface Told {
  readonly title: string
  readonly advice: string
}

const DAMAGED = {
  title: 'The archive is damaged',
  advice: 'Download it again, or compare it with its published checksum.',
}
const BY_CODE: Readonly<Record<string, Told>> = {
  truncated: {
    title: 'The file ends too early',
    advice: 'A part of it is missing: perhaps a download broke off.',
  },
  'unexpected-end': {
    title: 'The document ends too early',
    advice: 'A part of it is missing: perhaps a download broke off.',
  },
  'malformed-page': {
    title: 'A page of this dump is not as MediaWiki writes it',
    advice: 'Was the dump made by another program, or changed?',
  },
  corrupt: DAMAGED,
  'trailing-data': DAMAGED,
  'unknown-encoding': { title: 'This encoding is not known', advice: 'Convert the file to UTF-8, and open it again.' },
  'source-changed': { title: 'The file has changed', advice: 'Open it again to read it as it is now.' },
  'module-unavailable': {
    title: 'A part of this page could not be loaded',
    advice: 'Is the server still there, and are you online? Then reload the page.',
  },
}

const BY_NAME: Readonly<Record<string, (name: string) => Told>> = {
  NotFoundError: (name) => ({
    title: 'There is no such file',
    advice: `${name} is a folder, or was moved, renamed or deleted after it was chosen. Choose a file.`,
  }),
  NotReadableError: (name) => ({
    title: 'The browser may not read this file',
    advice: `Perhaps you have no permission to read ${name}, or it was changed after it was chosen. Choose it again.`,
  }),
  LimitError: () => ({
    title: 'Something in this file is larger than this page allows',
    advice: 'The library and the command line have options for such files.',
  }),
}

/** `name`: of the file, or the address. `other`: what it is, if it is not XML. */
export function tellError(error: unknown, name: string, other?: FileKind): ToldError {
  const root = rootOf(error)
  const kind = kindOf(root, other)
  const { title, advice } = kind ?? explain(error, root, name)
  const known = [error, root].find((each) => each instanceof XylemError)
  const told = { title, advice, code: known?.code, message: root instanceof Error ? root.message : String(root) }
  // A place in a picture says nothing.
  if (kind && !kind.isText) return told
  const explanation = root instanceof XylemError ? explainInWords(root) : undefined
  // Where a source fails is no place in the file: it counts what was decompressed.
  if (!known || known instanceof SourceError) return { ...told, explanation }
  const { line, column, byteOffset, excerpt } = known as XylemError & { readonly excerpt?: string | undefined }
  return { ...told, explanation, line, column, byteOffset, excerpt }
}

/** What the file is, where the error says no more than that it is not XML. */
function kindOf(root: unknown, other: FileKind | undefined): FileKind | undefined {
  if (root instanceof CompressionError && root.code === 'unsupported') return describeArchive(root.format)
  return root instanceof XylemError && root.name === 'XmlError' ? other : undefined
}

/** What the library says, without the place and the rule of the specification, which stand beside it. */
function explainInWords({ message }: XylemError): string {
  const words = message
    .replace(/ \((?:line \d+, column \d+, )?byte \d+\)$/, '')
    .replace(/ \[[A-Z]+: [^\]]+\]$/, '')
    .replaceAll(/ opened at (\d+):(\d+)/g, ', opened at line $1, column $2,')
    .replace(/,$/, '')
  return /^[a-z]+ /.test(words) ? words[0]?.toUpperCase() + words.slice(1) : words
}

/** What is behind an error: a source that fails says why in its cause. */
function rootOf(error: unknown): unknown {
  let root = error
  while (root instanceof Error && root.name === 'SourceError' && root.cause !== undefined) root = root.cause
  return root
}

function explain(error: unknown, root: unknown, name: string): Told {
  for (const each of [error, root]) {
    const told = each instanceof XylemError ? BY_CODE[each.code] : undefined
    if (told) return told
  }
  if (!(root instanceof Error)) return UNKNOWN
  if (root.name === 'XmlError') return NOT_WELL_FORMED
  const byName =
    BY_NAME[root.name === 'NotAllowedError' || root.name === 'SecurityError' ? 'NotReadableError' : root.name]
  return byName?.(name) ?? explainAddress(root, name) ?? UNKNOWN
}

const UNKNOWN: Told = { title: 'Something went wrong', advice: 'Open it again, or try another file.' }

const NOT_WELL_FORMED: Told = {
  title: 'This XML is not well-formed',
  advice: 'Correct this place, or ask for the file where it was made.',
}

/** What has gone wrong between this page and a server; undefined if it is something else. */
function explainAddress(root: Error, name: string): Told | undefined {
  const { message, cause } = root
  const [, status] = /the server answers (\d+)/.exec(message) ?? []
  if (status === '404' || status === '410') {
    return { title: 'There is nothing at this address', advice: `Is ${name} spelled correctly?` }
  }
  if (status === '401' || status === '403') {
    return {
      title: 'The server refuses this address',
      advice: 'Download the file with your password, and drop it here.',
    }
  }
  if (status) return { title: `The server answers with an error (${status})`, advice: 'Try again later.' }
  if (/does not support ranges/.test(message)) {
    return {
      title: 'The server does not give parts of this file',
      advice: 'Its pages can be listed, but not be opened one by one. Download the file, and drop it here.',
    }
  }
  if (/cannot be resumed|after \d+ retries/.test(message)) {
    return { title: 'The connection broke off', advice: 'Open the address again.' }
  }
  const isFetch = [message, cause instanceof Error ? cause.message : ''].some((text) =>
    /failed to fetch|networkerror|load failed|network error/i.test(text),
  )
  if (!isFetch) return undefined
  return {
    title: 'The address cannot be read',
    advice: `There is no server, the connection broke off, or the server does not let other pages read ${name} (it does with the header Access-Control-Allow-Origin). Download the file, and drop it here.`,
  }
}
