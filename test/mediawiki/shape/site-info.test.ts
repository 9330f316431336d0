import { describe, expect, test } from 'vitest'
import { readDump } from '../../../source/mediawiki/dump-reader.ts'
import { everyCut } from '../../support/collect.ts'
import { readFixture } from '../../support/fixtures.ts'

const dump = readFixture('mediawiki/small-dump.xml')

describe('what a dump says of its wiki', () => {
  test('is known before its pages are read, however it arrives', async () => {
    const head = dump.subarray(0, 2500)
    for (const chunks of everyCut(head)) {
      const reader = readDump(chunks)
      expect(await reader.siteInfo).toEqual({
        version: '0.11',
        language: 'en',
        siteName: 'Xylem & Phloem',
        dbName: 'xylemwiki',
        base: 'https://wiki.example.org/wiki/Main_Page',
        generator: 'MediaWiki 1.46.0-wmf.12',
        case: 'first-letter',
        namespaces: [
          { key: -1, name: 'Special', case: 'first-letter' },
          { key: 0, name: '', case: 'first-letter' },
          { key: 1, name: 'Talk', case: 'first-letter' },
          { key: 6, name: 'File', case: 'first-letter' },
          { key: 8, name: 'MediaWiki', case: 'first-letter' },
          { key: 10, name: 'Template', case: 'first-letter' },
          { key: 828, name: 'Module', case: 'first-letter' },
        ],
      })
      await reader.close()
    }
  })

  test('takes nothing from the pages, which are read from the first on', async () => {
    const reader = readDump(dump)
    await reader.siteInfo
    expect(await reader.siteInfo).toBe(await reader.siteInfo)
    let count = 0
    for await (const _ of reader.pages()) count++
    expect(count).toBe(10)
    expect((await reader.siteInfo).dbName).toBe('xylemwiki')
  })

  test('may be nothing', async () => {
    for (const text of ['<mediawiki/>', '<mediawiki><page><title>x</title><id>1</id></page></mediawiki>']) {
      const reader = readDump(text)
      expect(await reader.siteInfo).toEqual({ namespaces: [] })
      await reader.close()
    }
  })

  test('is an error where there is no dump, or it is asked for too late', async () => {
    await expect(readDump('{}').siteInfo).rejects.toThrow('not a MediaWiki dump')
    const reader = readDump(dump)
    for await (const _ of reader.pages()) break
    await expect(reader.siteInfo).rejects.toMatchObject({ code: 'dump-read' })
  })

  test('is an error where the number of a namespace is none, with its place, however it arrives', async () => {
    const text = `<mediawiki><siteinfo><namespaces><namespace key="0"/>\n<namespace key="x">Talk</namespace></namespaces></siteinfo><page/></mediawiki>`
    const message = 'the key of a namespace is not a whole number: "x" (line 2, column 1, byte 54)'
    for (const chunks of everyCut(new TextEncoder().encode(text))) {
      await expect(readDump(chunks).siteInfo).rejects.toMatchObject({ code: 'malformed-page', message })
    }
  })

  test('has the number 0 for a namespace without one', async () => {
    const reader = readDump(
      '<mediawiki><siteinfo><namespaces><namespace>Main</namespace></namespaces></siteinfo></mediawiki>',
    )
    expect(await reader.siteInfo).toEqual({ namespaces: [{ key: 0, name: 'Main' }] })
    await reader.close()
  })

  test('closes the source when it was all that was wanted', async () => {
    let isClosed = false
    async function* source() {
      try {
        yield dump
        for (;;) yield ' '
      } finally {
        isClosed = true
      }
    }
    const reader = readDump(source())
    expect((await reader.siteInfo).namespaces).toHaveLength(7)
    await reader.close()
    expect(isClosed).toBe(true)
  })
})
