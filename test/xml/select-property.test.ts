// Selecting against the plainest way to do it: make the tree of the complete document, and look at each element of it.

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseXml, readXml, type XmlElement } from '../../source/xml/index.ts'
import { parameters } from '../support/property.ts'
import { cutAt, randomDocuments } from '../support/random-xml.ts'

/** Paths, and whether an element with these ancestors, from the root on, is meant. */
const PATHS: Record<string, (names: readonly string[]) => boolean> = {
  a: (names) => names.at(-1) === 'a',
  '/r/b': (names) => names.join('/') === 'r/b',
  'b/c': (names) => names.slice(-2).join('/') === 'b/c',
  '/r/*': (names) => names.length === 2,
  '/r/a/**/d': (names) => names.length > 2 && names[1] === 'a' && names.at(-1) === 'd',
}

function* outermost(root: XmlElement, isMeant: (names: readonly string[]) => boolean): Generator<XmlElement> {
  const rest: [XmlElement, string[]][] = [[root, [root.name]]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [found, names] = next
    if (isMeant(names)) yield found
    else {
      for (const child of found.children.toReversed()) {
        if (child.type === 'element') rest.push([child, [...names, child.name]])
      }
    }
  }
}

function tell(found: XmlElement): string {
  const { start, end, namespace, attributes, text } = found
  return JSON.stringify([start, end, namespace, attributes.details, text, found])
}

describe('what is selected', () => {
  test('is what the tree of the document has there', async () => {
    const paths = fc.constantFrom(...Object.keys(PATHS))
    await fc.assert(
      fc.asyncProperty(
        randomDocuments,
        paths,
        fc.array(fc.nat(1200), { maxLength: 4 }),
        async (document, path, cuts) => {
          const isMeant = PATHS[path] as (names: readonly string[]) => boolean
          const wanted = Array.from(outermost(parseXml(document).root, isMeant), tell)
          const selected: XmlElement[] = []
          for await (const one of readXml(cutAt(document, cuts)).select(path)) selected.push(one)
          const found = selected.map(tell)
          if (found.join('\n') !== wanted.join('\n')) {
            throw new Error(`${path} of ${document}\nfound\n${found.join('\n')}\nwanted\n${wanted.join('\n')}`)
          }
        },
      ),
      parameters(600),
    )
  })
})
