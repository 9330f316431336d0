// What the scanner of records says of where it has stopped; what it writes is compared with pages as objects in mediawiki/page-lines.test.ts.

import { expect, test } from 'vitest'
import { pagesModule } from '../../source/kernel/generated/pages.ts'
import { makeRecordScanner, type RecordScanner, ScanEnd } from '../../source/kernel/record-scanner.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const PAGE = '<page><title>t</title><id>1</id></page>'

function makeScanner(): RecordScanner {
  const scanner = makeRecordScanner(pagesModule)
  if (!scanner) throw new Error('this test needs WebAssembly')
  return scanner
}

test('a page that begins after the limit ends a scan, and what has not arrived does not', () => {
  const scanner = makeScanner()
  scanner.append(encode(`${PAGE}\n${PAGE}\n`))
  expect(scanner.scan(1)).toMatchObject({ reason: ScanEnd.OVER, count: 1, consumed: PAGE.length + 1 })
  expect(scanner.scan(Number.POSITIVE_INFINITY)).toMatchObject({ reason: ScanEnd.MORE, count: 1, lineFeeds: 0 })
  // Only a line feed is left; after it are the bytes that were there before.
  expect(scanner.length).toBe(1)
  expect(scanner.scan(0)).toMatchObject({ reason: ScanEnd.MORE, count: 0, consumed: 0 })
  scanner.release()
})

test('anything but pages, and anything but text, is left to others', () => {
  for (const text of ['</mediawiki>                              ', `<page>\u0001${' '.repeat(40)}`]) {
    const scanner = makeScanner()
    scanner.append(encode(PAGE + text))
    expect(scanner.scan(Number.POSITIVE_INFINITY)).toMatchObject({ reason: ScanEnd.UNUSUAL, count: 1 })
    scanner.release()
  }
})
