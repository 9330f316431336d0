// Runs the suite and counts.

import { readFileSync } from 'node:fs'
import { readXml, type XmlOptions } from '../../source/xml/index.ts'
import { canonicalForm, fromRoot } from './canonical-form.ts'
import { type ConformanceTest, makeResolver } from './suite.ts'

/** What a reading of a test gave. */
export interface TestResult {
  readonly test: ConformanceTest
  /** Undefined where the document was accepted. */
  readonly fault: Error | undefined
  /** Undefined where there is nothing to compare with. */
  readonly isSame: boolean | undefined
}

/** How a document is cut. */
export type Cut = (bytes: Uint8Array) => readonly Uint8Array[]

const whole: Cut = (bytes) => [bytes]

/** Reads a document by its events, and compares its canonical form. */
export async function runTest(test: ConformanceTest, reads: boolean, cut: Cut = whole): Promise<TestResult> {
  const pieces = cut(readFileSync(test.file))
  const options: XmlOptions = {
    namespaces: test.hasNamespaces,
    ...(reads && { resolve: makeResolver(test.file) }),
  }
  try {
    const form = await canonicalForm(readXml(pieces, options).events().batches())
    const isCompared = test.output !== undefined && (reads || !test.isExternal)
    const isSame = isCompared ? form === fromRoot(readFileSync(test.output as string, 'utf8')) : undefined
    return { test, fault: undefined, isSame }
  } catch (error) {
    return { test, fault: error as Error, isSame: test.output === undefined ? undefined : false }
  }
}

/** Counts by verdict, with the ids of those that are wrong. */
export interface Counts {
  readonly accepted: number
  readonly rejected: number
  readonly mayRejected: number
  readonly same: number
  readonly wrong: readonly string[]
}

/** `reads`: whether external entities were read, so that those tests must be rejected that may be. */
export function count(results: readonly TestResult[], reads: boolean): Counts {
  const wrong: string[] = []
  const counts = { accepted: 0, rejected: 0, mayRejected: 0, same: 0 }
  for (const { test, fault, isSame } of results) {
    const { id, verdict } = test
    if (verdict === 'accept' && !fault) counts.accepted++
    if (verdict === 'reject' && fault) counts.rejected++
    if (verdict === 'may' && fault) counts.mayRejected++
    if (isSame && verdict !== 'free') counts.same++
    if (verdict === 'accept' && fault) wrong.push(`${id} is refused: ${fault.message}`)
    if ((verdict === 'reject' || (verdict === 'may' && reads)) && !fault) wrong.push(`${id} is accepted`)
    if (isSame === false && !fault && verdict !== 'free') wrong.push(`${id} has another canonical form`)
  }
  return { ...counts, wrong }
}
