// Namespaces: names that were inspected are skipped as long as the same declarations hold.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlError, type XmlNode } from '../../source/xml/index.ts'
import { NamespaceScopes } from '../../source/xml/namespaces.ts'
import { parameters } from '../support/property.ts'

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

/** The same from events, which have no namespaces of elements. */
async function readEvents(text: string): Promise<Omit<Tag, 1>[] | string> {
  const tags: Tag[] = []
  try {
    for await (const events of readXml(text).events()) {
      for (const event of events)
        if (event.type === 'start') tags.push([event.name, undefined, event.attributes.details])
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
      const withoutNamespaces =
        typeof tree === 'string' ? tree : tree.map(([tag, , details]) => [tag, undefined, details])
      expect(await readEvents(text)).toEqual(withoutNamespaces)
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
    expect(await readEvents(text)).toEqual(tree.map(([tag, , details]) => [tag, undefined, details]))
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
      const events = readXml(fault).events()
      await events.next()
      await expect(events.next()).rejects.toMatchObject(expected)
    }
  })
})
