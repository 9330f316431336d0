// What xylem reads of dumps, and what Python's xml.etree and bz2 read.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Page, PageRevision } from '../../source/mediawiki/shape/page.ts'
import { run } from '../support/command.ts'
import { findSharedData, fixturePath } from '../support/fixtures.ts'
import { findPython } from '../support/python.ts'

const script = fileURLToPath(new URL('../../scripts/compare/read-dump.py', import.meta.url))
const real = findSharedData('ltgwiki-pages-articles.xml.bz2')
const fixtures = ['small-dump.xml', 'small-dump-multistream.xml.bz2']
const dumps = [
  ...fixtures.map((name) => [name, fixturePath(`mediawiki/${name}`)] as const),
  ...(real ? [['a real dump', real] as const] : []),
]

interface PythonPage {
  id: number
  ns: number
  title: string
  revisions: { id: number; sha1: string }[]
}

const parseLines = <Value>(text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Value)
const hash = (text = '') => createHash('sha1').update(text).digest('hex')

test.runIf(findPython()).each(dumps)(
  'the pages and revisions of %s are those that Python reads',
  async (_, dump) => {
    const options = { encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, PYTHONIOENCODING: 'utf8' } } as const
    const expected = parseLines<PythonPage>(execFileSync('python3', [script, dump], options))
    expect(expected.length).toBeGreaterThan(9)
    const pages = parseLines<Page>((await run(['pages', dump])).stdout)
    const outline = pages.map(({ id, ns, title, revision }) => {
      return { id, ns, title, last: revision && { id: revision.id, sha1: hash(revision.text) } }
    })
    expect(outline).toEqual(expected.map(({ revisions, ...page }) => ({ ...page, last: revisions.at(-1) })))
    const revisions = parseLines<PageRevision>((await run(['revisions', dump])).stdout)
    expect(revisions.map(({ page, id, text }) => ({ page: page.id, id, sha1: hash(text) }))).toEqual(
      expected.flatMap((page) => page.revisions.map((revision) => ({ page: page.id, ...revision }))),
    )
  },
  60_000,
)
