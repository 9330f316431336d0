// What is read and written is the same when it is read again.

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml, type XmlDocumentOptions, type XmlElement } from '../../../source/xml/index.ts'
import { toXml } from '../../../source/xml/write/index.ts'
import { makeResolver, readSuite } from '../../conformance/suite.ts'
import { extent, isThorough } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments } from '../../support/random-xml.ts'
import { canonicalize, comparable, readEvents, rewrite } from '../../support/rewritten.ts'

const encoder = new TextEncoder()

/** Documents that are accepted, each once. */
const suite = [
  ...new Map(
    readSuite()
      .filter(({ verdict, group }) => verdict === 'accept' && !group.endsWith('1.1'))
      .map((one) => [one.file, one]),
  ).values(),
]
/** All of them in `npm run test:all`, and otherwise every eighth. */
const some = suite.filter((_, i) => i % extent(60, 4, 1) === 0)

/** Whether the text of an entity is not to be had, or not declared. */
function lacksText(bytes: Uint8Array, options: XmlDocumentOptions): boolean {
  let lacks = false
  parseXml(bytes, {
    ...options,
    onSkippedEntity: () => {
      lacks = true
    },
  })
  return lacks
}

describe('a document that is written as it was read', () => {
  test('is the same, for documents of the conformance suite', async () => {
    for (const { file, hasNamespaces } of some) {
      const bytes = readFileSync(file)
      const options = { namespaces: hasNamespaces, resolve: makeResolver(file) }
      const events = await readEvents(bytes, options)
      if (lacksText(bytes, options)) {
        await expect(rewrite(bytes, options), file).rejects.toMatchObject({ code: 'skipped-entity' })
        continue
      }
      for (const writing of [{}, { encoding: 'utf-16' }, { doctype: 'omit' }] as const) {
        const written = await rewrite(bytes, options, writing)
        const again = await readEvents(written, options)
        const hasDoctype = !('doctype' in writing)
        expect({ file, events: comparable(again, hasDoctype) }).toEqual({
          file,
          events: comparable(events, hasDoctype),
        })
      }
    }
  })

  test.runIf(isThorough)('is the same for xmllint, for documents of the conformance suite', async () => {
    let compared = 0
    // It does not read all that is outside of a document.
    for (const { file, hasNamespaces } of some.filter(({ isExternal }) => !isExternal)) {
      const bytes = readFileSync(file)
      const options = { namespaces: hasNamespaces, resolve: makeResolver(file) }
      if (lacksText(bytes, options)) continue
      const before = canonicalize(bytes, dirname(file))
      // Of the entity in this one, xmllint makes a line feed where it should be a carriage return.
      if (before === undefined || file.endsWith('xmltest/valid/sa/068.xml')) continue
      const written = await rewrite(bytes, options)
      expect({ file, canonical: canonicalize(written, dirname(file)) }).toEqual({ file, canonical: before })
      compared++
    }
    // It may not be installed.
    if (canonicalize(encoder.encode('<a/>')) !== undefined) expect(compared).toBeGreaterThan(some.length / 2)
  })

  test('is the same as a tree, for documents of the conformance suite', () => {
    for (const { file, hasNamespaces } of some.filter(({ hasNamespaces }) => hasNamespaces)) {
      const options = { namespaces: hasNamespaces, resolve: makeResolver(file) }
      const document = parseXml(readFileSync(file), options)
      if (lacksText(readFileSync(file), options)) {
        expect(() => toXml(document), file).toThrow(expect.objectContaining({ code: 'skipped-entity' }))
        continue
      }
      const again = parseXml(toXml(document), options)
      expect({ file, children: again.children }).toEqual({ file, children: document.children })
      const alone = parseXml(toXml(document.root), options).root
      expect({ file, alone: alone.toJSON() }).toEqual({ file, alone: document.root.toJSON() })
    }
  })

  test('is the same for random documents, whatever is cut', async () => {
    const cuts = fc.array(fc.nat(2000), { maxLength: 5 })
    const property = fc.asyncProperty(randomDocuments, cuts, async (text, places) => {
      const bytes = encoder.encode(text)
      const written = await rewrite(bytes)
      expect(comparable(await readEvents(written))).toEqual(comparable(await readEvents(bytes)))
      expect(await rewrite(cutAt(text, places))).toEqual(written)
      const document = parseXml(text)
      expect(parseXml(toXml(document)).children).toEqual(document.children)
    })
    await fc.assert(property, parameters(2000, 10))
  })

  test.runIf(isThorough)('is the same for xmllint, for random documents', async () => {
    if (canonicalize(encoder.encode('<a/>')) === undefined) return
    const property = fc.asyncProperty(randomDocuments, async (text) => {
      const written = await rewrite(encoder.encode(text))
      expect(canonicalize(written)).toBe(canonicalize(encoder.encode(text)))
    })
    await fc.assert(property, parameters(400))
  })

  test('has lines added only where there is no text beside them', async () => {
    const property = fc.asyncProperty(randomDocuments, async (text) => {
      const written = await rewrite(encoder.encode(text), {}, { indent: 1 })
      const [before, after] = [parseXml(text).root, parseXml(written).root]
      expect(withoutLines(after)).toEqual(withoutLines(before))
    })
    await fc.assert(property, parameters(500))
  })
})

/** An element without blank text where all text is blank, at any depth. */
function withoutLines({ name, attributes, children }: XmlElement): unknown {
  const hasText = children.some((node) => node.type === 'text' && node.text.trim() !== '')
  const kept = children.filter((node) => hasText || node.type !== 'text')
  return [name, [...attributes], kept.map((node) => (node.type === 'element' ? withoutLines(node) : node))]
}
