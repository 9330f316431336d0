import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml, type XmlElement } from '../../../source/xml/index.ts'
import { readPaths } from '../../../source/xml/infer/audit/audited-records.ts'
import type { InferredShape } from '../../../source/xml/infer/infer-shape.ts'
import { isThorough } from '../../support/extent.ts'
import { contentOf, contentOfRecord, missingFrom, readInferred } from '../../support/inferred.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments } from '../../support/random-xml.ts'

const samples = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 200, max: 1200 }))
const cuts = fc.array(fc.nat({ max: 4000 }), { maxLength: 6 })

test.runIf(isThorough)(
  'no text and no attribute of a record is lost, whatever of the document the sample showed, and however it was cut',
  async () => {
    await fc.assert(
      fc.asyncProperty(randomDocuments, samples, cuts, async (document, bytes, cuts) => {
        const read = await readInferred(cutAt(document, cuts), { bytes, lenient: true })
        if (!read) return
        const { inferred, records } = read
        const elements = await elementsOf(document, inferred)
        const prologue = /^<!DOCTYPE.*?\]>/su.exec(document)?.[0].replace('DOCTYPE r', 'DOCTYPE x') ?? ''
        expect(records).toHaveLength(elements.length)
        for (const [i, element] of elements.entries()) {
          const missing = missingFrom(contentOf(element), contentOfRecord(records[i] ?? {}, prologue))
          expect({ element: JSON.stringify(element), record: records[i], missing }).toMatchObject({ missing: [] })
        }
      }),
      parameters(2000, 80),
    )
  },
)

/** The elements of records. */
async function elementsOf(document: string, inferred: InferredShape): Promise<XmlElement[]> {
  const { nodes, names } = inferred.source
  const { prefixes } = inferred
  const around = nodes[0]?.parent
  const others = [...(around?.children.keys() ?? [])].filter((name) => !nodes.some((node) => node.name === name))
  const elements: XmlElement[] = []
  for await (const element of readXml(document).select(readPaths(inferred), { prefixes })) {
    if (!others.includes(names.elements.find(element.name, element.namespace) ?? '')) elements.push(element)
  }
  return elements
}
