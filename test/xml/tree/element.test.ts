// Elements that are selected, and those of the tree of their document: both are the same.

import { describe, expect, test } from 'vitest'
import { parseXml, readXml, type XmlElement, type XmlNode } from '../../../source/xml/index.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { cutsOf } from '../../support/machine.ts'

// What the records of the tape say all of, and what needs inspection, each several times: names are new only at first.
const RECORDS = [
  '<rec>plain</rec>',
  '<rec a="1" b="&lt;&#9;x&quot; \ty\r\nz" xml:space="preserve">é &amp; 𝄞 &lt;b&gt;\r\nnext\rlast</rec>',
  '<rec><id>7</id> <title>A &amp; B</title>\n<sub deep="x"><id>8</id><!-- c\r\nd --><empty/></sub><id>9</id></rec>',
  '<rec>one<![CDATA[ & <two>\r\n]]>three<![CDATA[]]></rec>',
  '<rec><![CDATA[]]></rec>',
  '<rec/>',
  '<rec ></rec >',
  '<rec><rec>inner</rec>outer</rec>',
  '<rec>&#233;&#x1D11E; numbers</rec>',
  '<rec>before &e; behind</rec>',
  '<rec>x<?target  data \r\n more?>y<?other?>z</rec>',
  '<rec><p:x xmlns:p="v" p:a="1">prefixed</p:x></rec>',
  '<rec xmlns="w"><id>other</id></rec>',
  '<rec><declared>d</declared></rec>',
]
const SUBSET = '<!ENTITY e "<i>entity</i>"><!ATTLIST declared v CDATA "default">'
const DOCUMENT = `<!DOCTYPE r [${SUBSET}]><r xmlns="u">\n${RECORDS.join('\n')}\n${RECORDS.join('')}</r>`
const bytes = new TextEncoder().encode(DOCUMENT)
const { root } = parseXml(bytes)
const expected = root.childrenNamed('rec')

/** Everything that is known of an element. */
function describeElement(element: XmlElement): unknown {
  const { name, prefix, localName, namespace, start, end, text, ownText } = element
  const { details } = element.attributes
  const texts = ['id', 'title', 'rec', 'x'].map((child) => [
    element.childText(child),
    element.childrenNamed(child).length,
  ])
  return {
    name,
    prefix,
    localName,
    namespace,
    start,
    end,
    text,
    ownText,
    details,
    texts,
    elements: element.childElements.map(({ name, start, text }) => [name, start, text]),
    children: element.children.map(describeNode),
  }
}

function describeNode(node: XmlNode): unknown {
  return node.type === 'element' ? describeElement(node) : node
}

describe('a selected element', () => {
  test('is what it is in the tree of its document, however the input is cut', async () => {
    const wanted = expected.map(describeElement)
    for (const pieces of cutsOf(bytes)) {
      const found: unknown[] = []
      for await (const element of readXml(pieces).select('/r/rec')) found.push(describeElement(element))
      expect(found).toEqual(wanted)
    }
  })

  test('is the same from the interpreter', async () => {
    const found: unknown[] = []
    for await (const element of readXml([bytes], { engine: 'plain' }).select('/r/rec'))
      found.push(describeElement(element))
    expect(found).toEqual(expected.map(describeElement))
  })

  test('has the bytes that it was read from', async () => {
    for await (const element of readXml([bytes]).select('/r/rec')) {
      expect(element.bytes).toEqual(bytes.slice(element.start, element.end))
    }
  })

  test('has the same children whenever it is asked', async () => {
    for await (const element of readXml([bytes]).select('/r/rec')) {
      const first = element.child('id')
      expect(element.childrenNamed('id')[0]).toBe(first)
      expect(element.children.find((node) => node.type === 'element' && node.name === 'id')).toBe(first)
      expect(element.children).toBe(element.children)
      expect(element.childElements).toEqual(element.children.filter((node) => node.type === 'element'))
      expect(element.childElements.find(({ name }) => name === 'id')).toBe(first)
    }
  })

  test.runIf(isThorough)('is the same where matches are few, many, and few again', async () => {
    const other = `<other>${'x'.repeat(1000)}</other>`.repeat(40)
    const all = (other + RECORDS[0] + other + RECORDS.join('').repeat(15) + other + RECORDS[2] + other).repeat(3)
    const document = new TextEncoder().encode(`<!DOCTYPE r [${SUBSET}]><r xmlns="u">${all}</r>`)
    const wanted = parseXml(document).root.childrenNamed('rec').map(describeElement)
    for (const size of sample([100, 5000, 40_000, document.length], 2)) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < document.length; at += size) pieces.push(document.subarray(at, at + size))
      const found: unknown[] = []
      for await (const element of readXml(pieces).select('/r/rec')) {
        found.push(describeElement(element))
        expect(element.bytes).toEqual(document.slice(element.start, element.end))
      }
      expect(found).toEqual(wanted)
    }
  })

  test('has the bytes that it was read from where matches are nested', async () => {
    const inner = `<a><b/>${'x'.repeat(3000)}<c/></a>`
    const nested = `${'<a><b/>'.repeat(50)}${inner}${'<b>y</b></a>'.repeat(50)}`
    const document = new TextEncoder().encode(`<r>${inner}${nested}${'<b/>'.repeat(2000)}${nested}</r>`)
    let count = 0
    for (const pieces of [[document], [document.slice(0, 7000), document.slice(7000, 7100), document.slice(7100)]]) {
      for await (const element of readXml(pieces).select(['a', 'b'], { nested: 'all' })) {
        const written = document.subarray(element.start, element.end)
        expect(Buffer.compare(element.bytes as Uint8Array, written)).toBe(0)
        count++
      }
    }
    expect(count).toBe(2 * (3 * 2 + 2 * 150 + 2000))
  })

  test('holds no more of its neighbours than a few pages', async () => {
    const large = `<r>${'<rec>'.padEnd(3000, 'x')}</rec>`.repeat(1) + `${'<rec>'.padEnd(3000, 'y')}</rec>`.repeat(40)
    for await (const element of readXml([`${large}</r>`]).select('rec')) {
      expect(element.text).toHaveLength(2995)
      expect(element.bytes?.buffer.byteLength).toBe(3006)
    }
  })

  test('may be deep: what is in it is found in time that grows as it does', async () => {
    const depth = isThorough ? 50_000 : 15_000
    const record = `<rec>${'<d>x'.repeat(depth)}${'</d>'.repeat(depth)}</rec>`
    for await (const element of readXml([`<r>${record}${record}</r>`]).select('rec')) {
      let levels = 0
      for (let inner = element.child('d'); inner; inner = inner.child('d')) levels++
      expect(levels).toBe(depth)
      expect(element.text).toHaveLength(depth)
      expect(element.ownText).toBe('')
      expect(element.toJSON().children).toHaveLength(1)
    }
  })

  test('reads texts that are longer than the kernel decodes at once', async () => {
    const text = 'größe & 𝄞\r\n'.repeat(isThorough ? 150_000 : 60_000)
    const record = `<rec>${text.replaceAll('&', '&amp;')}</rec>`
    const found: string[] = []
    for await (const element of readXml([`<r>${record}${record}</r>`]).select('rec')) found.push(element.text)
    const folded = text.replaceAll('\r\n', '\n')
    expect(found.every((one) => one === folded)).toBe(true)
    expect(found).toHaveLength(2)
  })
})
