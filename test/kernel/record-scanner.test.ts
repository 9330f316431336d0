// What the scanner of records says of where it has stopped; what it writes is compared with pages as objects in mediawiki/page-lines.test.ts.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pagesModule } from '../../source/kernel/generated/pages.ts'
import { makeRecordScanner, type RecordScanner, ScanEnd } from '../../source/kernel/record-scanner.ts'
import { isThorough } from '../support/extent.ts'

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

test('lines are as many as are wanted, and what a filter refuses is none', () => {
  const asked: string[] = []
  const shown: number[] = []
  const scanner = makeRecordScanner(pagesModule, {
    isWanted: (fields) => {
      const id = new TextDecoder().decode(fields.bytesOf(1))
      asked.push(id)
      return id !== '2'
    },
    onLine: (line) => shown.push(line),
  })
  if (!scanner) throw new Error('this test needs WebAssembly')
  scanner.append(encode([1, 2, 3, 4].map((id) => `<page><title>t</title><id>${id}</id></page>`).join('')))
  const { reason, count, lines, firstId, lastId } = scanner.scan(Number.POSITIVE_INFINITY, 2)
  const text = new TextDecoder().decode(lines)
  expect({ reason, count, text, firstId, lastId }).toEqual({
    reason: ScanEnd.OVER,
    count: 2,
    text: '{"id":1,"title":"t"}\n{"id":3,"title":"t"}\n',
    firstId: 1,
    lastId: 3,
  })
  expect({ asked, shown }).toEqual({ asked: ['1', '2', '3'], shown: [0, 1] })
  scanner.release()
})

test('what a filter throws ends a scan after the lines before', () => {
  const scanner = makeRecordScanner(pagesModule, {
    isWanted: (fields) => {
      if (fields.has(2)) throw new Error('a namespace')
      return true
    },
  })
  if (!scanner) throw new Error('this test needs WebAssembly')
  scanner.append(encode(`${PAGE}<page><title>t</title><ns>0</ns><id>1</id></page>`))
  expect(scanner.scan(Number.POSITIVE_INFINITY)).toMatchObject({ reason: ScanEnd.FAILED, count: 1 })
  expect(scanner.error).toMatchObject({ message: 'a namespace' })
  scanner.release()
})

test.runIf(isThorough)('the embedded kernels are what is made of the shapes', { timeout: 60_000 }, () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const args = ['--import', 'tsx', 'scripts/generate-record-kernels.ts', '--check']
  expect(() => execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' })).not.toThrow()
})
