// Cases as files: what failed once stands in fixtures/fuzz/, and is judged again by a test.

import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FuzzCase, Settings } from './target.ts'

const FOLDER = new URL('../../fixtures/fuzz/', import.meta.url)

/** The JSON of a case file. */
export interface CaseFile {
  readonly target: string
  /** What was wrong when it was found, and the seed and the number of the case. */
  readonly failure: string
  readonly found: string
  readonly settings: Settings
  /** Text where it is UTF-8 without control characters, otherwise base64. */
  readonly parts: readonly ({ readonly text: string } | { readonly base64: string })[]
}

/** Writes a case file, and gives its path. */
export async function saveCase(
  target: string,
  failure: string,
  found: string,
  { parts, settings }: FuzzCase,
): Promise<string> {
  const content: CaseFile = { target, failure, found, settings, parts: parts.map(encodePart) }
  const name = createHash('sha256')
    .update(JSON.stringify([settings, content.parts]))
    .digest('hex')
    .slice(0, 8)
  const path = new URL(`${target}-${name}.json`, FOLDER)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`)
  return fileURLToPath(path)
}

/** The case of a file. */
export function parseCase({ parts, settings }: Pick<CaseFile, 'parts' | 'settings'>): FuzzCase {
  return {
    settings,
    parts: parts.map((part) => {
      return new Uint8Array('text' in part ? Buffer.from(part.text) : Buffer.from(part.base64, 'base64'))
    }),
  }
}

function encodePart(bytes: Uint8Array): CaseFile['parts'][number] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!/(?![\t\r\n])\p{Cc}|\ufeff/u.test(text)) return { text }
  } catch {
    // Not UTF-8.
  }
  return { base64: Buffer.from(bytes).toString('base64') }
}
