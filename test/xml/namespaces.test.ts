// Namespaces where nothing else is wanted: names that were looked at are passed over as long as the same declarations hold.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml, type XmlError } from '../../source/xml/index.ts'
import { NamespaceScopes } from '../../source/xml/namespaces.ts'
import { parameters } from '../support/property.ts'

/** What is wrong with a document, found with nothing wanted of it, and with everything. */
async function findFaults(text: string): Promise<(string | undefined)[]> {
  const explain = (error: XmlError) => `${error.code} ${error.byteOffset} ${error.message}`
  const readAll = async () => {
    for await (const _ of readXml(text).events());
  }
  return [
    await readXml(text)
      .check()
      .then(() => undefined, explain),
    await readAll().then(() => undefined, explain),
  ]
}

const repeat = (text: string) => text.repeat(5)

describe('a check', () => {
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
    const attribute = fc.constantFrom('', '', ' p:c="1"', ' q:c="1"', ' c="1" p:c="2"', ' p:c="1" q:c="2"')
    const element: fc.Memo<string> = fc.memo((depth) => {
      const children = depth <= 1 ? fc.constant([]) : fc.array(element(), { maxLength: 3 })
      return fc.tuple(name, declaration, attribute, children).map(([tag, declared, attributes, inner]) => {
        return `<${tag}${declared}${attributes}>${inner.join('')}</${tag}>`
      })
    })
    const roots = fc.constantFrom(' xmlns:p="u" xmlns:q="v"', ' xmlns:p="u" xmlns:q="u"', ' xmlns:p="u"')
    const property = fc.asyncProperty(fc.array(element(4), { maxLength: 8 }), roots, async (elements, declarations) => {
      const [checked, read] = await findFaults(`<r${declarations}>${elements.join('')}</r>`)
      expect(checked).toBe(read)
    })
    await fc.assert(property, parameters(1000))
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
    const { version } = scopes
    scopes.leave(1)
    expect(scopes.isSafe('p')).toBe(false)
    expect(scopes.version).toBeGreaterThan(version)
  })
})
