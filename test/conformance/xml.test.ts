// The W3C suite, from bytes: complete, and cut in small pieces. All cuts are in xml.long.ts.

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { LimitError } from '../../source/stream/errors.ts'
import { readXml, XmlError } from '../../source/xml/index.ts'
import { inPieces } from '../support/collect.ts'
import { isThorough, sample } from '../support/extent.ts'
import { readPieces } from '../support/xml.ts'
import { count, runTest, type TestResult } from './run-suite.ts'
import { type ConformanceTest, type Group, readSuite } from './suite.ts'

let suite: ConformanceTest[] = []
beforeAll(() => {
  suite = readSuite()
})

async function run(group: Group, reads: boolean): Promise<TestResult[]> {
  const results: TestResult[] = []
  const tests = suite.filter((other) => other.group === group)
  for (const one of sample(tests, 700)) results.push(await runTest(one, reads))
  return results
}

describe('the W3C suite', () => {
  test('has 2,585 tests', () => {
    expect(suite).toHaveLength(2585)
  })

  test('of XML 1.0, fifth edition, is passed without reading anything outside', async () => {
    const counts = count(await run('XML 1.0', false), false)
    expect(counts.wrong).toEqual([])
    if (isThorough) expect(counts).toMatchObject({ accepted: 933, rejected: 927, same: 262 })
  })

  test.runIf(isThorough)('of XML 1.0, fifth edition, is passed with the local external entities', async () => {
    const counts = count(await run('XML 1.0', true), true)
    expect(counts).toMatchObject({ accepted: 933, rejected: 927, mayRejected: 66, wrong: [] })
  })

  test('of Namespaces in XML 1.0 is passed', async () => {
    expect(count(await run('Namespaces 1.0', false), false)).toMatchObject({ accepted: 24, rejected: 24, wrong: [] })
  })

  test('of XML 1.1 is refused with a clear error, where the document says that it is XML 1.1', async () => {
    for (const { test: one, fault } of await run('XML 1.1', false)) {
      const isLabelled = /^(?:\ufeff)?<\?xml\s+version\s*=\s*["']1\.1["']/.test(readFileSync(one.file, 'latin1'))
      if (isLabelled) expect(fault, one.id).toBeInstanceOf(XmlError)
    }
  })

  test('never gives anything but an XmlError or a LimitError, and check agrees with events', async () => {
    for (const one of sample(suite, 250)) {
      const options = { namespaces: one.hasNamespaces }
      const bytes = readFileSync(one.file)
      const events = await runTest(one, false)
      const checked = await readXml([bytes], options)
        .check()
        .catch((error: Error) => error)
      if (events.fault)
        expect(events.fault instanceof XmlError || events.fault instanceof LimitError, one.id).toBe(true)
      expect(checked instanceof Error, one.id).toBe(events.fault !== undefined)
    }
  })

  test.each([1, 7])('gives the same in pieces of %i bytes', async (size) => {
    for (const one of sample(suite, 100)) {
      const bytes = new Uint8Array(readFileSync(one.file))
      if (bytes.length > 20_000) continue
      const options = { namespaces: one.hasNamespaces }
      const [whole, cut] = [await readPieces([bytes], options), await readPieces(inPieces(bytes, size), options)]
      expect(describeReading(cut), one.id).toEqual(describeReading(whole))
    }
  })
})

function describeReading({ events, places, error }: Awaited<ReturnType<typeof readPieces>>): object {
  const { message, code, byteOffset, line, column } = error ?? {}
  return { events, places, message, code, byteOffset, line, column }
}
