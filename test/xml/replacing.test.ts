// Characters and bytes that do not belong in a text, which `onReplace` lets be replaced: each is told once, with its place in the source.

import { expect, test } from 'vitest'
import { parseXml, readXml, readXmlDocuments } from '../../source/xml/index.ts'
import { planXmlRanges, readXmlRange, verifyCuts } from '../../source/xml/ranges/index.ts'
import { collectAll, drain, everyCut, inPieces } from '../support/collect.ts'
import { extent } from '../support/extent.ts'
import { compress, encode } from '../support/xml-ranges.ts'

const placesIn = (bytes: Uint8Array) => [...bytes.keys()].filter((at) => bytes[at] === 1)
const note = () => {
  const places: number[] = []
  return { places, options: { onReplace: (offset: number) => places.push(offset) } }
}

test('in several documents, each place is reported by the document that it is in', async () => {
  const bytes = encode('<r><i>a\u0001</i></r>\n'.repeat(3))
  for (const chunks of everyCut(bytes)) {
    const { places, options } = note()
    const told: number[] = []
    for await (const document of readXmlDocuments(chunks, options)) {
      await drain(document.select('i'))
      told.push(places.length)
    }
    expect({ places, told }).toEqual({ places: placesIn(bytes), told: [1, 2, 3] })
  }
  const latin = Buffer.concat([
    encode('<r>a</r>\n'),
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r>\u00e9\u00e9</r>', 'latin1'),
  ])
  const { places, options } = note()
  for await (const document of readXmlDocuments(latin, options)) await document.check()
  expect(places).toEqual([])
})

test('what is left out after an error is not replaced, however the input arrives', async () => {
  const bytes = encode('<r><i>1</i><i>2\u0001</x></i>\u0001<i>3\u0001</i></r>')
  for (const chunks of [[bytes], ...[1, 3, 10].map((size) => inPieces(bytes, size))]) {
    const { places, options } = note()
    const records = await collectAll(readXml(chunks, options).records('i', { t: '.' }, { onError: 'skip' }))
    expect(records.map(({ t }) => t)).toEqual(['1', '3?'])
    expect(places.sort((one, other) => one - other)).toEqual([placesIn(bytes)[0], placesIn(bytes)[2]])
  }
})

test('an element that is read again has what a reference became', async () => {
  const text = `<r>${'<i><k a="&#1;">&#2;<!--&??;--><![CDATA[&??;]]></k></i>'.repeat(3)}</r>`
  const shape = { object: { path: 'k', as: 'object' }, rest: { as: 'rest' } } as const
  const [record] = await collectAll(readXml(text, { onReplace() {} }).records('i', shape))
  expect(record?.object).toEqual({ '@a': '?', '#text': '?&??;' })
})

test('places in UTF-16 are those of the source, whoever reads it', async () => {
  const text = '<r a="\u0001">x\u0001</r>'
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  const expected = [...text].flatMap((character, i) => (character === '\u0001' ? [2 + 2 * i] : []))
  const [whole, streamed] = [note(), note()]
  parseXml(bytes, whole.options)
  await readXml(bytes, streamed.options).check()
  expect([whole.places, streamed.places]).toEqual([expected, expected])
})

test('in ranges, places are those in the file, or in the content of a range of bzip2; verified cuts report each once', async () => {
  const line = (n: number) => `<i n="${n}">${'text '.repeat(9)}\u0001</i>\n`
  const count = extent(600, 4000, 4000)
  const bytes = encode(`<r>\n${Array.from({ length: count }, (_, n) => line(n)).join('')}</r>`)
  for (const file of [bytes, compress(bytes)]) {
    const ranges = await planXmlRanges(file, file.length, 'i', { target: file.length / 4, onReplace() {} })
    const { places, options } = note()
    for (const range of await verifyCuts(file, ranges, options)) {
      const inRange = note()
      const reader = readXmlRange(file, range, inRange.options)
      const bytesOf = await collectAll(reader.records({ n: '@n' }))
      expect(inRange.places.length).toBe(bytesOf.length)
      if (file === bytes) for (const place of inRange.places) expect(bytes[place]).toBe(1)
    }
    expect(places.length).toBe(count)
  }
  const broken = encode(`${new TextDecoder().decode(bytes).slice(0, -4)}</x>`)
  const { places, options } = note()
  const ranges = await planXmlRanges(broken, broken.length, 'i', { target: broken.length / 4, onReplace() {} })
  await expect(verifyCuts(broken, ranges, options)).rejects.toMatchObject({ code: 'tag-mismatch', line: count + 2 })
  expect(places.length).toBe(count)
})

test('a plan does not depend on what is replaced before the first record', async () => {
  const bytes = encode(`<r>\u0001${'<i>text</i>'.repeat(1000)}</r>`)
  const ranges = await planXmlRanges(bytes, bytes.length, 'i', { target: 2000, onReplace() {} })
  expect(ranges.length).toBeGreaterThan(3)
})
