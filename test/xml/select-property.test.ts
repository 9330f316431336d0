// Selecting against the plainest way to do it: make the tree of the whole document, and look at each element of it.

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseXml, readXml, type XmlElement } from '../../source/xml/index.ts'
import { parameters } from '../support/property.ts'

const NAMES = ['a', 'b', 'c', 'd']
/** What may stand between tags: some of it can be passed over, and some needs a look. */
const FILLING = fc.constantFrom(
  '',
  '',
  'x',
  ' \n ',
  '&lt;é&amp;',
  '&#65;',
  '<![CDATA[<]]>',
  '<!--c-->',
  '<?t d?>',
  '\r\n',
  '&e;',
)
const ATTRIBUTES = fc.constantFrom(
  '',
  '',
  '',
  ' n="1"',
  ' m="&quot;\t"',
  ' xml:lang="x"',
  ' xmlns="u"',
  ' xmlns="v"',
  ' xmlns=""',
  ' xmlns:p="v" p:n="2"',
)

const element: fc.Memo<string> = fc.memo((depth) => {
  const children = depth <= 1 ? fc.constant([]) : fc.array(fc.tuple(element(), FILLING), { maxLength: 3 })
  return fc
    .tuple(fc.constantFrom(...NAMES), ATTRIBUTES, FILLING, children)
    .map(([name, attributes, filling, inner]) => {
      const content = filling + inner.map(([child, behind]) => child + behind).join('')
      return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`
    })
})
/** Several times the same: what has been seen need not be looked at again. */
const documents = fc
  .tuple(
    fc.array(
      fc.tuple(element(4), FILLING).map(([tags, filling]) => tags + filling),
      { minLength: 1, maxLength: 12 },
    ),
    fc.integer({ min: 1, max: 3 }),
    ATTRIBUTES,
  )
  .map(([elements, times, attributes]) => {
    const subset = '<!ENTITY e "E<b m=\'1\'><c/>in</b>"><!ATTLIST d k CDATA "v">'
    return `<!DOCTYPE r [${subset}]><r${attributes}>${`${elements.join('\n')}\n`.repeat(times)}</r>`
  })

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
      fc.asyncProperty(documents, paths, fc.array(fc.nat(1200), { maxLength: 4 }), async (document, path, cuts) => {
        const bytes = new TextEncoder().encode(document)
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b)
        const pieces = places.slice(1).map((place, i) => bytes.subarray(places[i], place))
        const isMeant = PATHS[path] as (names: readonly string[]) => boolean
        const wanted = Array.from(outermost(parseXml(bytes).root, isMeant), tell)
        const selected: XmlElement[] = []
        for await (const one of readXml(pieces).select(path)) selected.push(one)
        const found = selected.map(tell)
        if (found.join('\n') !== wanted.join('\n')) {
          throw new Error(`${path} of ${document}\nfound\n${found.join('\n')}\nwanted\n${wanted.join('\n')}`)
        }
      }),
      parameters(600),
    )
  })
})
