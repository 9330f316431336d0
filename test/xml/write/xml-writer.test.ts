// Documents that are written call by call.

import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { parseXml, XylemError } from '../../../source/xml/index.ts'
import {
  rawXml,
  type XmlQualifiedName,
  type XmlWriteElement,
  XmlWriteError,
  type XmlWriteName,
  XmlWriter,
  type XmlWriterOptions,
} from '../../../source/xml/write/index.ts'
import { isThorough } from '../../support/extent.ts'
import { canonicalize } from '../../support/rewritten.ts'

/** The text of a document. */
async function written(write: (writer: XmlWriter) => void, options: XmlWriterOptions = {}): Promise<string> {
  const writer = new XmlWriter(options)
  write(writer)
  writer.end()
  return new Response(writer.readable).text()
}

/** The text of what is in a root element. */
async function inRoot(write: (writer: XmlWriter) => void, options: XmlWriterOptions = {}): Promise<string> {
  const text = await written((writer) => {
    writer.startElement('r')
    write(writer)
    writer.endElement('r')
  }, options)
  return text.replace(/^<r>|<\/r>$/g, '')
}

/** The error of a call, and what is written before it is complete. */
function errorOf(write: (writer: XmlWriter) => void, options: XmlWriterOptions = {}): XmlWriteError {
  try {
    write(new XmlWriter(options))
  } catch (error) {
    expect(error).toBeInstanceOf(XmlWriteError)
    return error as XmlWriteError
  }
  throw new Error('there was no error')
}

describe('a document', () => {
  test('has what was written, in its order', async () => {
    const text = await written((writer) => {
      writer.declaration({ standalone: true })
      writer.doctype('r', { systemId: 'r.dtd', internalSubset: '<!ENTITY e "f">' })
      writer.comment(' c ')
      writer.startElement('r', { a: '1' })
      writer.attribute('b', '2')
      writer.text('x')
      writer.cdata('<y>')
      writer.element('z', new Map([['c', '3']]), ['t', { type: 'comment', text: 'u' }])
      writer.instruction('p', 'q')
      writer.raw('<v/>&e;')
      writer.endElement()
      writer.instruction('end')
    })
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><!DOCTYPE r SYSTEM "r.dtd" [<!ENTITY e "f">]><!-- c -->' +
        '<r a="1" b="2">x<![CDATA[<y>]]><z c="3">t<!--u--></z><?p q?><v/>&e;</r><?end?>',
    )
  })

  test('has references for what would not come back', async () => {
    expect(await inRoot((writer) => writer.text('a&b<c>d\r\n\t"\''))).toBe('a&amp;b&lt;c&gt;d&#13;\n\t"\'')
    expect(await inRoot((writer) => writer.element('a', { b: '&<>"\'\t\n\r' }))).toBe(
      '<a b="&amp;&lt;&gt;&quot;\'&#9;&#10;&#13;"/>',
    )
  })

  test('does not end a CDATA section, or text, where it must not, also across two calls', async () => {
    expect(await inRoot((writer) => writer.cdata('a]]>b]]]>'))).toBe('<![CDATA[a]]]]><![CDATA[>b]]]]]><![CDATA[>]]>')
    const both = await inRoot((writer) => {
      writer.text(']]')
      writer.text('>')
      writer.cdata(']]')
      writer.text('>')
      writer.cdata('>')
    })
    expect(both).toBe(']]&gt;<![CDATA[]]]]>&gt;<![CDATA[>]]>')
    expect(parseXml(`<r>${both}</r>`).root.text).toBe(']]>]]>>')
  })

  test.runIf(isThorough)('is read as its parts are, wherever texts and raw markup meet', async () => {
    const parts = [']', ']]', '>', ']>', '\r', '\n', '\r\n', 'a']
    const isRaw = [false, true]
    for (const one of parts) {
      for (const two of parts) {
        for (const three of parts) {
          for (const kinds of isRaw.flatMap((a) => isRaw.flatMap((b) => isRaw.map((c) => [a, b, c])))) {
            const text = await inRoot((writer) => {
              for (const [i, part] of [one, two, three].entries()) {
                if (kinds[i]) writer.raw(part)
                else writer.text(part)
              }
            })
            // The parser normalises line ends of raw markup, each by itself.
            const expected = [one, two, three].map((part, i) => (kinds[i] ? part.replace(/\r\n?/g, '\n') : part))
            expect(parseXml(`<r>${text}</r>`).root.text, text).toBe(expected.join(''))
          }
        }
      }
    }
    expect(await inRoot((writer) => writer.element('a', {}, [']]', rawXml('>')]))).toBe('<a>]]&gt;</a>')
    const taken = new XmlWriter()
    const reader = taken.readable.getReader()
    taken.startElement('r')
    taken.raw(']]')
    await reader.read()
    taken.raw('>')
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('&gt;')
  })

  test('can be in UTF-16, with a byte order mark', async () => {
    for (const encoding of ['utf-16', 'utf-16le', 'utf-16be'] as const) {
      const writer = new XmlWriter({ encoding })
      writer.declaration()
      writer.element('é', {}, '😀')
      writer.end()
      const bytes = new Uint8Array(await new Response(writer.readable).arrayBuffer())
      expect([...bytes.subarray(0, 2)]).toEqual(encoding === 'utf-16be' ? [0xfe, 0xff] : [0xff, 0xfe])
      const { root, declaration } = parseXml(bytes)
      expect([root.name, root.text, declaration?.encoding]).toEqual(['é', '😀', 'UTF-16'])
    }
  })

  test('can be in ISO-8859-1 and US-ASCII, by names in any case, with references for what these lack', async () => {
    const write = async (encoding: XmlWriterOptions['encoding'], isDeclared: boolean) => {
      const writer = new XmlWriter({ encoding })
      if (isDeclared) writer.declaration({ standalone: true })
      writer.element('r', { a: 'é€' }, ['é', '😀'])
      writer.end()
      const bytes = new Uint8Array(await new Response(writer.readable).arrayBuffer())
      const { root } = parseXml(bytes)
      expect([root.attribute('a'), root.text]).toEqual(['é€', 'é😀'])
      return new TextDecoder('latin1').decode(bytes)
    }
    const latin1 = '<r a="é&#8364;">é&#128512;</r>'
    const ascii = '<r a="&#233;&#8364;">&#233;&#128512;</r>'
    for (const encoding of ['iso-8859-1', 'ISO-8859-1'] as const) {
      expect(await write(encoding, false)).toBe(`<?xml version="1.0" encoding="ISO-8859-1"?>${latin1}`)
      expect(await write(encoding, true)).toBe(`<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>${latin1}`)
    }
    expect(await write('US-ASCII', false)).toBe(ascii)
    expect(await write('us-ascii', true)).toBe(`<?xml version="1.0" encoding="US-ASCII" standalone="yes"?>${ascii}`)
    expect(await write('UTF-8', false)).not.toContain('&#')
    await write('UTF-16BE', true)
  })

  test('refuses what its encoding lacks where no reference can stand', () => {
    const writer = new XmlWriter({ encoding: 'us-ascii' })
    const lacks = /which the encoding does not have|the encoding does not have the character/
    expect(() => writer.doctype('r', { internalSubset: '<!ENTITY e "é">' })).toThrow(lacks)
    expect(() => writer.comment('é')).toThrow(lacks)
    expect(() => writer.startElement('é')).toThrow(lacks)
    writer.startElement('r')
    expect(() => writer.raw('é')).toThrow(lacks)
    expect(() => writer.cdata('é')).toThrow(lacks)
    expect(() => new XmlWriter({ encoding: 'windows-1252' as 'utf-8' })).toThrow(/must be one of utf-8, .*us-ascii/)
  })

  test('has empty elements of one tag or of two', async () => {
    const write = (writer: XmlWriter) => {
      writer.element('a')
      writer.element('b', {}, '')
    }
    expect(await inRoot(write)).toBe('<a/><b/>')
    expect(await inRoot(write, { selfClose: false })).toBe('<a></a><b></b>')
  })
})

describe('lines', () => {
  test('are added where there is no text beside them, and nowhere in an element that has text', async () => {
    const text = await written(
      (writer) => {
        writer.declaration()
        writer.comment('c')
        writer.startElement('r')
        writer.element('a', {}, 't')
        writer.startElement('m')
        writer.element('b', {}, [{ name: 'c', attributes: [], children: [] }])
        writer.text('late')
        writer.endElement()
        writer.startElement('d')
        writer.element('e')
        writer.comment('f')
        writer.endElement()
        writer.element('p', { 'xml:space': 'preserve' }, [{ name: 'q', attributes: [], children: [] }])
        writer.endElement()
      },
      { indent: 2 },
    )
    expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!--c-->
<r>
  <a>t</a>
  <m><b><c/></b>late</m>
  <d>
    <e/>
    <!--f-->
  </d>
  <p xml:space="preserve"><q/></p>
</r>
`)
  })

  test('stay when they were written long before text comes, which is refused then', () => {
    const error = errorOf(
      (writer) => {
        writer.startElement('r')
        for (let i = 0; i < 20_000; i++) writer.element('a')
        writer.text('x')
      },
      { indent: '\t' },
    )
    expect(error).toMatchObject({ code: 'indented-text', openElements: ['r'] })
  })
})

describe('namespaces', () => {
  test('are declared where they are needed', async () => {
    const text = await written((writer) => {
      writer.startElement({ namespace: 'u', localName: 'a' }, [[{ namespace: 'v', localName: 'x', prefix: 'p' }, '1']])
      writer.element({ namespace: 'v', localName: 'b' })
      writer.element({ namespace: undefined, localName: 'c' }, {}, [])
      writer.element({ namespace: 'u', localName: 'd', prefix: '' })
      writer.element({ namespace: 'w', localName: 'e', prefix: 'p' })
      writer.element({ namespace: 'w', localName: 'f' }, [[{ namespace: 'w', localName: 'y' }, '2']])
      writer.element('g', [[{ namespace: 'http://www.w3.org/XML/1998/namespace', localName: 'lang' }, 'en']])
      writer.endElement()
    })
    expect(text).toBe(
      '<a p:x="1" xmlns="u" xmlns:p="v"><p:b/><c xmlns=""/><d/><ns1:e xmlns:ns1="w"/>' +
        '<f ns1:y="2" xmlns="w" xmlns:ns1="w"/><g xml:lang="en"/></a>',
    )
    const names = parseXml(text).root.childElements.map(({ namespace, localName }) => [namespace, localName])
    expect(names).toEqual([
      ['v', 'b'],
      [undefined, 'c'],
      ['u', 'd'],
      ['w', 'e'],
      ['w', 'f'],
      ['u', 'g'],
    ])
  })

  test('may be declared after the start of the element', async () => {
    const text = await written((writer) => {
      writer.startElement('p:a')
      writer.attribute('p:b', '1')
      writer.attribute('xmlns:p', 'u')
      writer.element({ namespace: 'u', localName: 'c' })
      writer.endElement()
    })
    expect(text).toBe('<p:a p:b="1" xmlns:p="u"><p:c/></p:a>')
  })

  test('make the name at the end of an element one of three, with content or without', async () => {
    const [p, q] = ['u', 'v'].map((namespace) => ({ namespace, localName: 'a', prefix: 'p' })) as [
      XmlQualifiedName,
      XmlQualifiedName,
    ]
    const xml = { namespace: 'http://www.w3.org/XML/1998/namespace', localName: 'a' }
    const started: [XmlWriteName, rights: (XmlWriteName | undefined)[], wrongs: XmlWriteName[]][] = [
      // Another prefix is chosen.
      [
        q,
        [undefined, 'a', 'ns1:a', q, { namespace: 'v', localName: 'a' }],
        ['p:a', 'b', 'v', p, { ...q, localName: 'b' }],
      ],
      [p, ['a', 'p:a', p, { ...p, prefix: 'z' }], ['q:a', q, { namespace: undefined, localName: 'a' }]],
      ['p:a', ['a', 'p:a', p], [q, ':a', 'p:', '']],
      ['a', ['a', { namespace: '', localName: 'a' }, { namespace: undefined, localName: 'a' }], ['p:a', p, q]],
      [{ namespace: 'w', localName: 'a' }, ['a', { namespace: 'w', localName: 'a' }], ['w:a', p]],
      [xml, ['a', 'xml:a', xml], ['p:a', p]],
    ]
    for (const [name, rights, wrongs] of started) {
      for (const right of rights) {
        for (const content of ['', 'x']) {
          const text = await written((writer) => {
            writer.startElement('r', { 'xmlns:p': 'u' })
            writer.startElement(name)
            writer.text(content)
            const open = writer.openElements
            for (const wrong of wrongs) {
              expect(() => writer.endElement(wrong), JSON.stringify([name, wrong, content])).toThrow(
                expect.objectContaining({ code: 'wrong-end' }),
              )
              for (const none of [null, 5, { namespace: 'u', localName: 'a b' }]) {
                expect(() => writer.endElement(none as unknown as string)).toThrow(
                  expect.objectContaining({ code: 'invalid-name' }),
                )
              }
            }
            expect(writer.openElements).toEqual(open)
            writer.endElement(right)
            writer.endElement()
          })
          expect(parseXml(text).root.childElements[0]).toMatchObject({ localName: 'a', text: content })
          expect(text.includes('/></r>')).toBe(content === '')
        }
      }
    }
    const error = errorOf((writer) => {
      writer.startElement('a')
      writer.endElement(q)
    })
    expect(error.message).toBe('the end of a in the namespace v cannot end <a>, in a')
  })

  test('are not compared at the end of an element where they are off', async () => {
    const text = await written(
      (writer) => {
        writer.startElement({ namespace: 'u', localName: 'a', prefix: 'p' })
        expect(() => writer.endElement('a')).toThrow('cannot end <p:a>')
        expect(() => writer.endElement({ namespace: 'u', localName: 'a' })).toThrow('cannot end <p:a>')
        writer.endElement({ namespace: 'v', localName: 'a', prefix: 'p' })
      },
      { namespaces: false },
    )
    expect(text).toBe('<p:a/>')
  })

  test('are not looked at where they are off', async () => {
    const text = await written((writer) => writer.element('p:a', { 'q:b': '1', xmlns: 'u' }), { namespaces: false })
    expect(text).toBe('<p:a q:b="1" xmlns="u"/>')
  })
})

describe('hostile content', () => {
  const names = ['a b', 'a>', 'a/', '', '1', 'a"', "a='", '<a', 'a\n', '-a', 'a:b:c', ':a', 'a\u{0}', '\ud800']
  test.each(names)('in the name %j is refused', (name) => {
    expect(errorOf((writer) => writer.startElement(name)).code).toBe('invalid-name')
    expect(errorOf((writer) => writer.element('r', { [name]: '1' })).code).toBe('invalid-name')
    expect(errorOf((writer) => writer.instruction(name)).code).toMatch(/^invalid-/)
    expect(errorOf((writer) => writer.doctype(name)).code).toBe('invalid-name')
    expect(errorOf((writer) => writer.startElement({ namespace: 'u', localName: name })).code).toBe('invalid-name')
  })

  const calls: [what: string, code: string, write: (writer: XmlWriter) => void][] = [
    ['a comment that ends', 'invalid-comment', (writer) => writer.comment('a--><b/>')],
    ['a comment with a hyphen at its end', 'invalid-comment', (writer) => writer.comment('a-')],
    ['a comment with a carriage return', 'invalid-comment', (writer) => writer.comment('a\rb')],
    ['an instruction that ends', 'invalid-instruction', (writer) => writer.instruction('a', '?><b/>')],
    ['an instruction that is a declaration', 'invalid-instruction', (writer) => writer.instruction('XML', '')],
    ['data that begins with a blank', 'invalid-instruction', (writer) => writer.instruction('a', ' b')],
    ['a carriage return in CDATA', 'invalid-cdata', (writer) => writer.cdata('\r')],
    ['a control character', 'invalid-character', (writer) => writer.text('\u{1}')],
    ['half of a pair', 'invalid-character', (writer) => writer.text('a\ud83d')],
    ['the other half', 'invalid-character', (writer) => writer.text('\ude00a')],
    ['half of a pair in a value', 'invalid-character', (writer) => writer.element('a', { b: '\ud83d' })],
    ['what is no character in CDATA', 'invalid-character', (writer) => writer.cdata('\uffff')],
    ['raw markup that ends the element', 'invalid-raw', (writer) => writer.raw('</r><r>')],
    ['half of a pair in raw markup', 'invalid-raw', (writer) => writer.raw('<i>a\ud83d</i>')],
    [
      'half of a pair in the raw markup of an element',
      'invalid-raw',
      (writer) => writer.element('b', {}, rawXml('\ude00')),
    ],
    ['raw markup that is not complete', 'invalid-raw', (writer) => writer.raw('<a>')],
    ['raw markup with an unknown entity', 'invalid-raw', (writer) => writer.raw('&nbsp;')],
    ['raw markup with an unknown prefix', 'invalid-raw', (writer) => writer.element('b', {}, rawXml('<p:a/>'))],
    [
      'an attribute twice',
      'duplicate-attribute',
      (writer) =>
        writer.element('a', [
          ['b', '1'],
          ['b', '2'],
        ]),
    ],
    ['a prefix that is not declared', 'undeclared-prefix', (writer) => writer.element('p:a')],
    ['an element with the prefix xmlns', 'invalid-name', (writer) => writer.element('xmlns:a')],
    ['a prefix that stands for nothing', 'invalid-namespace', (writer) => writer.element('a', { 'xmlns:p': '' })],
    ['a second declaration', 'wrong-place', (writer) => writer.declaration()],
    ['a document type in the root', 'wrong-place', (writer) => writer.doctype('r')],
    [
      'an attribute after text',
      'wrong-place',
      (writer) => {
        writer.text('x')
        writer.attribute('a', '1')
      },
    ],
    ['another end', 'wrong-end', (writer) => writer.endElement('s')],
    ['a document that ends too early', 'unclosed-element', (writer) => writer.end()],
  ]
  test.each(calls)('%s is refused, and the document is still what it was', async (_, code, write) => {
    const writer = new XmlWriter()
    writer.startElement('r')
    writer.text('t')
    expect(() => write(writer)).toThrow(expect.objectContaining({ name: 'XmlWriteError', code }))
    expect(writer.openElements[0]).toBe('r')
  })

  test('cannot get out of a document type', () => {
    const attempts = [
      { systemId: '"\'' },
      { publicId: 'a', systemId: undefined },
      { publicId: 'a"', systemId: 'b' },
      { internalSubset: ']><!--' },
      { internalSubset: ']><x/><!DOCTYPE y [' },
      { internalSubset: '<!ENTITY a "&b' },
      { internalSubset: '<!--\ud83d-->' },
    ]
    for (const parts of attempts) {
      expect(errorOf((writer) => writer.doctype('r', parts)).code, JSON.stringify(parts)).toBe('invalid-doctype')
    }
  })

  test('must be in the root', () => {
    for (const write of [
      (writer: XmlWriter) => writer.text('a'),
      (writer: XmlWriter) => writer.cdata('a'),
      (writer: XmlWriter) => writer.raw('a'),
    ]) {
      expect(errorOf(write).code).toBe('wrong-place')
    }
    const second = (writer: XmlWriter) => {
      writer.element('a')
      writer.element('b')
    }
    expect(errorOf(second).code).toBe('wrong-place')
    const late = (writer: XmlWriter) => {
      writer.element('a')
      writer.end()
      writer.comment('b')
    }
    expect(errorOf(late).code).toBe('wrong-place')
    expect(errorOf((writer) => writer.end()).code).toBe('unclosed-element')
    expect(errorOf((writer) => writer.endElement()).code).toBe('wrong-end')
  })

  test('cannot come after the end, nor can a second end', async () => {
    const calls: ((writer: XmlWriter) => unknown)[] = [
      (writer) => writer.declaration(),
      (writer) => writer.doctype('a'),
      (writer) => writer.startElement('a'),
      (writer) => writer.attribute('a', 'b'),
      (writer) => writer.text(''),
      (writer) => writer.text('\n'),
      (writer) => writer.cdata('a'),
      (writer) => writer.comment('a'),
      (writer) => writer.instruction('a'),
      (writer) => writer.endElement(),
      (writer) => writer.element('a'),
      (writer) => writer.write([]),
      (writer) => writer.write(''),
      (writer) => writer.write({ type: 'end' }),
      (writer) => writer.raw(''),
      (writer) => writer.end(),
    ]
    for (const options of [{}, { indent: 1 }]) {
      const writer = new XmlWriter(options)
      writer.element('a')
      writer.end()
      for (const call of calls) {
        expect(() => call(writer), String(call)).toThrow(
          expect.objectContaining({ code: 'wrong-place', message: 'the document has ended' }),
        )
      }
      expect((await new Response(writer.readable).text()).trim()).toBe('<a/>')
      for (const call of calls) expect(() => call(writer), String(call)).toThrow('the document has ended')
    }
  })

  test('named like properties of all objects is data', async () => {
    const attributes = JSON.parse('{"__proto__": "1", "constructor": "2", "toString": "3"}')
    expect(await inRoot((writer) => writer.element('__proto__', attributes))).toBe(
      '<__proto__ __proto__="1" constructor="2" toString="3"/>',
    )
  })
})

describe('a call that throws', () => {
  test('leaves the beginning of a document as it was', async () => {
    const text = await written((writer) => {
      expect(() => writer.startElement('a b')).toThrow('is not a name')
      expect(() => writer.startElement('a', { 'b c': '1' })).toThrow('is not a name')
      expect(() => writer.startElement('a', { b: '\0' })).toThrow('has U+0000')
      expect(() => writer.comment('--')).toThrow('two hyphens')
      expect(() => writer.instruction('xml')).toThrow('cannot have the target')
      expect(() => writer.text('x')).toThrow('must be in an element')
      writer.declaration()
      expect(() => writer.doctype('a', { internalSubset: '<' })).toThrow('expected a declaration')
      writer.doctype('a')
      writer.element('a')
    })
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a><a/>')
  })

  test('leaves the start tag open for attributes', async () => {
    const calls: ((writer: XmlWriter) => unknown)[] = [
      (writer) => writer.text('\0'),
      (writer) => writer.cdata('\r'),
      (writer) => writer.comment('--'),
      (writer) => writer.instruction('a', '?>'),
      (writer) => writer.instruction('a b'),
      (writer) => writer.startElement('a b'),
      (writer) => writer.element(':'),
      (writer) => writer.attribute('b', '2'),
      (writer) => writer.raw(1 as unknown as string),
      (writer) => writer.endElement('b'),
      (writer) => writer.declaration(),
      (writer) => writer.doctype('a'),
      (writer) => writer.end(),
    ]
    for (const indent of [0, 1]) {
      const text = await written(
        (writer) => {
          writer.startElement('a', { b: '1' })
          for (const call of calls) expect(() => call(writer), String(call)).toThrow()
          writer.attribute('c', '2')
          writer.endElement()
        },
        { indent },
      )
      expect(text.trim()).toBe('<a b="1" c="2"/>')
    }
  })

  test('in the middle of content has written what comes before, and elements stay open', async () => {
    const text = await written((writer) => {
      writer.startElement('r')
      const c = { name: 'c', attributes: [], children: ['in c', rawXml('<'), 'lost'] }
      expect(() => writer.element('a', { x: '1' }, ['in a', c as unknown as string, 'lost'])).toThrow('raw markup')
      expect(writer.openElements).toEqual(['r', 'a', 'c'])
      writer.endElement('c')
      writer.text('on')
      writer.endElement('a')
      expect(() => writer.write(['in r', { type: 'comment', text: '--' }, 'lost'])).toThrow('hyphens')
      writer.endElement('r')
    })
    expect(text).toBe('<r><a x="1">in a<c>in c</c>on</a>in r</r>')
  })

  test('with wrong attributes, or raw markup, has completed the start tag before', async () => {
    const text = await inRoot((writer) => {
      writer.startElement('a')
      expect(() => writer.startElement('b', { c: '\0' })).toThrow('U+0000')
      expect(() => writer.attribute('d', '1')).toThrow('directly after its start tag')
      writer.startElement('e')
      expect(() => writer.raw('<')).toThrow('raw markup')
      expect(() => writer.attribute('d', '1')).toThrow('directly after its start tag')
      writer.endElement('e')
      writer.endElement('a')
    })
    expect(text).toBe('<a><e></e></a>')
  })

  test('because of the namespaces of a start tag leaves it open, so that it can be corrected', async () => {
    for (const indent of [0, 2]) {
      const text = await written(
        (writer) => {
          writer.startElement('r')
          writer.startElement('p:a', { 'q:b': '1' })
          for (let i = 0; i < 3; i++) {
            expect(() => writer.comment('c')).toThrow('p:a is not declared')
            expect(() => writer.endElement()).toThrow('p:a is not declared')
            expect(writer.openElements).toEqual(['r', 'p:a'])
          }
          writer.attribute('xmlns:p', 'u')
          expect(() => writer.startElement('d')).toThrow('q:b is not declared')
          writer.attribute('xmlns:q', 'v')
          writer.endElement()
          writer.endElement()
        },
        { indent },
      )
      const line = indent === 0 ? ['', ''] : ['\n  ', '\n']
      expect(text.trim()).toBe(`<r>${line[0]}<p:a q:b="1" xmlns:p="u" xmlns:q="v"/>${line[1]}</r>`)
    }
  })

  test('because of an attribute twice by its namespace throws again and again, and writes nothing', async () => {
    const writer = new XmlWriter({ indent: 1 })
    writer.startElement('a', { 'xmlns:p': 'u', 'xmlns:q': 'u', 'p:b': '1', 'q:b': '2' })
    for (let i = 0; i < 3; i++) {
      expect(() => writer.text('x')).toThrow(expect.objectContaining({ code: 'duplicate-attribute' }))
      expect(() => writer.endElement()).toThrow(expect.objectContaining({ code: 'duplicate-attribute' }))
    }
    expect(writer.openElements).toEqual(['a'])
  })
})

describe('an error', () => {
  test('says what is wrong and which elements are open, and survives JSON', () => {
    const error = errorOf((writer) => {
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) writer.startElement(name)
      writer.text('x\u{2}')
    })
    expect(error.message).toBe(
      'text has U+0002 at index 1, which is not a character that XML 1.0 allows, in a/…/d/e/f/g',
    )
    expect(error.openElements).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    const again = XylemError.fromJSON(JSON.parse(JSON.stringify(error)))
    expect(again).toBeInstanceOf(XmlWriteError)
    expect(again).toMatchObject({ code: 'invalid-character', openElements: error.openElements })
  })

  test('of wrong use is a TypeError or a RangeError with a code', () => {
    const invalid = expect.objectContaining({ code: 'invalid-option' })
    const writer = new XmlWriter()
    writer.startElement('r')
    expect(() => writer.text(1 as unknown as string)).toThrow(invalid)
    expect(() => writer.element('a', { b: 1 as unknown as string })).toThrow(invalid)
    expect(() => writer.write(new Date() as unknown as string)).toThrow(invalid)
    expect(() => writer.write([null] as unknown as string[])).toThrow(invalid)
    expect(() => writer.raw(1 as unknown as string)).toThrow(invalid)
    expect(writer.openElements).toEqual(['r'])
    for (const options of [
      { indent: -1 },
      { indent: 'x' },
      { encoding: 'windows-1252' },
      { encoding: 'none' },
      { highWaterMark: 0 },
      { idnent: 1 },
    ]) {
      expect(() => new XmlWriter(options as XmlWriterOptions), JSON.stringify(options)).toThrow(invalid)
    }
  })
})

describe('a value of a wrong kind', () => {
  const content = 'content must be text, nodes, elements as plain data, raw markup or arrays of these, not'
  const calls: [call: string, (writer: XmlWriter, wrong: never) => unknown, wrong: unknown, message: string][] = [
    ['declaration', (w, wrong) => w.declaration(wrong), null, 'a declaration must be an object, not null'],
    [
      'declaration',
      (w, wrong) => w.declaration(wrong),
      { standalone: 'no' },
      'standalone must be true or false, not "no"',
    ],
    ['declaration', (w, wrong) => w.declaration(wrong), { version: 1 }, 'the version must be a string, not 1'],
    ['doctype', (w, wrong) => w.doctype('a', wrong), null, 'the parts of a document type must be an object, not null'],
    ['doctype', (w, wrong) => w.doctype('a', wrong), { systemId: 5 }, 'systemId must be a string, not 5'],
    ['doctype', (w, wrong) => w.doctype('a', wrong), { publicId: null }, 'publicId must be a string, not null'],
    ['doctype', (w, wrong) => w.doctype('a', wrong), { internalSubset: 1 }, 'internalSubset must be a string, not 1'],
    [
      'startElement',
      (w, wrong) => w.startElement({ namespace: wrong, localName: 'a' }),
      5,
      'a namespace must be a string, not 5',
    ],
    [
      'startElement',
      (w, wrong) => w.startElement('a', wrong),
      null,
      'the attributes of <a> must be an object, or pairs of names and values, not null',
    ],
    [
      'startElement',
      (w, wrong) => w.startElement('a', wrong),
      'bc',
      'the attributes of <a> must be an object, or pairs of names and values, not "bc"',
    ],
    [
      'element',
      (w, wrong) => w.element('a', wrong),
      ['bc'],
      'an attribute of <a> must be a pair of a name and a value, not "bc"',
    ],
    ['element', (w, wrong) => w.element('a', wrong), { b: null }, 'the value of b must be a string, not null'],
    ['write', (w, wrong) => w.write(wrong), undefined, `${content} undefined`],
    ['write', (w, wrong) => w.write(wrong), null, `${content} null`],
    ['write', (w, wrong) => w.write(wrong), { type: 'x' }, `${content} an object with the type "x"`],
    [
      'write',
      (w, wrong) => w.write(wrong),
      parseXml('<a/>'),
      'a document is not content: toXml writes one, and its children are content',
    ],
    ['write', (w, wrong) => w.write(wrong), { name: 5 }, 'the name of an element must be a string, not 5'],
    ['write', (w, wrong) => w.write(wrong), { children: [] }, 'the name of an element must be a string, not undefined'],
    [
      'write',
      (w, wrong) => w.write(wrong),
      { name: 'a', children: 'text' },
      'the children of <a> must be an array, not "text"',
    ],
    [
      'write',
      (w, wrong) => w.write(wrong),
      { name: 'a', attributes: null },
      'the attributes of <a> must be an object, or pairs of names and values, not null',
    ],
    ['write', (w, wrong) => w.write(wrong), { type: 'text' }, 'text must be a string, not undefined'],
    [
      'write',
      (w, wrong) => w.write(wrong),
      { type: 'text', cdata: true },
      'a CDATA section must be a string, not undefined',
    ],
  ]
  test.each(calls)('given to %s is refused with what was expected', (_, call, wrong, message) => {
    const writer = new XmlWriter()
    const expected = { name: 'TypeError', code: 'invalid-option', message }
    expect(() => call(writer, wrong as never)).toThrow(expect.objectContaining(expected))
    // Nothing was written, and nothing is open.
    expect(writer.openElements).toEqual([])
    writer.declaration()
  })

  test('says in which open elements it is', () => {
    const writer = new XmlWriter()
    writer.startElement('r')
    const wrong = { name: 'a', children: [{ name: 'b', children: [{ name: 'c', children: 'text' }] }] }
    const message = 'the children of <c> must be an array, not "text", in r/a/b'
    expect(() => writer.write(wrong as unknown as string)).toThrow(expect.objectContaining({ message }))
    expect(() => writer.write({ type: 'end', name: 5 as unknown as string })).toThrow(
      'a name must be a string, not 5, in r/a/b',
    )
  })
})

test('plain data may lack attributes and children', async () => {
  const c: XmlWriteElement = { name: 'c', attributes: { d: '1' }, children: ['e', { name: 'f' }, rawXml('&lt;')] }
  const text = await inRoot((writer) => writer.write([{ name: 'a' }, { name: 'b', attributes: [['x', '2']] }, c]))
  expect(text).toBe('<a/><b x="2"/><c d="1">e<f/>&lt;</c>')
})

describe('a long document', () => {
  const item = 'x'.repeat(1000)

  test('is written as it is read, in constant memory', async () => {
    const writer = new XmlWriter()
    let waits = 0
    let [made, most, read] = [0, 0, 0]
    const write = async () => {
      writer.startElement('r')
      for (let i = 0; i < 20_000; i++) {
        if (!writer.element('a', {}, item)) {
          most = Math.max(most, made - read)
          waits++
          await writer.ready
        }
        made += item.length + 7
      }
      writer.endElement()
      writer.end()
    }
    const writing = write()
    for await (const bytes of writer.readable) read += bytes.length
    await writing
    expect(read).toBe(20_000 * (item.length + 7) + 7)
    expect(waits).toBeGreaterThan(50)
    expect(most).toBeLessThan(256 * 1024)
  })

  test('flows to streams of Node', async () => {
    const writer = new XmlWriter()
    const pieces: Uint8Array[] = []
    const sink = new Writable({
      write(chunk, _, done) {
        pieces.push(chunk)
        setImmediate(done)
      },
    })
    const piped = pipeline(Readable.fromWeb(writer.readable as Parameters<typeof Readable.fromWeb>[0]), sink)
    writer.startElement('r')
    for (let i = 0; i < 500; i++) if (!writer.element('a', {}, item)) await writer.ready
    writer.endElement()
    writer.end()
    await piped
    expect(parseXml(Buffer.concat(pieces)).root.children.length).toBe(500)
  })

  test('comes at once where somebody waits for it', async () => {
    const writer = new XmlWriter()
    const reader = writer.readable.getReader()
    const first = reader.read()
    writer.startElement('r')
    writer.text('a')
    expect(new TextDecoder().decode((await first).value)).toBe('<r>a')
  })

  test.runIf(isThorough)('may be as deep as it likes', async () => {
    const depth = 100_000
    const text = await written((writer) => {
      for (let i = 0; i < depth; i++)
        writer.startElement({ namespace: `u${i % 3}`, localName: 'a', prefix: `p${i % 2}` })
      for (let i = 0; i < depth; i++) writer.endElement()
    })
    expect(text.match(/<\/p[01]:a>|<\/ns\d+:a>/g)?.length).toBe(depth - 1)
    parseXml(text)
    const indented = await written(
      (writer) => {
        for (let i = 0; i < depth; i++) writer.startElement('a')
        for (let i = 0; i < depth; i++) writer.endElement()
      },
      { indent: 2 },
    )
    expect(indented.length).toBeLessThan(depth * 300)
  })

  test('that nobody wants any more refuses to wait for room', async () => {
    const writer = new XmlWriter()
    writer.startElement('r')
    await writer.readable.cancel('enough')
    expect(writer.text('a')).toBe(false)
    await expect(writer.ready).rejects.toBe('enough')
    const other = new XmlWriter()
    other.abort(new Error('given up'))
    await expect(new Response(other.readable).text()).rejects.toThrow('given up')
  })

  test('that is aborted or cancelled without a reason says so', async () => {
    const aborted = new XmlWriter()
    aborted.startElement('r')
    aborted.abort()
    const expected = { name: 'AbortError', message: 'the document was aborted' }
    await expect(aborted.ready).rejects.toMatchObject(expected)
    await expect(aborted.readable.getReader().read()).rejects.toMatchObject(expected)
    const cancelled = new XmlWriter()
    await cancelled.readable.cancel()
    await expect(cancelled.ready).rejects.toMatchObject({
      name: 'AbortError',
      message: 'the reader of the document has cancelled it',
    })
  })
})

test('what is written with lines is the same for xmllint', async () => {
  const text = await inRoot((writer) => writer.element('a', { b: '&\n' }, 'c\r'), { indent: 0 })
  const canonical = canonicalize(new TextEncoder().encode(text))
  if (canonical !== undefined) expect(canonical).toBe('<a b="&amp;&#xA;">c&#xD;</a>')
})
