// Records against the plainest way to make them: look at each element of the tree of the complete document.

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseXml, readXml, type XmlElement, type XmlShape } from '../../../source/xml/index.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments } from '../../support/random-xml.ts'

type Decide = (names: readonly string[]) => boolean

/** Paths, and whether an element with these ancestors, from the root on, is meant. */
const PATHS: Record<string, Decide> = {
  a: (names) => names.at(-1) === 'a',
  '/r/b': (names) => names.join('/') === 'r/b',
  'b/*': (names) => names.at(-2) === 'b',
  '/r/a/**/d': (names) => names.length > 2 && names[1] === 'a' && names.at(-1) === 'd',
  'a[@n]': (names) => names.at(-1) === 'a',
}

/** Steps of fields, and whether an element with these ancestors, from the child of the record's on, is meant. */
const STEPS: Record<string, Decide> = {
  '.': (names) => names.length === 0,
  b: (names) => names.join('/') === 'b',
  'b/c': (names) => names.join('/') === 'b/c',
  '*/*': (names) => names.length === 2,
  '**/c': (names) => names.at(-1) === 'c',
}
const LAST_STEPS = ['', '', '', '@n', '@m', '@k', 'name()']

function* descendants(top: XmlElement): Generator<[XmlElement, readonly string[]]> {
  const rest: [XmlElement, string[]][] = [[top, []]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next
    const [element, names] = next
    for (const child of element.childElements.toReversed()) rest.push([child, [...names, child.name]])
  }
}

/** The elements that records are made of, in their order. */
function elementsOf(root: XmlElement, path: string, nested: string): XmlElement[] {
  const isMeant = PATHS[path] as Decide
  const all = Array.from(descendants(root)).filter(([element, names]) => {
    return isMeant([root.name, ...names]) && (!path.includes('@n') || element.attributes.has('n'))
  })
  const elements = all.map(([element]) => element)
  const inner = new Map(elements.map((element) => [element, new Set(Array.from(descendants(element), ([one]) => one))]))
  return elements.filter((element) => {
    const others = elements.filter((other) => other !== element)
    if (nested === 'innermost') return !others.some((other) => inner.get(element)?.has(other))
    return !others.some((other) => inner.get(other)?.has(element))
  })
}

function valuesOf(element: XmlElement, steps: string, last: string): string[] {
  return Array.from(descendants(element)).flatMap(([one, names]) => {
    if (!(STEPS[steps] as Decide)(names)) return []
    const value = last === '' ? one.text : last === 'name()' ? one.name : one.attribute(last.slice(1))
    return value === undefined ? [] : [value]
  })
}

const fields = fc.array(
  fc.record({
    steps: fc.constantFrom(...Object.keys(STEPS)),
    last: fc.constantFrom(...LAST_STEPS),
    isList: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
)
const options = fc.record({
  nested: fc.constantFrom('outermost', 'outermost', 'innermost'),
  engine: fc.constantFrom('wasm', 'wasm', 'plain'),
})

describe('the records of a document', () => {
  test('have what the tree of the document has there', async () => {
    const paths = fc.constantFrom(...Object.keys(PATHS))
    const cuts = fc.array(fc.nat(1200), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(randomDocuments, paths, fields, options, cuts, async (document, path, wanted, how, places) => {
        const textOf = (steps: string, last: string) =>
          last === '' ? steps : steps === '.' ? last : `${steps}/${last}`
        const given: XmlShape = Object.fromEntries(
          wanted.map(({ steps, last, isList }, i) => {
            const text = textOf(steps, last)
            return [`f${i}`, isList ? ([text] as const) : text]
          }),
        )
        const expected = elementsOf(parseXml(document).root, path, how.nested).map((element) => {
          return wanted.map(({ steps, last, isList }) => {
            const values = valuesOf(element, steps, last)
            return isList ? values : values[0]
          })
        })
        const { engine } = how
        const nested = how.nested as 'outermost' | 'innermost'
        const found: unknown[][] = []
        const reader = readXml(cutAt(document, places), { engine: engine as 'wasm' | 'plain' })
        for await (const record of reader.records(path, given, { nested })) {
          found.push(wanted.map((_, i) => record[`f${i}`]))
        }
        if (JSON.stringify(found) !== JSON.stringify(expected)) {
          const difference = `found\n${JSON.stringify(found)}\nwanted\n${JSON.stringify(expected)}`
          throw new Error(`${path} with ${JSON.stringify(given)} (${engine}, ${nested}) of ${document}\n${difference}`)
        }
      }),
      parameters(800),
    )
  })
})
