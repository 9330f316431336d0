// What a sample did not show is found while all of the document is read.

import { describe, expect, test } from 'vitest'
import type { XmlElementData } from '../../../source/xml/index.ts'
import { parseXml, XmlError } from '../../../source/xml/index.ts'
import { Leftover } from '../../../source/xml/infer/audit/leftover.ts'
import { type InferredShape, inferShape } from '../../../source/xml/infer/index.ts'
import { XSI_NAMESPACE } from '../../../source/xml/names/namespaces.ts'
import { isThorough } from '../../support/extent.ts'
import { growthOf, MOST_GROWTH } from '../../support/growth.ts'
import { type InferredRecords, readWith } from '../../support/inferred.ts'
import { cutsOf } from '../../support/machine.ts'

const encoder = new TextEncoder()
/** Records of the sample. */
const SAMPLE = '<a id="1"><b>x</b><c n="1"><d>true</d></c><c n="2"><d>false</d></c><e/></a><a id="2"><b>y</b></a>'
const DOCTYPE =
  '<!DOCTYPE r [<!ENTITY e "<a id=\'7\'><b>in</b><z/></a>"><!ENTITY t "text"><!ENTITY b "<b>B</b>"><!ATTLIST q k CDATA "v">]>'

interface Found {
  readonly records: readonly unknown[]
  readonly rest: unknown
  readonly left: readonly string[]
  readonly outside: readonly string[]
}

/** What is found in records after those of the sample, which is the same at every cut. */
async function find(late: string, lenient = false, head = ''): Promise<Found> {
  const inferred = await inferShape(`${head}<r><h>x</h>${SAMPLE}</r>`)
  const found: Found[] = []
  for (const pieces of cutsOf(encoder.encode(`${head}<r><h>x</h>${SAMPLE}${late}</r>`))) {
    found.push(describeFound(await readWith(inferred as NonNullable<typeof inferred>, pieces, lenient)))
  }
  for (const other of found) expect(other).toEqual(found[0])
  return found[0] as Found
}

function describeFound({ records, report }: InferredRecords): Found {
  const [, , ...late] = records
  return {
    records: late.map(({ rest: _, ...fields }) => fields),
    rest: late.map(({ rest }) => (rest as XmlElementData[] | undefined)?.map(sourceOf).join('')),
    left: report.left.map(({ path, why, records }) => `${path} ${why} ${records}`),
    outside: [...report.outside].map(([path, count]) => `${path} ${count}`),
  }
}

/** Elements as they might be written. */
function sourceOf(one: XmlElementData['children'][number]): string {
  if (!('name' in one)) return one.type === 'text' ? one.text : ''
  const attributes = one.attributes.map(([name, value]) => ` ${name}="${value}"`).join('')
  return `<${one.name}${attributes}>${one.children.map(sourceOf).join('')}</${one.name}>`
}

describe('what comes late', () => {
  const late: readonly (readonly [string, string, readonly (string | undefined)[], readonly string[]])[] = [
    ['nothing', '<a id="3"><b>z</b></a>', [undefined], []],
    ['an attribute of a record', '<a id="3" new="v"/>', ['<a new="v"></a>'], ['@new unseen 1']],
    ['an attribute of an element', '<a id="3"><c n="1" new="v"/></a>', ['<c new="v"></c>'], ['c/@new unseen 1']],
    ['an element in a record', '<a id="3"><n>t<m/></n></a>', ['<n>t<m></m></n>'], ['n unseen 1']],
    ['an element deeper in it', '<a id="3"><c n="1"><n>t</n></c></a>', ['<c><n>t</n></c>'], ['c/n unseen 1']],
    ['a second value', '<a id="3"><b>z</b><b>more</b></a>', ['<b>more</b>'], ['b repeated 1']],
    ['an element in a text', '<a id="3"><b>z<i>y</i></b></a>', ['<b>z<i>y</i></b>'], ['b/i unseen 1']],
    ['a text of a record', '<a id="3">late<b>z</b></a>', ['<a id="3">late<b>z</b></a>'], ['text() unseen 1']],
    ['a text in an empty element', '<a id="3"><e>late</e></a>', ['<e>late</e>'], ['e/text() unseen 1']],
    [
      'a text of an element with elements',
      '<a id="3"><c n="1">late</c></a>',
      ['<c n="1">late</c>'],
      ['c/text() unseen 1'],
    ],
    ['an attribute of an element without', '<a id="3"><b k="v">z</b></a>', ['<b k="v"></b>'], ['b/@k unseen 1']],
    [
      'in one record of several',
      '<a id="3"/><a id="4" new=""/><a id="5"/>',
      [undefined, '<a new=""></a>', undefined],
      ['@new unseen 1'],
    ],
    [
      'in several records',
      '<a id="3" new=""/><a id="4" new=""/>',
      ['<a new=""></a>', '<a new=""></a>'],
      ['@new unseen 2'],
    ],
    [
      'not in blanks, comments and instructions',
      '<a id="3"> <!-- c --> <b>z</b>\n<?p i?><e> </e></a>',
      [undefined],
      [],
    ],
    ['not in declarations of namespaces', '<a id="3" xmlns="u" xmlns:p="v"><b xmlns="w">z</b></a>', [undefined], []],
    [
      'not where elements are null',
      '<a id="3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><b xsi:nil="true"/></a>',
      [undefined],
      [],
    ],
    ['in a CDATA section', '<a id="3"><![CDATA[late]]></a>', ['<a id="3">late</a>'], ['text() unseen 1']],
  ]

  test.each(late)('is in the rest: %s', async (_, late, rest, left) => {
    expect(await find(late)).toMatchObject({ rest, left })
  })

  test('is in the rest among many records, which the kernel takes', async () => {
    const usual = '\n<a id="3"><b>x</b><c n="1"><d>true</d></c><e/></a>'.repeat(40)
    const inferred = (await inferShape(`<r>${SAMPLE}</r>`)) as InferredShape
    for (const [index, [, odd, rest]] of late.entries()) {
      const document = `<r>${SAMPLE}${usual}${odd}${usual}text<!-- -->${odd}${usual}</r>`
      const found = describeFound(await readWith(inferred, document))
      const expected = [...Array(40), ...rest, ...Array(40), ...rest, ...Array(40)]
      expect([index, found.rest]).toEqual([index, expected])
      expect(found.outside).toEqual(['/r/text() 1'])
    }
  })

  test('beside the records is a record, and what was seen there is counted', async () => {
    const { records, rest, left, outside } = await find('<w id="3"><v/></w><h>again</h>')
    expect(records).toEqual([{ id: 3, c: [] }])
    expect(rest).toEqual(['<w id="3"><v></v></w>'])
    expect(left).toEqual(['/r/w unseen 1'])
    expect(outside).toEqual(['/r/h 2'])
  })

  test('elsewhere is counted', async () => {
    const inferred = await inferShape('<r><m/><l><a id="1"/><a id="2"/></l></r>')
    const document = '<r><m><n/><n/></m><l><a id="1"/><a id="2"/></l><o><p/></o></r>'
    const found = describeFound(await readWith(inferred as NonNullable<typeof inferred>, document))
    expect(found).toMatchObject({ records: [], outside: ['/r/m 1', '/r/o 1'] })
  })

  test.each([
    ['a text in the root', 'late<a id="3"/>\n', ['/r/text() 1']],
    ['a text at its end', '<a id="3"/>late', ['/r/text() 1']],
    ['texts before and after records', ' 1 <a id="3"/> 2 <h/>&#160;', ['/r/h 2', '/r/text() 3']],
    ['CDATA sections', '<![CDATA[ <a> ]]><a id="3"/><![CDATA[ ]]><a id="4"/>', ['/r/text() 1']],
    ['not blanks, comments and instructions', '<!-- <x> &e; --> <a id="3"/>\n<?p >t<?>\t<a id="4"/> ', []],
  ])('around records is counted: %s', async (_, late, outside) => {
    expect((await find(late)).outside).toEqual(outside.includes('/r/h 2') ? outside : ['/r/h 1', ...outside])
  })

  test('around records is counted if an entity brings it', async () => {
    const head = '<!DOCTYPE r [<!ENTITY t "text"><!ENTITY b " "><!ENTITY e "1<a id=\'7\'/><h/>2<h/>">]>'
    expect((await find('x&b;&e;<a id="3"/>&b;&t;', false, head)).outside).toEqual(['/r/h 3', '/r/text() 3'])
  })

  test('of a group is counted: attributes, texts, further values, and all if it has no record', async () => {
    const group = (n: string) => `<g><n>${n}</n>${'<a x="1"><t>text</t></a>'.repeat(9)}</g>`
    const inferred = (await inferShape(`<r v="1">${group('one')}${group('two')}</r>`)) as InferredShape
    const a = '<a x="1"><t>text</t></a>'
    const late = `<g new=""><n k="">3</n>${a}<n>4</n></g><g><n>5<o/></n><n>6</n>late${a}</g><g>${a}<n>7</n></g><g><n>8</n></g>`
    for (const pieces of cutsOf(encoder.encode(`<r v="1">${late}</r>`))) {
      expect(describeFound(await readWith(inferred, pieces)).outside).toEqual([
        '/r/@v 1',
        '/r/g/@new 1',
        '/r/g/n/@k 1',
        '/r/g/n 3',
        '/r/g/n/o 1',
        '/r/g/text() 1',
        '/r/g 1',
      ])
    }
  })

  test.each([
    ['a comment', `<!--${'<x>-y&z;'.repeat(30_000)}-->`, 0],
    ['a text', 'long '.repeat(50_000), 1],
    ['a text after a comment', `<!--${'-x'.repeat(90_000)}--> late <!--${'x'.repeat(90_000)}-->`, 1],
    ['a CDATA section', `<![CDATA[${'<x>'.repeat(50_000)}]]>`, 1],
    ['blanks', ' '.repeat(200_000), 0],
  ])('around records may be long: %s', async (_, late, count) => {
    const inferred = (await inferShape(`<r>${SAMPLE}</r>`)) as InferredShape
    const bytes = encoder.encode(`<r>${SAMPLE}${late}<a id="3"/></r>`)
    for (const size of [7_001, 64 * 1024, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.slice(i * size, (i + 1) * size),
      )
      const { records, report } = await readWith(inferred, pieces)
      expect(records).toHaveLength(3)
      expect([...report.outside.keys()]).toEqual(count === 0 ? [] : ['/r/text()'])
    }
  })

  test('from an entity is found, too', async () => {
    const { records, rest } = await find(
      '<a id="3">&b;<e/>&t;</a>&e;<a id="4">&b;&b;</a><a id="5"><b>&t;</b></a>',
      false,
      DOCTYPE,
    )
    expect(records).toMatchObject([{ id: 3 }, { id: 7, b: 'in' }, { id: 4, b: 'B' }, { id: 5, b: 'text' }])
    expect(rest).toEqual(['<a id="3"><b>B</b><e></e>text</a>', '<z></z>', '<b>B</b>', undefined])
  })

  test('from a declaration of attributes is found, too', async () => {
    const { rest } = await find('<a id="3"><q/></a>', false, DOCTYPE)
    expect(rest).toEqual(['<q k="v"></q>'])
  })
})

test('without namespaces, their declarations are attributes', async () => {
  const inferred = await inferShape('<r><a id="1"/><a id="2"/></r>', { namespaces: false })
  const { records, report } = await readWith(inferred as NonNullable<typeof inferred>, '<r><a xmlns="u" id="3"/></r>')
  expect(records).toMatchObject([{ id: 3, rest: [{ name: 'a', attributes: [['xmlns', 'u']] }] }])
  expect(report.left).toEqual([{ path: '@xmlns', why: 'unseen', records: 1 }])
})

test('names are the same by their namespaces, with whatever prefixes, also where they are declared late or many are', async () => {
  const sample = '<g:r xmlns:g="u"><g:a id="1" g:k="x"><g:b>1</g:b></g:a><g:a id="2"><g:b>2</g:b></g:a></g:r>'
  const inferred = (await inferShape(sample)) as InferredShape
  expect(inferred).toMatchObject({ paths: ['/g:r/g:a'], prefixes: { g: 'u' } })
  const many = Array.from({ length: 70 }, (_, i) => ` xmlns:n${i}="${i}"`).join('')
  const late =
    '<a id="3" h:k="y"><b>3</b></a><a id="4" xmlns:i="u" i:k="z"><i:b>4</i:b></a><a id="5"><b xmlns="v">5</b></a><h:a id="6"><h:b/><h:c/></h:a>'
  for (const more of ['', many]) {
    for (const pieces of cutsOf(encoder.encode(`<r xmlns="u" xmlns:h="u"${more}>${late}</r>`))) {
      const { records, report } = await readWith(inferred, pieces, true)
      expect(records.map(({ id, k, b }) => [id, k, b])).toEqual([
        [3, 'y', 3],
        [4, 'z', 4],
        [5, undefined, undefined],
        [6, undefined, undefined],
      ])
      expect(report.left.map(({ path, why }) => `${path} ${why}`)).toEqual(['b unseen', 'g:b mistyped', 'g:c unseen'])
    }
  }
})

test('other encodings than UTF-8 are read, too', async () => {
  const head = '<?xml version="1.0" encoding="UTF-16"?><r><é>ü</é>'
  const encode = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  const inferred = await inferShape(encode(`${head}<a id="1"/><a id="2"/></r>`))
  const document = encode(`${head}<a id="1"/><a id="2"/>ö<a id="3" é="ß"/>\n<a id="04"/></r>`)
  const reading = await readWith(inferred as NonNullable<typeof inferred>, [document], true)
  expect(describeFound(reading)).toMatchObject({ rest: ['<a é="ß"></a>', '<a id="04"></a>'] })
  const failing = readWith(inferred as NonNullable<typeof inferred>, [document])
  await expect(failing).rejects.toMatchObject({
    line: 2,
    byteOffset: 2 * (document.length / 2 - '<a id="04"/></r>'.length) + 6,
  })
})

describe('a value of another kind', () => {
  test.each([
    ['<a id="x"/>', 'the value "x" of the field id is not a whole number', 1],
    [
      '<a id="007"/>',
      'the value "007" of the field id would be printed as 7; the shape has "id": { "path": "@id", "as": "integer" }',
      1,
    ],
    [
      '<a id="3"><c n="1"><d>1</d></c></a>',
      'the value "1" of the field c.d would be printed as true; the shape has "d": { "path": "d", "as": "boolean" }',
      1,
    ],
    ['<a id="3"><c n="1"><d/></c></a>', 'the value "" of the field c.d is not true, false, 1 or 0', 1],
    ['<a id="3"/>\n<a id="4"><c n="&#49;0.5"/></a>', 'the value "10.5" of the field c.n is not a whole number', 2],
  ])('is an error with its place, after the records before it: %s', async (late, message, line) => {
    await expect(find(late)).rejects.toThrow(XmlError)
    const error = (await find(late).catch((error) => error)) as XmlError
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ code: 'invalid-value', line })
  })

  test('is null and in the rest, if that is wanted', async () => {
    const { records, rest, left } = await find('<a id="x"/><a id="3"><c n="y"><d>maybe</d></c></a><a id="04"/>', true)
    expect(records).toEqual([{ c: [] }, { id: 3, c: [{}] }, { id: 4, c: [] }])
    expect(rest).toEqual(['<a id="x"></a>', '<c n="y"><d>maybe</d></c>', '<a id="04"></a>'])
    expect(left).toEqual(['@id mistyped 2', 'c/@n mistyped 1', 'c/d mistyped 1'])
  })
})

describe('a large record', () => {
  const count = isThorough ? 40_000 : 10_000
  const part = `<c n="1"><d>true</d></c>`.repeat(count)
  const pieces = (document: string) => {
    const bytes = encoder.encode(document)
    return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) => bytes.slice(i * 65_536, (i + 1) * 65_536))
  }

  test.runIf(isThorough)('is looked at from its beginning to its end', async () => {
    const inferred = await inferShape(`<r>${SAMPLE}</r>`)
    const document = `<r>${SAMPLE}<a id="3" first="é">${part}<b>x</b>${part}<b>last</b></a><a id="4"/></r>`
    const { records, report } = await readWith(inferred as NonNullable<typeof inferred>, pieces(document))
    const { c, rest } = records[2] as { c: unknown[]; rest: XmlElementData[] }
    expect(c).toHaveLength(2 * count)
    expect(rest.map(sourceOf)).toEqual(['<a first="é"></a>', '<b>last</b>'])
    expect(records[3]).toEqual({ id: 4, c: [] })
    expect(report.left).toHaveLength(2)
  })

  test.runIf(isThorough)('may have a value of another kind at its beginning', async () => {
    const inferred = await inferShape(`<r>${SAMPLE}</r>`)
    const document = `<r>${SAMPLE}\n<a id="03">${part}${part}</a></r>`
    const reading = readWith(inferred as NonNullable<typeof inferred>, pieces(document))
    await expect(reading).rejects.toMatchObject({ code: 'invalid-value', line: 2 })
  })

  test('may have an unseen element that is larger', async () => {
    const inferred = await inferShape(`<r>${SAMPLE}</r>`)
    const document = `<r>${SAMPLE}<a id="3"><e>${part}</e><b>z</b></a><h>${part}</h><a id="4"/></r>`
    const { records, report } = await readWith(inferred as NonNullable<typeof inferred>, pieces(document))
    expect(records.map(({ id }) => id)).toEqual([1, 2, 3, null, 4].map((id) => id ?? undefined))
    expect(report.left.map(({ path }) => path)).toEqual(['e/c', '/r/h'])
  })
})

test('elements that are null are of the kind of the sample, and with a text they are not', async () => {
  const { source } = (await inferShape(`<r>${SAMPLE}</r>`)) as InferredShape
  const restOf = (d: string) => {
    const leftover = new Leftover(source.names, false, (prefix) => (prefix === 'xsi' ? XSI_NAMESPACE : undefined))
    const { root } = parseXml(`<a id="3"><c n="1">${d}</c></a>`, { namespaces: false })
    return [leftover.of(root, source.form).length, leftover.mistyped.length]
  }
  expect(restOf('<d xsi:nil="1"></d>')).toEqual([0, 0])
  expect(restOf('<d xsi:nil="true">x</d>')).toEqual([1, 1])
  expect(restOf('<d xsi:nil="false"/>')).toEqual([1, 1])
})

test.runIf(isThorough)(
  'a record with many names that the sample did not show is gone through in time in proportion to its length',
  async () => {
    const { source } = (await inferShape(`<r>${SAMPLE}</r>`)) as InferredShape
    const make = (count: number) => {
      const { root } = parseXml(`<a>${Array.from({ length: count }, (_, i) => `<n${i}/>`).join('')}</a>`)
      return async () => {
        const leftover = new Leftover(source.names, false, () => undefined)
        expect(leftover.of(root, source.form)).toHaveLength(count)
        expect(leftover.left).toHaveLength(count)
      }
    }
    expect(await growthOf({ count: 16_000, make })).toBeLessThan(MOST_GROWTH)
  },
)
