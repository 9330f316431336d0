// Records against the plainest way to make them: look at each element of the tree of the complete document.

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseXml, readXml, type XmlElement, type XmlShape } from '../../../source/xml/index.ts'
import { parameters } from '../../support/property.ts'
import { cutAt, randomDocuments, repeatContent } from '../../support/random-xml.ts'

type Decide = (names: readonly string[], elements: readonly XmlElement[]) => boolean

const has = (element: XmlElement | undefined, ...names: readonly string[]): boolean => {
  return names.every((name) => element?.attributes.has(name) === true)
}

/** So many steps of any name after any number of elements have more states than a question may have. */
const MANY = 14

/** Paths, several between bars, and whether an element with these ancestors, from the root on, is meant. */
const PATHS: Record<string, Decide> = {
  a: (names) => names.at(-1) === 'a',
  '/r/b': (names) => names.join('/') === 'r/b',
  'b/*': (names) => names.at(-2) === 'b',
  '/r/a/**/d': (names) => names.length > 2 && names[1] === 'a' && names.at(-1) === 'd',
  'a[@n]': (names, elements) => names.at(-1) === 'a' && has(elements.at(-1), 'n'),
  '*[@k="v"]/*': (_, elements) => elements.at(-2)?.attribute('k') === 'v',
  '*[@n]|b/*[@m][@n="1"]': (names, elements) => {
    const isOther = names.at(-2) === 'b' && has(elements.at(-1), 'm') && elements.at(-1)?.attribute('n') === '1'
    return has(elements.at(-1), 'n') || isOther
  },
  r: (names) => names.at(-1) === 'r',
  [`b|a${'/*'.repeat(MANY)}`]: (names) => names.at(-1) === 'b' || names.at(-1 - MANY) === 'a',
}

/** Steps of fields, and whether an element with these ancestors, from the child of the record's on, is meant. */
const STEPS: Record<string, Decide> = {
  '.': (names) => names.length === 0,
  b: (names) => names.join('/') === 'b',
  'b/c': (names) => names.join('/') === 'b/c',
  '*/*': (names) => names.length === 2,
  '**/c': (names) => names.at(-1) === 'c',
  'b[@n]': (names, elements) => names.join('/') === 'b' && has(elements[0], 'n'),
  '*[@n="1"]/c': (names, elements) => names.slice(1).join() === 'c' && elements[0]?.attribute('n') === '1',
  '**/*[@m]': (_, elements) => has(elements.at(-1), 'm'),
  '*[@k][@n]': (names, elements) => names.length === 1 && has(elements[0], 'k', 'n'),
}
const LAST_STEPS = ['', '', '', '@n', '@m', '@k', 'name()']

/** An element, its names and those of its ancestors from the child of another element on, and the elements with these names. */
type Descendant = [element: XmlElement, names: readonly string[], elements: readonly XmlElement[]]

function* descendants(top: XmlElement): Generator<Descendant> {
  const rest: Descendant[] = [[top, [], []]]
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next
    const [element, names, elements] = next
    for (const child of element.childElements.toReversed()) {
      rest.push([child, [...names, child.name], [...elements, child]])
    }
  }
}

function elementsMatching(root: XmlElement, path: string): XmlElement[] {
  const isMeant = PATHS[path] as Decide
  const all = Array.from(descendants(root)).filter(([, names, elements]) => {
    return isMeant([root.name, ...names], [root, ...elements])
  })
  return all.map(([element]) => element)
}

/** The elements that records are made of, in their order: that of their end tags. */
function elementsOf(places: Places, root: XmlElement, path: string, nested: string): XmlElement[] {
  const elements = elementsMatching(root, path)
  const inner = new Map(elements.map((element) => [element, new Set(Array.from(descendants(element), ([one]) => one))]))
  const endOf = (element: XmlElement) => places.get(element)?.end ?? 0
  return elements
    .toSorted((one, other) => endOf(one) - endOf(other))
    .filter((element) => {
      const others = elements.filter((other) => other !== element)
      if (nested === 'all') return true
      if (nested === 'innermost') return !others.some((other) => inner.get(element)?.has(other))
      return !others.some((other) => inner.get(other)?.has(element))
    })
}

type Places = ReadonlyMap<XmlElement, { readonly start: number; readonly end: number }>

/** Where elements begin and end, in the order of their tags. */
function placesOf(root: XmlElement): Places {
  const places = new Map<XmlElement, { start: number; end: number }>()
  let tag = 0
  const visit = (element: XmlElement): void => {
    const place = { start: tag++, end: 0 }
    places.set(element, place)
    for (const child of element.childElements) visit(child)
    place.end = tag++
  }
  visit(root)
  return places
}

/** What is known of the innermost matching element around an element when that ends. */
function aroundOf(
  places: Places,
  matching: readonly XmlElement[],
  element: XmlElement,
  { steps, last }: Wanted,
): string | undefined {
  const { start, end } = places.get(element) as { start: number; end: number }
  const isAround = (one: XmlElement) => {
    const place = places.get(one) as { start: number; end: number }
    return place.start < start && place.end > end
  }
  const around = matching.filter(isAround).reduce<XmlElement | undefined>((best, one) => {
    return best && (places.get(best)?.start ?? 0) > (places.get(one)?.start ?? 0) ? best : one
  }, undefined)
  if (!around) return undefined
  // What lies in another one in it belongs to that.
  const inner = matching.flatMap((one) => {
    const [place, outer] = [places.get(one), places.get(around)]
    const isIn = place && outer && place.start > outer.start && place.end < outer.end
    return isIn ? Array.from(descendants(one)).slice(1) : []
  })
  const isOfInner = new Set(inner.map(([one]) => one))
  const found = Array.from(descendants(around)).find(([one, names, elements]) => {
    const isBegun = (places.get(one)?.start ?? 0) < end
    return (
      isBegun && !isOfInner.has(one) && (STEPS[steps] as Decide)(names, elements) && readValue(one, last) !== undefined
    )
  })
  if (!found) return '{}'
  // A text that has not ended is not known.
  const value = last === '' && isAround(found[0]) ? undefined : readValue(found[0], last)
  return JSON.stringify({ value })
}

interface Wanted {
  readonly steps: string
  readonly last: string
}

function readValue(one: XmlElement, last: string): string | undefined {
  return last === '' ? one.text : last === 'name()' ? one.name : one.attribute(last.slice(1))
}

function valuesOf(element: XmlElement, steps: string, last: string): string[] {
  return Array.from(descendants(element)).flatMap(([one, names, elements]) => {
    if (!(STEPS[steps] as Decide)(names, elements)) return []
    const value = readValue(one, last)
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
  nested: fc.constantFrom('outermost', 'outermost', 'innermost', 'all', 'all'),
  engine: fc.constantFrom('wasm', 'wasm', 'plain'),
  times: fc.constantFrom(1, 1, 8),
})
const around = fc.option(
  fc.record({
    path: fc.constantFrom('a', '/r/b', 'b/*', 'r'),
    steps: fc.constantFrom(...Object.keys(STEPS)),
    last: fc.constantFrom(...LAST_STEPS),
  }),
)

const textOf = (steps: string, last: string) => (last === '' ? steps : steps === '.' ? last : `${steps}/${last}`)

describe('the records of a document', () => {
  test('have what the tree of the document has there', async () => {
    const paths = fc.constantFrom(...Object.keys(PATHS))
    const cuts = fc.array(fc.nat(1200), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        randomDocuments,
        paths,
        fields,
        around,
        options,
        cuts,
        async (content, path, wanted, outer, how, cutPlaces) => {
          // The kernel takes records only where there is more input.
          const document = repeatContent(content, how.times)
          const given: XmlShape = Object.fromEntries<XmlShape[string]>([
            ...wanted.map(({ steps, last, isList }, i): [string, XmlShape[string]] => {
              const text = textOf(steps, last)
              return [`f${i}`, isList ? ([text] as const) : text]
            }),
            ...(outer
              ? [['o', { outer: outer.path, fields: { value: textOf(outer.steps, outer.last) } }] as const]
              : []),
          ])
          const { root } = parseXml(document)
          const places = placesOf(root)
          const matching = outer ? elementsMatching(root, outer.path) : []
          const expected = elementsOf(places, root, path, how.nested).map((element) => {
            const values = wanted.map(({ steps, last, isList }) => {
              const all = valuesOf(element, steps, last)
              return isList ? all : all[0]
            })
            return [...values, outer ? aroundOf(places, matching, element, outer) : undefined]
          })
          const { engine } = how
          const nested = how.nested as 'outermost' | 'innermost' | 'all'
          const found: unknown[][] = []
          const reader = readXml(cutAt(document, cutPlaces), { engine: engine as 'wasm' | 'plain' })
          for await (const record of reader.records(path.split('|'), given, { nested })) {
            const o = record.o && JSON.stringify(record.o)
            found.push([...wanted.map((_, i) => record[`f${i}`]), o])
          }
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            const difference = `found\n${JSON.stringify(found)}\nwanted\n${JSON.stringify(expected)}`
            throw new Error(
              `${path} with ${JSON.stringify(given)} (${engine}, ${nested}) of ${document}\n${difference}`,
            )
          }
        },
      ),
      parameters(800, 8),
    )
  })
})
