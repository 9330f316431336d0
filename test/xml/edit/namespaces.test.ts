// Edits of declarations of namespaces, what is inserted where they hold, and defaults of attributes from the document type.

import { describe, expect, test } from 'vitest'
import {
  atTags,
  type EditedTag,
  editXml,
  remove,
  rename,
  unwrap,
  type XmlEdits,
} from '../../../source/xml/edit/index.ts'
import type { XmlElement } from '../../../source/xml/index.ts'
import { readXml } from '../../../source/xml/index.ts'
import { rawXml } from '../../../source/xml/write/index.ts'
import { edit, editPieces } from '../../support/edited.ts'
import { isThorough } from '../../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'

/** The element in the root of a document. */
async function elementIn(xml: string): Promise<XmlElement> {
  for await (const element of readXml(xml).select('/*/*')) return element
  throw new Error('no element')
}

const inU = await elementIn('<o xmlns="u"><x/></o>')
const inNone = await elementIn('<o><x/></o>')

function appending(content: XmlElement) {
  return atTags((tag) => tag.append(content))
}

function setting(name: string, value: string) {
  return atTags((tag) => tag.setAttribute(name, value))
}

const withoutDefault = atTags((tag) => tag.removeAttribute('xmlns'))

describe('what an edit declares', () => {
  test('holds for the edits in the element: what they insert keeps its namespace', async () => {
    expect(await edit('<r xmlns="u"><a/></r>', { '/r': withoutDefault, a: appending(inU) })).toBe(
      '<r><a><x xmlns="u"/></a></r>',
    )
    expect(await edit('<r><a/></r>', { '/r': setting('xmlns', 'new'), a: appending(inNone) })).toBe(
      '<r xmlns="new"><a><x xmlns=""/></a></r>',
    )
    expect(await edit('<r><b xmlns="v"><a/></b></r>', { '/r': setting('xmlns', 'u'), a: appending(inU) })).toBe(
      '<r xmlns="u"><b xmlns="v"><a><x xmlns="u"/></a></b></r>',
    )
    expect(await edit('<r><a/></r>', { '/r': setting('xmlns', 'u'), a: atTags((a) => a.before(inU)) })).toBe(
      '<r xmlns="u"><x/><a/></r>',
    )
  })

  test('gives a prefix to the edits in the element', async () => {
    const edits = { '/r': setting('xmlns:q', 'u'), a: rename('q:z'), b: setting('q:n', '1') }
    expect(await edit('<r><a/><b/></r>', edits)).toBe('<r xmlns:q="u"><q:z/><b q:n="1"/></r>')
    const insert = atTags((a) => a.append(rawXml('<q:x/>')))
    expect(await edit('<r><a/></r>', { '/r': setting('xmlns:q', 'u'), a: insert })).toBe(
      '<r xmlns:q="u"><a><q:x/></a></r>',
    )
    expect(await edit('<r><a/></r>', { '/r': setting('xmlns:q', 'u'), a: setting('xmlns:q', 'v') })).toMatch(
      /!! the prefix q stands for u there/,
    )
  })

  test('does not hold beside the element', async () => {
    const edits = { a: setting('xmlns:q', 'u'), b: rename('q:z') }
    expect(await edit('<r><a/><b/></r>', edits)).toMatch(/!! the prefix q of q:z is not declared there/)
  })

  test('decides whether an element in it can be unwrapped', async () => {
    const document = '<r xmlns="u"><a xmlns="u"><b/></a></r>'
    expect(await edit(document, { a: unwrap })).toBe('<r xmlns="u"><b/></r>')
    expect(await edit(document, { '/r': withoutDefault, a: unwrap })).toBe(
      '<r>!! <a> cannot be unwrapped: it declares the default namespace (line 1, column 14, byte 13)',
    )
    const edits = { '/r': setting('xmlns', 'u'), a: unwrap }
    expect(await edit('<r><a xmlns="u"><b/></a></r>', edits)).toBe('<r xmlns="u"><b/></r>')
  })

  test('does not change the default after content was inserted that depends on it', async () => {
    const message = /!! the default namespace of <r> cannot be changed after content was inserted that depends on it/
    const appendFirst = (change: (tag: EditedTag) => void) => {
      return atTags((tag) => {
        tag.append(inU)
        change(tag)
      })
    }
    const remove = (tag: EditedTag) => tag.removeAttribute('xmlns')
    expect(await edit('<r xmlns="u"/>', { r: appendFirst(remove) })).toMatch(message)
    expect(await edit('<r xmlns="u"/>', { r: appendFirst((r) => r.setAttribute('xmlns', 'v')) })).toMatch(message)
    expect(await edit('<r/>', { r: appendFirst((r) => r.setAttribute('xmlns', 'v')) })).toMatch(message)
    expect(await edit('<r xmlns="u"/>', { r: appendFirst((r) => r.setAttribute('xmlns', 'u')) })).toBe(
      '<r xmlns="u"><x/></r>',
    )
    const text = atTags((r) => {
      r.append('text')
      r.setAttribute('xmlns', 'v')
      r.append(inU)
    })
    expect(await edit('<r xmlns="u"/>', { r: text })).toBe('<r xmlns="v">text<x xmlns="u"/></r>')
  })

  test('does not change the default of an element that is held after edits in it have depended on that', async () => {
    const message = /!! the default namespace of <r> cannot be changed after/
    const held: XmlEdits = { r: (r) => r.setAttribute('xmlns', 'v') }
    expect(await edit('<o><r><a/></r></o>', held)).toBe('<o><r xmlns="v"><a/></r></o>')
    expect(await edit('<o><r><a/></r></o>', { ...held, a: appending(inNone) })).toMatch(message)
    expect(await edit('<o><r><a/></r></o>', { ...held, a: atTags((a) => a.after(inNone)) })).toMatch(message)
    expect(await edit('<o><r><a xmlns=""><b/></a></r></o>', { ...held, a: unwrap })).toMatch(message)
    expect(await edit('<o><r><c><a/></c></r></o>', { ...held, c: unwrap, a: appending(inNone) })).toMatch(message)
    expect(await edit('<o><r><a xmlns="u"/></r></o>', { ...held, a: appending(inU) })).toBe(
      '<o><r xmlns="v"><a xmlns="u"><x/></a></r></o>',
    )
  })

  test('leaves attributes of one name in one namespace an error', async () => {
    const edits = { '/r': setting('xmlns:q', 'u'), a: setting('q:n', '1') }
    expect(await edit('<r xmlns:p="u"><a p:n="0"/></r>', edits)).toMatch(/!! q:n and p:n would be the same attribute/)
  })
})

test('an attribute that was removed may be set with another prefix', async () => {
  const edits = {
    a: atTags((a) => {
      a.setAttribute('p:m', '1')
      a.removeAttribute('p:n')
      a.setAttribute('q:n', '2')
      a.removeAttribute('q:n')
      a.setAttribute('p:n', '3')
    }),
  }
  expect(await edit('<a xmlns:p="u" xmlns:q="u" p:n="0"/>', edits)).toBe('<a xmlns:p="u" xmlns:q="u" p:n="3" p:m="1"/>')
})

describe('defaults from the document type', () => {
  const declaring = (attributes: string, content: string) => `<!DOCTYPE r [<!ATTLIST ${attributes}>]><r>${content}</r>`

  test('that declare namespaces do not go with the name of an element', async () => {
    const document = declaring('a xmlns:p CDATA #FIXED "u"', '<a><p:x/></a>')
    expect(await edit(document, { a: rename('b') })).toMatch(
      /<r>!! <a> cannot be renamed: the document type declares xmlns:p for elements with this name \(line 1/,
    )
    expect(await edit(document, { a: rename('a') })).toBe(document)
    const written = document.replace('<a>', '<a xmlns:p="u">')
    expect(await edit(written, { a: rename('b') })).toBe(written.replace(/(<\/?)a\b(?! xmlns:p C)/g, '$1b'))
    const declare = atTags((a) => {
      a.setAttribute('xmlns:p', 'u')
      a.rename('b')
    })
    expect(await edit(document, { a: declare })).toBe(document.replace('<a><p:x/></a>', '<b xmlns:p="u"><p:x/></b>'))
  })

  test.runIf(isThorough)('that have to do with namespaces do not come with a new name or a new element', async () => {
    const message = (attribute: string) =>
      `!! the document type gives all elements with the name b the attribute ${attribute}: new ones cannot have that name`
    for (const attribute of ['xmlns', 'xmlns:p', 'p:x']) {
      const document = declaring(`b ${attribute} CDATA "u"`, '<a/>')
      const contents = [inNone, { name: 'y', attributes: [], children: [{ name: 'b', attributes: [], children: [] }] }]
      for (const content of [{ name: 'b', attributes: [], children: [] }, contents, rawXml('<!--<c>--><b/>')]) {
        expect(await edit(document, { a: atTags((a) => a.after(content)) })).toContain(message(attribute))
      }
      expect(await edit(document, { a: rename('b') })).toContain(message(attribute))
      for (const content of ['<b>', rawXml('<!--<b>--><![CDATA[<b>]]><?t <b>?><bb/>')]) {
        expect(await edit(document, { a: atTags((a) => a.after(content)) })).not.toContain('!!')
      }
      const { error } = await editPieces([Buffer.from(document)], { a: rename('b') })
      expect(error).toMatchObject({ code: 'namespace-declaration' })
    }
    const document = declaring('b xml:space (preserve|default) "preserve" n CDATA "1" p:m CDATA #IMPLIED', '<a/>')
    expect(await edit(document, { a: rename('b') })).toBe(document.replace('<a/>', '<b/>'))
  })

  test('mean nothing for namespaces where these are off', async () => {
    const document = declaring('a xmlns:p CDATA "u"', '<a/>')
    const edits = { a: rename('b') }
    expect(await edit(document, edits, { namespaces: false })).toBe(document.replace('<a/>', '<b/>'))
  })

  test.runIf(isThorough)('do not come back where an attribute is removed', async () => {
    const message = /!! the attribute d is a default of the document type: it cannot be removed/
    const document = declaring('a d CDATA "1"', '<a d="2"/>')
    const steps: Record<string, (a: EditedTag) => void> = {
      d: (a) => a.removeAttribute('d'),
      set: (a) => a.setAttribute('d', '3'),
      name: (a) => a.rename('b'),
      back: (a) => a.rename('a'),
    }
    const changed = (names: string) =>
      edit(document, {
        a: atTags((a) => {
          for (const name of names.split(' ')) steps[name]?.(a)
        }),
      })
    expect(await changed('d')).toMatch(message)
    expect(await changed('set d')).toMatch(message)
    expect(await changed('name d back')).toMatch(message)
    expect(await changed('name d')).toBe(document.replace('<a d="2"/>', '<b/>'))
    expect(await changed('name d set back')).toBe(document.replace('"2"', '"3"'))
  })
})

test('prefixes and namespaces are looked up as they are in the result', async () => {
  const seen: unknown[] = []
  const look = (tag: EditedTag) => {
    seen.push([tag.lookupNamespace('p'), tag.lookupNamespace(''), tag.lookupPrefix('u'), tag.lookupPrefix('v')])
  }
  const document = '<r xmlns:p="u" xmlns:q="u"><a xmlns:p="v" xmlns="u"><b/></a><c/></r>'
  const edits: XmlEdits = {
    b: atTags(look),
    c: atTags((c) => {
      look(c)
      c.setAttribute('xmlns:s', 'v')
      look(c)
    }),
  }
  await edit(document, edits)
  expect(seen.slice(0, 3)).toEqual([
    ['v', 'u', 'q', 'p'],
    ['u', undefined, 'q', undefined],
    ['u', undefined, 'q', 's'],
  ])
  seen.length = 0
  await edit('<r xmlns:p="u"><c/></r>', { c: atTags(look) }, { namespaces: false })
  expect(seen[0]).toEqual([undefined, undefined, undefined, undefined])
})

test('raw markup may use the prefixes that hold there, and no others', async () => {
  const insert = (xml: string) => ({ a: atTags((a) => a.append(rawXml(xml))) })
  const raw = '<p:b q:c="1" d=" r:e "/>t:f<!-- s:g --><p:h:i/>'
  const document = '<r xmlns="u" xmlns:p="v" xmlns:q="w"><a/></r>'
  const correct = raw.replace('p:h:i', 'h')
  expect(await edit(document, insert(correct))).toBe(document.replace('<a/>', `<a>${correct}</a>`))
  expect(await edit(document, insert(raw))).toContain('!! raw markup is not well-formed content')
  expect(await edit(document, insert('<x:b/>'))).toContain('!! raw markup is not well-formed content')
  expect(await edit(document, insert('<b p:c="" p:c=""/>'))).toContain('!! raw markup is not well-formed content')
  const same = document.replace('"w"', '"v"')
  expect(await edit(same, insert('<b p:c="" q:c=""/>'))).toContain('!! raw markup is not well-formed content')
})

describe('work grows as documents do', () => {
  const edited = async (document: string, edits: XmlEdits) => {
    for await (const _ of editXml(Buffer.from(document), edits)) {
      // Each piece is made.
    }
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

  test.runIf(isThorough)('where elements that declare prefixes are nested deep', async () => {
    const make = (count: number) => {
      const tags = numbers(count).map((i) => `<a xmlns:p${i}="u">`)
      const document = `<r>${tags.join('')}${'</a>'.repeat(count)}</r>`
      return () => edited(document, { none: remove })
    }
    expect(await growthOf({ count: 5000, make })).toBeLessThan(MOST_GROWTH)
  })

  test.runIf(isThorough)('where elements that are edited are nested deep', async () => {
    const look = atTags((a) => a.setAttribute('xml:lang', `${a.lookupNamespace('q')} ${a.lookupPrefix('w')}`))
    for (const tag of ['<a>', '<a xmlns="u">', '<a xmlns:p="u">']) {
      const make = (count: number) => {
        const document = `<r>${tag.repeat(count)}${'</a>'.repeat(count)}</r>`
        return () => edited(document, { a: look })
      }
      expect(await growthOf({ count: 5000, make })).toBeLessThan(MOST_GROWTH)
    }
  })

  test.runIf(isThorough)('where content is inserted often below many prefixes', async () => {
    for (const insert of [
      (a: EditedTag) => a.append({ name: 'p0:b', attributes: { 'xmlns:q': 'v' } }),
      (a: EditedTag) => a.before({ name: 'b' }),
      (a: EditedTag) => a.append(rawXml('<p1:b p2:c="1"/>')),
    ]) {
      const make = (count: number) => {
        const declarations = numbers(count).map((i) => `xmlns:p${i}="u${i}"`)
        const document = `<r ${declarations.join(' ')}>${'<a/>'.repeat(count)}</r>`
        return () => edited(document, { a: atTags(insert) })
      }
      expect(await growthOf({ count: 500, make })).toBeLessThan(MOST_GROWTH)
    }
  })

  test.runIf(isThorough)('where all attributes of an element are set and removed', async () => {
    const make = (count: number) => {
      const names = numbers(count).map((i) => `p:n${i}`)
      const document = `<a xmlns:p="u" ${names.map((name) => `${name}="1"`).join(' ')}/>`
      const change = atTags((a) => {
        for (const name of names) a.setAttribute(name, '2')
        for (const name of names) a.removeAttribute(name)
        for (const name of names) a.setAttribute(`p:x${name.slice(2)}`, '2')
        for (const i of numbers(count)) a.setAttribute(`xmlns:q${i}`, 'v')
      })
      return () => edited(document, { a: change })
    }
    expect(await growthOf({ count: 2000, make })).toBeLessThan(MOST_GROWTH)
  })
})
