// What other programs say of documents: xmllint (libxml2) and xmlwf (expat), where they are installed.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).error === undefined
}

/** What a program says of a document. */
export interface Verdict {
  readonly isRefused: boolean
  /** Its canonical form, of one that is not refused, where the program gives it. */
  readonly canonical: string | undefined
  /** The first thing that it says is wrong. */
  readonly message: string | undefined
}

/** With namespaces. */
export function byXmllint(documents: readonly string[]): Verdict[] {
  return inFiles(documents, (files) => {
    const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...files], { maxBuffer: 2 ** 28, encoding: 'utf8' })
    const messages = firstMessages(stderr, /^(.*\.xml):\d+: ((?:parser|namespace) error : .*)$/gm)
    return files.map((file) => {
      return { isRefused: messages.has(file), canonical: undefined, message: messages.get(file) }
    })
  })
}

/** Without namespaces. */
export function byXmlwf(documents: readonly string[]): Verdict[] {
  return inFiles(documents, (files, folder) => {
    const output = join(folder, 'canonical')
    mkdirSync(output)
    const { stdout } = spawnSync('xmlwf', ['-k', '-d', output, ...files], { maxBuffer: 2 ** 28, encoding: 'utf8' })
    const messages = firstMessages(stdout, /^(.*\.xml):\d+:\d+: (.*)$/gm)
    return files.map((file) => {
      const message = messages.get(file)
      const written = join(output, file.slice(folder.length + 1))
      const isThere = message === undefined && existsSync(written)
      return {
        isRefused: message !== undefined,
        canonical: isThere ? readFileSync(written, 'utf8') : undefined,
        message,
      }
    })
  })
}

function firstMessages(text: string, pattern: RegExp): Map<string, string> {
  const messages = new Map<string, string>()
  for (const [, file = '', message = ''] of text.matchAll(pattern)) {
    if (!messages.has(file)) messages.set(file, message)
  }
  return messages
}

function inFiles<Result>(documents: readonly string[], use: (files: string[], folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-mutants-'))
  try {
    const files = documents.map((document, i) => {
      const file = join(folder, `${i}.xml`)
      writeFileSync(file, document)
      return file
    })
    return use(files, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
