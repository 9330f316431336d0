// What edits make of documents. Each result is the same complete, byte by byte and at every cut.

import { describe, expect, test, vi } from 'vitest'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import {
  atTags,
  type EditedElement,
  type EditedTag,
  editXml,
  remove,
  rename,
  unwrap,
  type XmlEdits,
} from '../../../source/xml/edit/index.ts'
import { XmlError } from '../../../source/xml/index.ts'
import { rawXml } from '../../../source/xml/write/index.ts'
import { collect } from '../../support/collect.ts'
import { edit, editPieces } from '../../support/edited.ts'
import { sample } from '../../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'

const never = () => {
  throw new Error('it was called')
}

describe('edits at tags', () => {
  const cases: [what: string, document: string, edits: XmlEdits, result: string][] = [
    ['give another name', '<a><b  x="1" >t</b ></a>', { b: rename('longer') }, '<a><longer  x="1" >t</longer ></a>'],
    ['rename empty elements', '<a><b /></a>', { b: rename('c') }, '<a><c /></a>'],
    ['leave elements out', '<a>1<b>2<c/></b>3<b/>4</a>', { b: remove }, '<a>134</a>'],
    ['leave tags out', '<a>1<b x="1">2<c/></b>3<b/>4</a>', { b: unwrap }, '<a>12<c/>34</a>'],
    [
      'insert in the order of the DOM',
      '<a><b>x</b></a>',
      {
        b: atTags((b) => {
          for (const text of ['1', '2']) {
            b.before(text)
            b.after(text)
            b.prepend(text)
            b.append(text)
          }
        }),
      },
      '<a>12<b>21x12</b>21</a>',
    ],
    [
      'insert into empty elements',
      '<a><b /><b/></a>',
      {
        b: atTags((b) => {
          b.append('2')
          b.prepend('1')
          b.rename('c')
          b.after('3')
        }),
      },
      '<a><c >12</c>3<c>12</c>3</a>',
    ],
    ['replace content', '<a><b>x<b/></b></a>', { b: atTags((b) => b.setContent('<')) }, '<a><b>&lt;</b></a>'],
    ['replace content by nothing', '<a><b>x</b></a>', { b: atTags((b) => b.setContent('')) }, '<a><b></b></a>'],
    [
      'replace elements',
      '<a><b>x<b/></b></a>',
      { b: atTags((b) => b.replaceWith(['y', { type: 'comment', text: 'z' }])) },
      '<a>y<!--z--></a>',
    ],
    [
      'keep the bytes of attributes that do not change',
      '<a>\n<b\n  one = \'1\'  two="2&amp;"\tthree="3"\n/></a>',
      {
        b: atTags((b) => {
          b.setAttribute('two', '"<\n')
          b.setAttribute('four', '>')
        }),
      },
      '<a>\n<b\n  one = \'1\'  two="&quot;&lt;&#10;"\tthree="3" four="&gt;"\n/></a>',
    ],
    [
      'take attributes away with the blanks before them',
      '<a><b one="1"  two="2"\n three="3" /></a>',
      {
        b: atTags((b) => {
          b.removeAttribute('two')
          b.removeAttribute('three')
          b.removeAttribute('none')
        }),
      },
      '<a><b one="1" /></a>',
    ],
    [
      'change the root',
      '<?xml version="1.0"?>\n<!DOCTYPE a>\n<a><b/></a>\n<!--end-->\n',
      {
        '/a': atTags((a) => {
          a.rename('r')
          a.setAttribute('n', '1')
          a.before({ type: 'comment', text: 'c' })
          a.after({ type: 'instruction', target: 't', data: 'd' })
          a.append('!')
        }),
      },
      '<?xml version="1.0"?>\n<!DOCTYPE a>\n<!--c--><r n="1"><b/>!</r><?t d?>\n<!--end-->\n',
    ],
    ['are for attributes', '<a><b x="1"/><b x="2"/></a>', { 'b[@x="2"]': remove }, '<a><b x="1"/></a>'],
    [
      'follow each path by itself',
      '<a><b><c/></b><c/></a>',
      { c: rename('d'), 'b/c': atTags((c) => c.setAttribute('in', 'b')) },
      '<a><b><d in="b"/></b><d/></a>',
    ],
    [
      'go to matches in matches',
      '<a><b><b/></b></a>',
      { b: atTags((b) => b.setAttribute('n', '')) },
      '<a><b n=""><b n=""/></b></a>',
    ],
    ['do not go to what was removed', '<a><b><c/></b></a>', { b: remove, c: atTags(never) }, '<a></a>'],
    [
      'do not go to what was replaced',
      '<a><b><c/></b></a>',
      { b: atTags((b) => b.setContent('')), c: atTags(never) },
      '<a><b></b></a>',
    ],
    ['end with the first that removes the element', '<a><b/></a>', { b: remove, '*/b': atTags(never) }, '<a></a>'],
    [
      'keep references, sections and comments',
      '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;<b>&#65;<![CDATA[<]]></b><!--&--></a>',
      { b: unwrap },
      '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;&#65;<![CDATA[<]]><!--&--></a>',
    ],
    ['do not join brackets to the end of a section', '<a>]<b/>]<b/>></a>', { b: remove }, '<a>]]&gt;</a>'],
    ['do not join line ends', '<a>\r<b/>\n</a>', { b: remove }, '<a>\r&#10;</a>'],
  ]
  test.each(cases)('%s', async (_, document, edits, result) => {
    expect(await edit(document, edits)).toBe(result)
  })

  test('are called in the order of start tags, and waited for', async () => {
    const names: string[] = []
    const slow = atTags(async (tag) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      names.push(tag.attributes.get('n') as string)
      tag.removeAttribute('n')
    })
    const result = await editPieces([Buffer.from('<a n="1"><b n="2"><c n="3"/></b><d n="4"/></a>')], { '*': slow })
    expect(`${result.bytes}`).toBe('<a><b><c/></b><d/></a>')
    expect(names).toEqual(['1', '2', '3', '4'])
  })

  test('say what the document has', async () => {
    const seen: unknown[] = []
    const look = atTags((tag) => {
      tag.rename('x')
      seen.push([tag.name, tag.localName, tag.namespace, [...tag.attributes], tag.start])
    })
    await editPieces([Buffer.from('<é xmlns="u"><p:b xmlns:p="v" c="&lt;"/></é>')], { '*': look })
    expect(seen).toEqual([
      ['é', 'é', 'u', [['xmlns', 'u']], 0],
      [
        'p:b',
        'b',
        'v',
        [
          ['xmlns:p', 'v'],
          ['c', '<'],
        ],
        14,
      ],
    ])
  })

  test('cannot be made when they have ended, while others of the element are called', async () => {
    const kept: EditedTag[] = []
    const seen: unknown[] = []
    const use = async (tag: EditedTag) => {
      await undefined
      kept.push(tag)
      for (const one of kept) {
        try {
          one.append(`${kept.length}`)
        } catch (error) {
          seen.push((error as { code?: unknown }).code)
        }
      }
    }
    const edits: XmlEdits = { b: atTags(use), '*/b': atTags(use), 'a/b': use, 'a/*': (b) => void use(b) }
    const { bytes } = await editPieces([Buffer.from('<a><b/></a>')], edits)
    expect(`${bytes}`).toBe('<a><b>123</b></a>')
    expect(seen).toEqual(Array.from({ length: 1 + 2 + 4 }, () => 'edit-ended'))
  })

  test('cannot be made when they have ended', async () => {
    let kept: { setContent(text: string): void } | undefined
    await editPieces([Buffer.from('<a><b/></a>')], {
      b: atTags((tag) => {
        kept = tag
      }),
    })
    expect(() => kept?.setContent('x')).toThrow(expect.objectContaining({ name: 'TypeError', code: 'edit-ended' }))
  })
})

describe('edits with content', () => {
  test('give elements that cannot be read when their edits have ended, unless they were read before', async () => {
    const ended = expect.objectContaining({ name: 'TypeError', code: 'edit-ended' })
    const kept: EditedElement[] = []
    const look = () => {
      const [unread, read] = kept as [EditedElement, EditedElement]
      expect(() => unread.text).toThrow(ended)
      expect(() => unread.element).toThrow(ended)
      expect([read.text, read.element.childElements.length]).toEqual(['56', 1])
    }
    const keep = (b: EditedElement) => {
      kept.push(b)
      if (kept.length > 1) expect([b.text, b.element.name]).toEqual(['56', 'b'])
    }
    const document = '<a><b>12<i/>34</b><b>5<i/>6</b><c/></a>'
    expect(await edit(document, { b: keep, i: rename('j'), c: atTags(look), '*/c': () => void kept.splice(0) })).toBe(
      document.replaceAll('<i/>', '<j/>'),
    )
    await editPieces([Buffer.from('<a><b>12</b></a>')], { b: (b) => void kept.push(b), 'a/b': () => never() })
    expect(() => kept[0]?.text).toThrow(ended)
  })

  test('see the element with the entities and the namespaces of the document', async () => {
    const document =
      '<!DOCTYPE a [<!ENTITY e "E<x/>"><!ATTLIST b d CDATA "v">]><a xmlns="u" xmlns:p="w"><b p:c="&lt;">1&e;<p:i/></b></a>'
    const seen: unknown[] = []
    const look = ({ element, text }: EditedElement) => {
      const [, , inner] = element.children
      seen.push(text, element.namespace, element.attributes.details, element.start, element.end, inner)
    }
    expect(await edit(document, { '*:b': look })).toBe(document)
    const [text, namespace, details, start, end, inner] = seen
    const at = document.indexOf('<b p')
    expect([text, namespace, start, end]).toEqual(['1E', 'u', at, document.indexOf('</a>')])
    expect(details).toMatchObject([
      { name: 'p:c', namespace: 'w', value: '<', start: at + 3, end: at + 12 },
      { name: 'd', value: 'v' },
    ])
    expect(inner).toMatchObject({ name: 'p:i', namespace: 'w', start: document.indexOf('<p:i') })
  })

  test('come after edits at tags in the element, and keep what these have changed', async () => {
    const order: string[] = []
    const edits: XmlEdits = {
      b: (b) => {
        order.push('b')
        expect(b.element.childElements.map(({ name }) => name)).toEqual(['c', 'd'])
        b.rename('B')
        b.append('!')
      },
      c: atTags((c) => {
        order.push('c')
        c.rename('C')
      }),
      d: remove,
    }
    expect(await edit('<a><b><c>1</c><d/>2</b></a>', edits)).toBe('<a><B><C>1</C>2!</B></a>')
    expect(order.slice(0, 2)).toEqual(['c', 'b'])
  })

  test('are called for an element whose content is replaced already, and others in it are not', async () => {
    const seen: string[] = []
    const edits: XmlEdits = {
      a: atTags((a) => a.setContent('new')),
      'r/a': (a) => void seen.push(a.text),
      i: atTags(never),
      'a/j': never,
    }
    expect(await edit('<r><a><i>1</i><j/></a>-<a><i/></a><b/></r>', { ...edits, b: remove })).toBe(
      '<r><a>new</a>-<a>new</a></r>',
    )
    expect(seen.slice(0, 2)).toEqual(['1', ''])
    const entity = '<!DOCTYPE r [<!ENTITY e "<i/>">]><r><a>&e;</a></r>'
    expect(await edit(entity, edits)).toBe(entity.replace('&e;', 'new'))
  })

  test('may move what the element contains', async () => {
    const swap = (b: EditedElement) => b.setContent(b.element.children.toReversed())
    expect(await edit('<a><b>1<c x="&quot;"/>2</b></a>', { b: swap })).toBe('<a><b>2<c x="&quot;"/>1</b></a>')
  })

  test('may move elements, which bring the declarations that they need', async () => {
    const out = (b: EditedElement) => b.before(b.element.childElements)
    const document = '<a><b xmlns:p="u" xmlns="d"><p:c n="1"/><e/></b></a>'
    expect(await edit(document, { '*:b': out })).toBe(
      document.replace('<b', '<p:c n="1" xmlns:p="u"/><e xmlns="d"/><b'),
    )
  })

  test('cannot write an element that lacks the text of an entity', async () => {
    const edits: XmlEdits = { b: (b) => b.replaceWith(b.element), c: (c) => c.setContent(c.element.childElements) }
    const doctype = '<!DOCTYPE a SYSTEM "x.dtd">'
    const message = '!! the text of the entity e was left out when this was read'
    for (const b of ['<b>1&e;2</b>', '<b>1<i>&e;</i>2</b>', '<c>1<i/>&lt;<i>x&e;</i>2</c>']) {
      expect(await edit(`${doctype}<a>${b}<b>3</b></a>`, edits)).toContain(`${doctype}<a>${message}`)
    }
    const result = `${doctype}<a>&e;<b>&lt;</b>&e;<c><i/></c></a>`
    expect(await edit(`${doctype}<a>&e;<b>&lt;</b>&e;<c>&e;<i/>&e;</c></a>`, edits)).toBe(result)
  })

  test('are for elements that have a child', async () => {
    const edits: XmlEdits = { 'b[c]': (b) => b.remove() }
    expect(await edit('<a><b><c/></b><b><d/></b></a>', edits)).toBe('<a><b><d/></b></a>')
    expect(() => editXml('<a/>', { 'b[c]': remove })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('are called after those at the tag of the same element that stand before them', async () => {
    const edits: XmlEdits = {
      b: rename('c'),
      '*/b': (b) => b.setContent(`${b.text}${b.name}`),
      'a/b': atTags((b) => b.after('x')),
    }
    expect(await edit('<a><b>1</b></a>', edits)).toBe('<a><c>1b</c>x</a>')
    expect(await edit('<a><b>1</b></a>', { b: remove, 'a/b': never })).toBe('<a></a>')
  })
})

describe('edits that cannot be made', () => {
  const cases: [code: string, document: string, edits: XmlEdits, result: string][] = [
    ['root-element', '<a/>', { a: remove }, '!! the root <a> cannot be removed (line 1, column 1, byte 0)'],
    ['root-element', '<a/>', { a: unwrap }, '!! the root <a> cannot be unwrapped (line 1, column 1, byte 0)'],
    [
      'root-element',
      '\n<a/>',
      { a: atTags((a) => a.before('x')) },
      '\n!! beside the root <a>, only comments and instructions are allowed (line 2, column 1, byte 1)',
    ],
    [
      'match-in-entity',
      '<!DOCTYPE a [<!ENTITY e "<b/>">]><a>1&e;</a>',
      { b: remove },
      '<!DOCTYPE a [<!ENTITY e "<b/>">]><a>1!! <b> is in the text of the entity e: it cannot be edited (line 1, column 38, byte 37)',
    ],
    [
      'nested-edit',
      '<a><b>\n<c/></b></a>',
      { b: () => {}, c: () => {} },
      '<a>!! <c> is in <b>, which is held for its own edit (line 1, column 4, byte 3); edit one of both at its tags (line 2, column 1, byte 7)',
    ],
    ['invalid-name', '<a><b/></a>', { b: rename('1') }, '<a>!! "1" is not a name (line 1, column 4, byte 3)'],
    ['invalid-name', '<a><b/></a>', { b: rename('x:y:z') }, '<a>!! "x:y:z" is not a name (line 1, column 4, byte 3)'],
    [
      'invalid-character',
      '<a><b/></a>',
      { b: atTags((b) => b.setAttribute('c', '\0')) },
      '<a>!! the value of c has the character U+0000, which XML does not allow (line 1, column 4, byte 3)',
    ],
    [
      'undeclared-prefix',
      '<a><b/></a>',
      { b: rename('p:b') },
      '<a>!! the prefix p of p:b is not declared there (line 1, column 4, byte 3)',
    ],
    [
      'undeclared-prefix',
      '<a><b/></a>',
      { b: atTags((b) => b.setAttribute('p:b', '')) },
      '<a>!! the prefix p of p:b is not declared there (line 1, column 4, byte 3)',
    ],
    [
      'duplicate-attribute',
      '<a xmlns:p="u" xmlns:q="u" p:x="1"/>',
      { a: atTags((a) => a.setAttribute('q:x', '')) },
      '!! q:x and p:x would be the same attribute (line 1, column 1, byte 0)',
    ],
    [
      'declared-attribute',
      '<!DOCTYPE a [<!ATTLIST a b CDATA "c">]><a/>',
      { a: atTags((a) => a.removeAttribute('b')) },
      '<!DOCTYPE a [<!ATTLIST a b CDATA "c">]>!! the attribute b is a default of the document type: it cannot be removed (line 1, column 40, byte 39)',
    ],
    [
      'namespace-declaration',
      '<a xmlns:p="u"/>',
      { a: atTags((a) => a.removeAttribute('xmlns:p')) },
      '!! the declaration xmlns:p cannot be removed: its prefix may be in use (line 1, column 1, byte 0)',
    ],
    [
      'namespace-declaration',
      '<a xmlns:p="u"><b/></a>',
      { b: atTags((b) => b.setAttribute('xmlns:p', 'v')) },
      '<a xmlns:p="u">!! the prefix p stands for u there, and may be in use: it cannot get another namespace (line 1, column 16, byte 15)',
    ],
    [
      'namespace-declaration',
      '<a><b xmlns="u"/></a>',
      { b: unwrap },
      '<a>!! <b> cannot be unwrapped: it declares the default namespace (line 1, column 4, byte 3)',
    ],
  ]
  test.each(cases)(
    'are errors with the code %s, after what is before the element: %s',
    async (code, document, edits, result) => {
      expect(await edit(document, edits)).toBe(result)
      const { error } = await editPieces([Buffer.from(document)], edits)
      expect(error).toMatchObject({ name: 'XmlEditError', code })
    },
  )

  test('leave what an edit throws as it is', async () => {
    expect(await edit('<a>1<b/></a>', { b: never })).toBe('<a>1!! it was called')
    expect(await edit('<a>1<b/></a>', { b: async () => never() })).toBe('<a>1!! it was called')
  })
})

describe('errors of another document', () => {
  const error = new XmlError('another', { code: 'unexpected-input', byteOffset: 40, line: 1, column: 41 })
  const far = new XmlError('another', { code: 'unexpected-input', byteOffset: 4000, line: 1, column: 4001 })
  const document = `<r><s>secret</s>1<a/><s>secret</s>${'tail'.repeat(10)}</r>`

  test.each([error, far])('that an edit throws come after what is before its element', async (thrown) => {
    const fail = () => {
      throw thrown
    }
    for (const a of [fail, async () => fail(), atTags(fail), atTags(async () => fail())]) {
      const result = await editPieces([Buffer.from(document)], { s: remove, a })
      expect(`${result.bytes}`).toBe('<r>1')
      expect(result.error).toBe(thrown)
    }
  })

  test.each([error, far])('that a resolver throws come after what is before the reference', async (thrown) => {
    const doctype = '<!DOCTYPE r [<!ENTITY e SYSTEM "e">]>'
    const pieces = [Buffer.from(`${doctype}<r><s>secret</s>1&e;<s>secret</s>${'tail'.repeat(10)}</r>`)]
    const resolve = () => {
      throw thrown
    }
    const result = await editPieces(pieces, { s: remove }, { resolve })
    expect(`${doctype}<r>1`.startsWith(`${result.bytes}`)).toBe(true)
    expect(`${result.bytes}`).toMatch(/<r>/)
    expect(result.error).toBe(thrown)
  })

  test('do not copy what is removed where the document has an error too', async () => {
    const result = await editPieces([Buffer.from('<r><s>secret</s>1<a/><s>secret</s></q>')], {
      s: remove,
      a: () => {
        throw far
      },
    })
    expect(`${result.bytes}`).toBe('<r>1')
    expect(result.error).toBe(far)
  })
})

describe('raw XML', () => {
  test('is inserted as it is, with entities of the document', async () => {
    const document = '<!DOCTYPE a [<!ENTITY e "x"><!ENTITY f "<y/>">]><a><b/></a>'
    const insert = (xml: string) => ({ b: atTags((b) => b.append(rawXml(xml))) })
    expect(await edit(document, insert("<c d='&e;'/>&e;"))).toBe(document.replace('<b/>', "<b><c d='&e;'/>&e;</b>"))
    for (const xml of ['<c>', '&f;', '&none;', '<p:c/>', ']]>', '<c/', '<!DOCTYPE a>']) {
      const { error } = await editPieces([Buffer.from(document)], insert(xml))
      expect(error, xml).toMatchObject({ name: 'XmlEditError', code: 'invalid-content', byteOffset: 51 })
    }
  })

  test('is inserted into documents that declare predefined entities', async () => {
    const names = ['lt "&#38;#60;"', 'gt "&#62;"', 'amp "&#38;#38;"', 'apos "&#39;"', 'quot "&#34;"', 'e "x"']
    const document = `<!DOCTYPE a [${names.map((name) => `<!ENTITY ${name}>`).join('')}]><a><b/></a>`
    const raw = '&lt;&gt;&amp;&apos;&quot;&e;'
    const edits = { b: atTags((b: EditedTag) => b.append(rawXml(raw))) }
    expect(await edit(document, edits)).toBe(document.replace('<b/>', `<b>${raw}</b>`))
  })

  test('is checked in time in proportion to its length, whatever the document declares', async () => {
    const make = (count: number) => {
      const entities = Array.from({ length: count }, (_, i) => `<!ENTITY e${i} "x">`)
      const document = Buffer.from(`<!DOCTYPE a [${entities.join('')}]><a>${'<b/>'.repeat(count)}</a>`)
      return () => collect(editXml(document, { b: atTags((b) => b.append(rawXml('<c/>&e0;'))) }))
    }
    expect(await growthOf({ count: 500, make })).toBeLessThan(MOST_GROWTH)
  })

  test('may use prefixes that are declared in the element', async () => {
    const edits: XmlEdits = {
      b: atTags((b) => {
        b.setAttribute('xmlns:p', 'u')
        b.append(rawXml('<p:c/>'))
      }),
    }
    expect(await edit('<a><b/></a>', edits)).toBe('<a><b xmlns:p="u"><p:c/></b></a>')
  })

  const joins: [what: string, change: (b: EditedTag) => void, result: string][] = [
    ['appended', (b) => void [']]', '>'].map((xml) => b.append(rawXml(xml))), '<b>k]]&gt;</b>'],
    ['inserted before', (b) => void [']', ']', '>'].map((xml) => b.before(rawXml(xml))), ']]&gt;<b>k</b>'],
    ['inserted after', (b) => void ['\n', ']>', ']', '\r'].map((xml) => b.after(rawXml(xml))), '<b>k</b>\n]]&gt;\n'],
    ['prepended', (b) => void ['\n', '\r'].map((xml) => b.prepend(rawXml(xml))), '<b>\n\nk</b>'],
    [
      'put around content that is replaced',
      (b) => {
        b.setContent(rawXml(']>'))
        b.prepend(rawXml(']'))
        b.append(rawXml('\r'))
        b.append('\n')
      },
      '<b>]]&gt;\n\n</b>',
    ],
    [
      'put at the beginning of an element whose tags are left out',
      (b) => {
        b.before(rawXml(']]'))
        b.prepend(rawXml('>'))
        b.unwrap()
      },
      ']]&gt;k',
    ],
    [
      'put at the end of an element whose tags are left out',
      (b) => {
        b.append(rawXml(']]'))
        b.after(rawXml('>'))
        b.unwrap()
      },
      'k]]&gt;',
    ],
    [
      'put around an element that is removed',
      (b) => {
        b.before(rawXml('\r'))
        b.after('\n')
        b.remove()
      },
      '\n\n',
    ],
  ]
  test.each(joins)('does not become other text when pieces are %s', async (_, change, result) => {
    expect(await edit('<a><b>k</b></a>', { b: atTags(change) })).toBe(`<a>${result}</a>`)
    expect(await edit('<a><b>k</b></a>', { b: change })).toBe(`<a>${result}</a>`)
    // In an element that is held.
    expect(await edit('<a><b>k</b></a>', { a: () => {}, b: atTags(change) })).toBe(`<a>${result}</a>`)
  })

  test('beside the root has no references at line ends', async () => {
    for (const line of sample(['\r', '', '\n', '\r\n'], 2)) {
      for (const inserted of sample(['\r', '\n', '\r\n', '\n\r'], 2)) {
        const change = (a: EditedTag) => {
          a.before(rawXml(inserted))
          a.after(rawXml(inserted))
          a.before(rawXml('\n'))
          a.after(rawXml('\r'))
          a.rename('r')
          a.append('x')
        }
        for (const [a, r] of [
          ['<a/>', '<r>x</r>'],
          ['<a\r>k</a\n>', '<r\r>kx</r\n>'],
        ] as const) {
          // A carriage return of raw XML that stands alone becomes a line feed.
          const written = inserted.replace(/\r(?!\n)/g, '\n')
          const result = `<!--c-->${line}${written}\n${r}\n${written}${line}`
          expect(await edit(`<!--c-->${line}${a}${line}`, { '/a': atTags(change) })).toBe(result)
          expect(await edit(`<!--c-->${line}${a}${line}`, { '/a': change })).toBe(result)
        }
      }
    }
  })

  test('does not end a section with what stands beside it', async () => {
    const edits: XmlEdits = { b: atTags((b) => b.replaceWith(rawXml('>'))) }
    expect(await edit('<a>]]<b/></a>', edits)).toBe('<a>]]&gt;</a>')
  })
})

describe('namespaces', () => {
  test('may be declared with a new prefix, which names can have then', async () => {
    const declare = atTags((b) => {
      b.setAttribute('xmlns:q', 'v')
      b.setAttribute('q:n', '1')
      b.rename('q:b')
    })
    expect(await edit('<a><b/></a>', { b: declare })).toBe('<a><q:b xmlns:q="v" q:n="1"/></a>')
  })

  test('may have another default', async () => {
    expect(await edit('<a xmlns="u"/>', { '*:a': atTags((a) => a.removeAttribute('xmlns')) })).toBe('<a/>')
    expect(await edit('<a xmlns="u"/>', { '*:a': atTags((a) => a.setAttribute('xmlns', 'v')) })).toBe('<a xmlns="v"/>')
  })

  test('decide what paths match, with the prefixes that are given', async () => {
    const options = { prefixes: { x: 'u' } }
    expect(await edit('<a xmlns:p="u"><p:b/><b/></a>', { 'x:b': remove }, options)).toBe('<a xmlns:p="u"><b/></a>')
  })

  test('mean nothing where they are off', async () => {
    const edits: XmlEdits = { 'p:b': rename('q:c:d') }
    expect(await edit('<a><p:b/></a>', edits, { namespaces: false })).toBe('<a><q:c:d/></a>')
  })
})

describe('documents with an error', () => {
  test('are copied up to the error', async () => {
    expect(await edit('<a>text &x; more</a>', { b: remove })).toMatch(/^<a>text !! the entity x is not declared/)
    expect(await edit('<a>text<b>1</b></c>', { b: rename('d') })).toMatch(/^<a>text<d>1<\/d><\/!! the end tag/)
  })

  test('have nothing of an element that is held', async () => {
    expect(await edit('<a>1<b>text', { b: () => {} })).toMatch(/^<a>1!! /)
  })
})

describe('large documents', () => {
  const row = `<row><n>1</n>${'x'.repeat(2000)}</row>\n`
  /** So many megabytes, and how much of it was read. */
  function* rows(megabytes: number, progress: { read: number }): Generator<Uint8Array> {
    const piece = Buffer.from(row.repeat(520))
    yield Buffer.from('<r>')
    for (let i = 0; i < megabytes; i++) {
      progress.read += piece.length
      yield piece
    }
    yield Buffer.from('</r>')
  }

  test.each<[string, XmlEdits]>([
    ['without a match', { 'row/none': remove }],
    ['with a root that is changed', { r: atTags((r) => r.append('end')) }],
    ['with a change in each row', { n: (n) => n.setContent(`${n.text}!`) }],
    ['whose rows are left out', { row: remove }],
  ])('are not held: %s', async (_, edits) => {
    const progress = { read: 0 }
    let written = 0
    let most = 0
    const source = (async function* () {
      yield* rows(40, progress)
    })()
    for await (const bytes of editXml(source, edits)) {
      written += bytes.length
      most = Math.max(most, progress.read - written)
    }
    if (!('row' in edits)) expect(most).toBeLessThan(6 * 1024 * 1024)
  })

  test('hold a text of any length no longer than it takes to copy it', async () => {
    let read = 0
    let written = 0
    let most = 0
    const source = (async function* () {
      yield '<a>'
      for (let i = 0; i < 60; i++) {
        read += 500_000
        yield 'x'.repeat(500_000)
      }
      yield '</a>'
    })()
    for await (const bytes of editXml(source, { b: remove })) {
      written += bytes.length
      most = Math.max(most, read - written)
    }
    expect(written).toBe(30_000_007)
    expect(most).toBeLessThan(6 * 1024 * 1024)
  })

  test('have the limit of their source for an element that is held', async () => {
    const cache = new StreamCache({ limits: { maxRetained: 100 } })
    const fed = (async () => {
      for (let i = 0; i < 60; i++) {
        await cache.ready()
        cache.write(i === 0 ? '<a><b>' : 'xxxxxxxxxx')
      }
    })()
    fed.catch(() => {})
    await expect(collect(editXml(cache, { b: () => {} }))).rejects.toMatchObject({
      code: 'retained-limit',
      limit: 100,
      message: expect.stringContaining('more than 100 bytes (maxRetained)'),
    })
    await cache.cancel()
  })

  test('have a limit for an element that is held, which the error names', async () => {
    const document = `<a>\n<b>${'x'.repeat(100_000)}</b></a>`
    const { bytes, error } = await editPieces(
      [Buffer.from(document)],
      { b: () => {} },
      { limits: { maxRetained: 50_000 } },
    )
    expect(`${bytes}`).toBe('<a>\n')
    expect(error).toMatchObject({
      name: 'LimitError',
      code: 'retained-limit',
      byteOffset: 4,
      line: 2,
      column: 1,
      limit: 50_000,
    })
    expect(error?.message).toMatch(/<b> is held for its edit/)
  })
})

test.each<[string, (edit: (element: EditedTag) => Promise<void>) => XmlEdits]>([
  ['at its tags', (edit) => ({ b: atTags(edit) })],
  ['with its content', (edit) => ({ b: edit })],
])('what is before an element is delivered while its edit %s is slow', async (_, editsOf) => {
  let settle = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    settle = resolve
  })
  const edits = editsOf(async (b) => {
    await waiting
    b.after('new')
  })
  const edited = editXml('<a>1<b>2</b>3</a>', edits)
  expect(`${Buffer.from((await edited.next()).value as Uint8Array)}`).toBe('<a>1')
  settle()
  expect(`${Buffer.from(await collect(edited))}`).toBe('<b>2</b>new3</a>')
})

test('an edit that is asynchronous and waits for nothing sets no timer', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const edited = await collect(editXml('<a>1<b/>2<b/></a>', { b: atTags(async (b) => b.after('new')) }))
  expect(`${Buffer.from(edited)}`).toBe('<a>1<b/>new2<b/>new</a>')
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
})

test('an error of a slow edit comes after what is before its element', async () => {
  const fail = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    throw new Error('it failed')
  }
  expect(await editPieces([Buffer.from('<a>1<b/></a>')], { b: fail })).toMatchObject({
    bytes: Buffer.from('<a>1'),
    error: { message: 'it failed' },
  })
})

test('bytes that were yielded are not used again', async () => {
  const document = Buffer.from(`<r>${'<row>some text</row>\n'.repeat(200_000)}</r>`)
  const yielded = await collect(
    editXml([document.subarray(0, 2_000_000), document.subarray(2_000_000)], { 'row/x': remove }),
  )
  expect(Buffer.compare(yielded, document)).toBe(0)
})

describe('wrong use', () => {
  test.each<[string, () => unknown]>([
    ['edits that are no object', () => editXml('<a/>', 1 as never)],
    ['edits in a map', () => editXml('<a/>', new Map([['a', remove]]) as never)],
    ['an edit that is no function', () => editXml('<a/>', { a: 1 as never })],
    ['a path that is none', () => editXml('<a/>', { 'a[': remove })],
    ['an unknown option', () => editXml('<a/>', {}, { fragment: true } as never)],
    ['an encoding to convert to that is not UTF-8', () => editXml('<a/>', {}, { convert: 'utf-16' as never })],
  ])('is refused: %s', (_, use) => {
    expect(use).toThrow(expect.objectContaining({ code: 'invalid-option' }))
  })

  test('of a method is an error with a code', async () => {
    const { error } = await editPieces([Buffer.from('<a/>')], { a: atTags((a) => a.setAttribute('x', 1 as never)) })
    expect(error).toMatchObject({
      name: 'TypeError',
      code: 'invalid-option',
      message: 'the value of x must be a string, not 1',
    })
  })
})

test('an edit that returns something is refused, since that changes nothing', async () => {
  const edits = [(b: EditedTag) => `${b.name}!`, async () => 'text', () => null] as ((b: EditedTag) => void)[]
  for (const change of edits) {
    for (const b of [change, atTags(change)]) {
      const refused = collect(editXml('<a><b>k</b></a>', { b }))
      await expect(refused).rejects.toMatchObject({ name: 'TypeError', code: 'edit-returned' })
    }
  }
})

test('an edit can ask for an attribute by its name', async () => {
  const found: unknown[] = []
  const look = (b: EditedTag) => void found.push(b.attribute('n'), b.attribute('*:n'), b.attribute('m'))
  await collect(editXml('<a><b n="1"/></a>', { b: atTags(look) }))
  expect(found).toEqual(['1', '1', undefined])
})

test('a comment of any length may stand before the root', async () => {
  const comment = `<!--${'x'.repeat(12_000_000)}--><?p?>\n`
  const { bytes, error } = await editPieces([Buffer.from('<a/>')], { a: atTags((a) => a.before(rawXml(comment))) })
  expect(error).toBeUndefined()
  expect(Buffer.from(bytes).equals(Buffer.from(`${comment}<a/>`))).toBe(true)
})
