// Dumps in other encodings than UTF-8, plain and compressed: pages, ranges, indexes and single pages are what Python reads of the same file.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../source/mediawiki/shape/page.ts'
import { run } from '../support/command.ts'
import { findSharedData, fixturePath } from '../support/fixtures.ts'
import { findPython } from '../support/python.ts'

const script = fileURLToPath(new URL('../../scripts/compare/read-dump.py', import.meta.url))
const real = findSharedData('ltgwiki-pages-articles.xml.bz2')

/** How a dump in UTF-8 is encoded anew; what an encoding does not have becomes a character reference. */
const ENCODINGS = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-16': (text: string) => Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le'),
  'ISO-8859-1': (text: string) => {
    const escaped = text.replace(/[^\0-\xff]/gu, (character) => `&#${character.codePointAt(0)};`)
    return Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${escaped}`, 'latin1')
  },
}
const COMPRESSIONS = { plain: '', bzip2: '.bz2', gzip: '.gz' }
/** Milliseconds: a real dump is read many times. */
const PATIENCE = 300_000
const options = { encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, PYTHONIOENCODING: 'utf8' } } as const

interface PythonPage {
  id: number
  ns: number
  title: string
  revisions: { id: number; sha1: string }[]
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const parseLines = <Value>(text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Value)

/** What is compared of a page. */
function outline({ id, ns, title, revision }: Page) {
  const sha1 = createHash('sha1')
    .update(revision?.text ?? '')
    .digest('hex')
  return { id, ns, title, last: revision && { id: revision.id, sha1 } }
}

/** Compresses a file with Python, under another name. */
function compress(path: string, ending: string): string {
  if (ending === '') return path
  const module = ending === '.bz2' ? 'bz2' : 'gzip'
  const program = `import sys,${module}; ${module}.open(sys.argv[2],"wb").write(open(sys.argv[1],"rb").read())`
  execFileSync('python3', ['-c', program, path, path + ending])
  return path + ending
}

describe
  .runIf(findPython())
  .each([
    ['the fixture', () => readFileSync(fixturePath('mediawiki/small-dump.xml'), 'utf8'), 10],
    ...(real ? [['a real dump', () => execFileSync('bunzip2', ['-c', real], options), 5] as const] : []),
  ] as const)('%s', (name, read, gets) => {
  test.each(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[])(
    'is read in %s as Python reads it',
    async (encoding) => {
      const plain = join(folder, `${name.replaceAll(' ', '-')}-${encoding}.xml`)
      writeFileSync(plain, ENCODINGS[encoding](read()))
      for (const [compression, ending] of Object.entries(COMPRESSIONS)) {
        const file = compress(plain, ending)
        const read = parseLines<PythonPage>(execFileSync('python3', [script, file], options))
        const expected = read.map(({ revisions, ...page }) => ({ ...page, last: revisions.at(-1) }))
        const { code, stdout } = await run(['pages', file])
        const pages = parseLines<Page>(stdout)
        expect({ compression, code, pages: pages.map(outline) }).toEqual({ compression, code: 0, pages: expected })

        const parts = `${file}.parts`
        const size = String(Math.ceil(readFileSync(file).length / 7))
        expect(await run(['pages', file, '--resume', '--output', parts, '--range-size', size])).toMatchObject({
          code: 0,
        })
        const names = readdirSync(parts).filter((part) => part.startsWith('part-'))
        expect(names).toHaveLength(encoding === 'UTF-8' && ending !== '.gz' ? 7 : 1)
        const joined = names.sort().map((part) => readFileSync(join(parts, part), 'utf8'))
        expect(joined.join('') === stdout).toBe(true)

        const indexed = await run(['index', file])
        expect(indexed.code).toBe(ending === '.gz' ? 3 : 0)
        for (let i = 0; i < gets; i++) {
          const page = expected[Math.floor((i * expected.length) / gets)]
          const { stdout: line } = await run(['get', file, '--title', page?.title as string])
          expect(outline(JSON.parse(line) as Page)).toEqual(page)
        }
      }
    },
    PATIENCE,
  )
})
