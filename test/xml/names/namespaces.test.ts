// Namespaces: names that were inspected are skipped as long as the same declarations hold.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttributeDetails,
  parseXml,
  readXml,
  type XmlElement,
  type XmlError,
  type XmlNode,
} from '../../../source/xml/index.ts'
import { NamespaceScopes } from '../../../source/xml/names/namespaces.ts'
import { cutsOf } from '../../support/machine.ts'
import { parameters } from '../../support/property.ts'

const explain = (error: XmlError) => `${error.code} ${error.byteOffset} ${error.message}`

/** What is wrong with a document, found with nothing wanted of it, and by looking at everything. */
async function findFaults(text: string): Promise<(string | undefined)[]> {
  const checked = await readXml(text)
    .check()
    .then(() => undefined, explain)
  return [checked, typeof readTree(text) === 'string' ? (readTree(text) as string) : undefined]
}

/** Of each start tag: its name, its namespace, and its attributes in detail. */
type Tag = [name: string, namespace: string | undefined, attributes: unknown]

/** The start tags below an element, in their order, from a document in which each part was inspected; or what is wrong with it. */
function readTree(text: string): Tag[] | string {
  try {
    return parseXml(text).root.children.flatMap(listTags)
  } catch (error) {
    return explain(error as XmlError)
  }
}

function listTags(node: XmlNode): Tag[] {
  if (node.type !== 'element') return []
  return [[node.name, node.namespace, node.attributes.details], ...node.children.flatMap(listTags)]
}

/** The same from selected elements. */
async function selectTags(text: string): Promise<Tag[] | string> {
  const tags: Tag[] = []
  try {
    for await (const element of readXml(text).select('/r/*')) tags.push(...listTags(element))
    return tags
  } catch (error) {
    return explain(error as XmlError)
  }
}

/** The same from events, in which an end has the names of its start. */
async function readEvents(text: string): Promise<Tag[] | string> {
  const tags: Tag[] = []
  const open: string[] = []
  try {
    for await (const events of readXml(text).events().batches()) {
      for (const event of events) {
        if (event.type !== 'start' && event.type !== 'end') continue
        const { name, localName, namespace } = event
        const names = JSON.stringify([name, localName, namespace])
        expect(localName).toBe(name.replace(/^.*:/, ''))
        if (event.type === 'end') expect(names).toBe(open.pop())
        else {
          open.push(names)
          tags.push([name, namespace, event.attributes.details])
        }
      }
    }
    return tags.slice(1)
  } catch (error) {
    return explain(error as XmlError)
  }
}

const repeat = (text: string) => text.repeat(5)

describe('a document', () => {
  test.each([
    ['a prefix that no longer holds', `<r><a xmlns:p="u">${repeat('<p:b/>')}</a><p:b/></r>`, 'undeclared-prefix'],
    ['a prefix that never held', `<r xmlns:p="u">${repeat('<p:b/>')}<q:b/></r>`, 'undeclared-prefix'],
    [
      'attributes that are the same by another prefix',
      `<r xmlns:p="u">${repeat('<b p:c="1" d="2"/>')}<e xmlns:q="u"><b p:c="1" q:c="2"/></e></r>`,
      'duplicate-attribute',
    ],
    [
      'such attributes of which one name comes only later',
      `<r xmlns:p="u" xmlns:q="u">${repeat('<b p:c="1"/>')}<b q:c="1" p:c="2"/></r>`,
      'duplicate-attribute',
    ],
    [
      'prefixes that become the same within an element, and are not before and behind it',
      `<r xmlns:p="u" xmlns:q="v">${repeat('<b p:c="1" q:c="2"/>')}<e xmlns:q="u"><b p:c="1" q:c="2"/></e></r>`,
      'duplicate-attribute',
    ],
  ])('finds %s', async (_, text, code) => {
    const [checked, read] = await findFaults(text)
    expect(checked).toMatch(new RegExp(`^${code} `))
    expect(checked).toBe(read)
  })

  test('finds nothing where prefixes change what they stand for, and change back', async () => {
    const inner = `<e xmlns:q="u">${repeat('<b p:c="1" q:d="2"/>')}</e>`
    const text = `<r xmlns:p="u" xmlns:q="v">${repeat('<b p:c="1" q:c="2"/>')}${inner}${repeat('<b p:c="1" q:c="2"/>')}</r>`
    expect(await findFaults(text)).toEqual([undefined, undefined])
  })

  test('finds what is found where everything is looked at', async () => {
    const name = fc.constantFrom('a', 'p:a', 'q:a', 'p:b', 'xml:a', 'xmlns:a')
    const declaration = fc.constantFrom(
      '',
      '',
      '',
      ' xmlns:p="u"',
      ' xmlns:q="u"',
      ' xmlns:q="v"',
      ' xmlns="u"',
      ' xmlns=""',
    )
    const attribute = fc.constantFrom('', ' xml:c="1"', ' p:c="1"', ' q:c="1"', ' c="1" p:c="2"', ' p:c="1" q:c="2"')
    const element: fc.Memo<string> = fc.memo((depth) => {
      const children = depth <= 1 ? fc.constant([]) : fc.array(element(), { maxLength: 3 })
      return fc.tuple(name, declaration, attribute, children).map(([tag, declared, attributes, inner]) => {
        return `<${tag}${declared}${attributes}>${inner.join('')}</${tag}>`
      })
    })
    const roots = fc.constantFrom(' xmlns:p="u" xmlns:q="v"', ' xmlns:p="u" xmlns:q="u"', ' xmlns:p="u"')
    const property = fc.asyncProperty(fc.array(element(4), { maxLength: 8 }), roots, async (elements, declarations) => {
      const text = `<r${declarations}>${elements.join('')}</r>`
      const [checked, read] = await findFaults(text)
      expect(checked).toBe(read)
      const tree = readTree(text)
      expect(await selectTags(text)).toEqual(tree)
      expect(await readEvents(text)).toEqual(tree)
    })
    await fc.assert(property, parameters(1000))
  })

  test('finds what many prefixes stand for', async () => {
    const declarations = Array.from({ length: 200 }, (_, i) => ` xmlns:n${i}="u${i}"`).join('')
    const row = '<n7:a xml:lang="en" n8:b="1" c="2"/>'
    const text = `<r xmlns="v"${declarations}>${repeat(row)}<d xmlns:n7="w">${repeat(row)}</d>${repeat(row)}<e xmlns=""><f/></e></r>`
    const tree = readTree(text) as Tag[]
    expect(tree).toHaveLength(18)
    expect(tree[0]?.slice(0, 2)).toEqual(['n7:a', 'u7'])
    expect(tree[7]?.slice(0, 2)).toEqual(['n7:a', 'w'])
    expect(await selectTags(text)).toEqual(tree)
    expect(await readEvents(text)).toEqual(tree)
  })
})

describe('the declarations that hold', () => {
  test('make names safe where each namespace has one prefix', () => {
    const scopes = new NamespaceScopes()
    expect([scopes.isSafe('p'), scopes.isSafe('xml'), scopes.isSafe('xmlns')]).toEqual([false, true, false])
    scopes.declare('p', 'u', 1)
    scopes.declare('', 'u', 1)
    expect(scopes.isSafe('p')).toBe(true)
    scopes.declare('q', 'u', 2)
    expect([scopes.isSafe('p'), scopes.isSafe('q')]).toEqual([false, false])
    scopes.declare('q', 'v', 3)
    expect([scopes.isSafe('p'), scopes.isSafe('q')]).toEqual([true, true])
    scopes.leave(3)
    expect(scopes.isSafe('p')).toBe(false)
    scopes.leave(2)
    expect([scopes.isSafe('p'), scopes.isSafe('q')]).toEqual([true, false])
    for (let i = 0; i < 100; i++) scopes.declare(`n${i}`, `${i}`, 2)
    expect([scopes.isSafe('p'), scopes.bindings.get('p'), scopes.bindings.get('xml')]).toEqual([
      false,
      undefined,
      'http://www.w3.org/XML/1998/namespace',
    ])
    scopes.leave(2)
    expect([scopes.isSafe('p'), scopes.bindings.get('p'), scopes.bindings.get('')]).toEqual([true, 'u', 'u'])
    const { version } = scopes
    scopes.leave(1)
    expect(scopes.isSafe('p')).toBe(false)
    expect(scopes.version).toBeGreaterThan(version)
  })
})

describe('a declaration of a default namespace', () => {
  test('is looked at also where one holds already, whatever is wanted', async () => {
    const text = '<r xmlns="u"><a/><a xmlns="v"><b/></a><rec><a xmlns=""></a></rec></r>'
    const found: (string | undefined)[] = []
    for await (const element of readXml(text).select(['b', 'rec'])) {
      found.push(element.namespace, ...element.childElements.map(({ namespace }) => namespace ?? 'none'))
    }
    expect(found).toEqual(['v', 'u', 'none'])
    for (const reserved of ['http://www.w3.org/2000/xmlns/', 'http://www.w3.org/XML/1998/namespace']) {
      const fault = `<r xmlns="u"><a/><a xmlns="${reserved}"/></r>`
      const expected = { code: 'namespace-declaration', byteOffset: 20 }
      await expect(readXml(fault).check()).rejects.toMatchObject(expected)
      await expect(readXml(fault).select('b').next()).rejects.toMatchObject(expected)
      const events = readXml(fault).events().batches()
      await events.next()
      await expect(events.next()).rejects.toMatchObject(expected)
    }
  })
})

describe('events', () => {
  test('have namespaces and local names, whatever is cut', async () => {
    const text =
      '<r xmlns="u" xmlns:p="v"><p:a p:b="1" xml:lang="en"/><c xmlns=""><d/></c>&amp;<p:e xmlns:p="w"></p:e></r>'
    for (const engine of ['wasm', 'plain'] as const) {
      for (const pieces of cutsOf(new TextEncoder().encode(text))) {
        const names: unknown[] = []
        for await (const events of readXml(pieces, { engine }).events().batches()) {
          for (const event of events)
            if (event.type === 'end') names.push([event.name, event.localName, event.namespace])
        }
        expect(names).toEqual([
          ['p:a', 'a', 'v'],
          ['d', 'd', undefined],
          ['c', 'c', undefined],
          ['p:e', 'e', 'w'],
          ['r', 'r', 'u'],
        ])
      }
    }
  })

  test('have no namespaces where these are off', async () => {
    const names: unknown[] = []
    for await (const events of readXml('<p:a xmlns="u" xmlns:p="v"/>', { namespaces: false }).events().batches()) {
      for (const event of events) {
        if (event.type === 'start')
          names.push(event.name, event.localName, event.namespace, event.attributes.details[0]?.namespace)
      }
    }
    expect(names).toEqual(['p:a', 'a', undefined, undefined])
  })
})

describe('attributes', () => {
  const XMLNS = 'http://www.w3.org/2000/xmlns/'
  const text = '<!DOCTYPE a [<!ATTLIST a xmlns:q CDATA "w">]><a xmlns="u" xmlns:p="v" p:b="1" xml:lang="en" c="2"/>'
  const expected = [
    ['xmlns', '', 'xmlns', XMLNS],
    ['xmlns:p', 'xmlns', 'p', XMLNS],
    ['p:b', 'p', 'b', 'v'],
    ['xml:lang', 'xml', 'lang', 'http://www.w3.org/XML/1998/namespace'],
    ['c', '', 'c', undefined],
    ['xmlns:q', 'xmlns', 'q', XMLNS],
  ]

  test('that declare namespaces are in a namespace of their own, and those of xml in that of xml', async () => {
    const found: unknown[] = [parseXml(text).root.attributes.details]
    for await (const element of readXml(text).select('a')) found.push(element.attributes.details)
    for await (const [, event] of readXml(text).events().batches())
      if (event?.type === 'start') found.push(event.attributes.details)
    expect(found).toHaveLength(3)
    for (const details of found as AttributeDetails[][]) {
      expect(details.map(({ name, prefix, localName, namespace }) => [name, prefix, localName, namespace])).toEqual(
        expected,
      )
    }
  })
})

describe('a name with its namespace', () => {
  const text =
    '<r xmlns="u" xmlns:p="v" xmlns:q="w"><p:a p:id="1" id="2">x</p:a><q:a q:id="3">y</q:a><a>z</a><a xmlns="">n</a></r>'

  /** The root as it was built, and as it was recorded: of one that declares nothing, the children are recorded. */
  async function roots(): Promise<XmlElement[]> {
    const inner = `<o xmlns="u" xmlns:p="v" xmlns:q="w"><s>${text.replace(/^<r [^>]*>|<a xmlns.*$/g, '')}</s></o>`
    const found = [parseXml(text).root, parseXml(inner).root.childElements[0] as XmlElement]
    for await (const element of readXml(text).select('/r')) found.push(element)
    for await (const element of readXml(inner).select('s')) found.push(element)
    expect(found).toHaveLength(4)
    return found
  }

  test('finds children, their text and attributes, whatever their prefixes', async () => {
    for (const root of await roots()) {
      expect(root.childText('{v}a')).toBe('x')
      expect(root.childText('{w}a')).toBe('y')
      expect(root.childText('{u}a')).toBe('z')
      expect(root.child('{v}a')).toBe(root.child('p:a'))
      expect(root.childrenNamed('{u}a').map(({ name }) => name)).toEqual(['a'])
      expect([root.child('{x}a'), root.childText('{v}b'), root.childrenNamed('{p}a')]).toEqual([
        undefined,
        undefined,
        [],
      ])
      const [a, b] = ['{v}a', '{w}a'].map((name) => root.child(name))
      expect(['{v}id', '{}id', 'id', 'p:id', '{w}id'].map((name) => a?.attribute(name))).toEqual([
        '1',
        '2',
        '2',
        '1',
        undefined,
      ])
      expect([
        b?.attribute('{w}id'),
        b?.attribute('id'),
        b?.attributes.has('{w}id'),
        b?.attributes.has('{}id'),
      ]).toEqual(['3', undefined, true, false])
    }
    expect((await roots())[0]?.childText('{}a')).toBe('n')
  })

  test('finds one of many attributes', () => {
    const many = Array.from({ length: 20 }, (_, i) => ` p:a${i}="${i}" a${i}="no"`).join('')
    expect(parseXml(`<r xmlns:p="v"${many}/>`).root.attribute('{v}a17')).toBe('17')
  })

  test('is refused where it is none', () => {
    const { root } = parseXml('<a b="1"/>')
    for (const name of ['{u', '{u}', '{*}a', '{u}{v}a', '{{u}}a']) {
      for (const find of [
        () => root.child(name),
        () => root.childrenNamed(name),
        () => root.childText(name),
        () => root.attribute(name),
      ]) {
        expect(find).toThrow(expect.objectContaining({ name: 'RangeError', code: 'invalid-option' }))
      }
    }
    expect(() => root.child('{u')).toThrow('invalid name "{u": expected {namespace}name')
    expect(root.child('')).toBeUndefined()
  })

  test('finds nothing where namespaces are off, and names without one', () => {
    const { root } = parseXml('<r xmlns="u"><a/></r>', { namespaces: false })
    expect([root.child('{u}a'), root.child('{}a')?.name]).toEqual([undefined, 'a'])
  })
})
