import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readXml } from '../../../source/xml/index.ts'
import { inferShape } from '../../../source/xml/infer/index.ts'
import type { XmlShape } from '../../../source/xml/question/shape.ts'
import { fixturePath } from '../../support/fixtures.ts'
import { contentOf, contentOfRecord, missingFrom, readInferred } from '../../support/inferred.ts'
import { compareShapes, differencesRow } from '../../support/shape-differences.ts'

const FORMATS = {
  posts: 'Stack Overflow, posts',
  osm: 'OpenStreetMap',
  pubmed: 'PubMed',
  dblp: 'DBLP',
  rss: 'RSS',
  sitemap: 'sitemap',
  junit: 'JUnit',
  gpx: 'GPX',
  kml: 'KML',
  mime: 'MIME types of freedesktop.org',
}

interface HandWritten {
  readonly paths: readonly string[]
  readonly prefixes: Readonly<Record<string, string>> | undefined
  readonly shape: XmlShape
}

/** The shape of a file, and what the command in its first line says. */
function readHandWritten(name: string): HandWritten {
  const text = readFileSync(fixturePath(`infer/${name}.json`), 'utf8')
  const words = (text.split('\n')[0] as string).replaceAll("'", '').split(' ').slice(3)
  const after = (option: string) => words.flatMap((word, i) => (words[i - 1] === option ? word : []))
  const prefixes = after('--prefix').map((word) => word.split(/=(.*)/) as [string, string])
  return {
    paths: [words[0] as string, ...after('--path')],
    prefixes: prefixes.length > 0 ? Object.fromEntries(prefixes) : undefined,
    shape: JSON.parse(text.replace(/(?<=^|[\s,])\/\/.*$/gm, '')) as XmlShape,
  }
}

/** Where the elements begin that paths match. */
async function startsOf(document: string, paths: readonly string[]): Promise<number[]> {
  const starts: number[] = []
  for await (const { start } of readXml(document).select(paths)) starts.push(start)
  return starts
}

/** The row of a format: what is inferred without any help, or of the elements that the hand-written shape is for, if others were found. */
async function rowOf(name: string, title: string): Promise<string> {
  const document = readFileSync(fixturePath(`infer/${name}.xml`), 'utf8')
  const { paths, shape } = readHandWritten(name)
  const found = await inferShape(document)
  const isSame = found && String(await startsOf(document, found.paths)) === String(await startsOf(document, paths))
  const inferred = isSame ? found : await inferShape(document, { each: paths })
  const records = isSame ? 'the same' : `others: ${found?.paths.map((path) => `\`${path}\``).join(', ')}`
  return differencesRow(title, records, compareShapes(shape, (inferred as { shape: XmlShape }).shape))
}

test('the documents say what inferred shapes of ten formats have, and what hand-written ones have', async () => {
  const rows: string[] = []
  for (const [name, title] of Object.entries(FORMATS)) rows.push(await rowOf(name, title))
  const docs = readFileSync(new URL('../../../docs/infer.md', import.meta.url), 'utf8')
  const table = docs
    .split('\n')
    .filter((line) => Object.values(FORMATS).some((title) => line.startsWith(`| ${title} |`)))
  expect(table).toEqual(rows)
})

describe.each(Object.keys(FORMATS))('the sample of %s', (name) => {
  const document = readFileSync(fixturePath(`infer/${name}.xml`), 'utf8')

  test('is read by the hand-written shape', async () => {
    const { paths, prefixes, shape } = readHandWritten(name)
    let count = 0
    for await (const _ of readXml(document).records(paths, shape, { prefixes })) count++
    expect(count).toBeGreaterThan(3)
  })

  test.each([Number.POSITIVE_INFINITY, 5000])(
    'is read without a loss by what was inferred of %d bytes',
    async (bytes) => {
      const read = await readInferred(document, { bytes, lenient: true })
      const { inferred, records } = read as NonNullable<typeof read>
      const elements: Map<string, number>[] = []
      const { parent } = inferred.source.nodes[0] as { parent: { path: string } }
      const names = new Set(inferred.source.nodes.map((node) => node.name))
      const known = (inferred.source.nodes[0]?.parent?.children ?? new Map()) as ReadonlyMap<string, unknown>
      for await (const element of readXml(document).select(`${parent.path}/*`)) {
        if (names.has(element.name) || !known.has(element.name)) elements.push(contentOf(element))
      }
      expect(records).toHaveLength(elements.length)
      for (const [i, content] of elements.entries())
        expect(missingFrom(content, contentOfRecord(records[i] ?? {}))).toEqual([])
    },
  )
})
