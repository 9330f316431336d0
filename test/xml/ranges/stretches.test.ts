import { describe, expect, test } from 'vitest'
import { decompress } from '../../../source/compression/decompress.ts'
import type { LimitError } from '../../../source/stream/errors.ts'
import { StreamCache } from '../../../source/stream/stream-cache.ts'
import { readXmlDocuments } from '../../../source/xml/documents.ts'
import type { XmlError } from '../../../source/xml/errors/errors.ts'
import type { XmlOptions } from '../../../source/xml/options.ts'
import { readXml, type XmlReader } from '../../../source/xml/reader.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { collectAll, everyCut, inPieces } from '../../support/collect.ts'
import { stalling } from '../../support/sources.ts'
import { encode } from '../../support/xml-ranges.ts'

const SHAPE = { id: { path: '@id', as: 'integer', required: true }, n: 'n' } as const
const item = (id: number | string, content = `<n>${id}</n>`) => `<item id="${id}">${content}</item>\n`

/** Ids of the items of a document with something between the first and the third, and the errors, however it is cut. */
async function readAround(bad: string, options: XmlOptions = {}) {
  const text = `<r>\n${item(1)}${bad}${item(3)}${item(4)}</r>`
  const found = []
  for (const chunks of everyCut(encode(text))) {
    const faults: (XmlError | LimitError)[] = []
    const reader = readXml(chunks, options)
    const records = await collectAll(reader.records('item', SHAPE, { onError: (error) => faults.push(error) }))
    const codes = faults.map(({ code }) => code)
    // What is larger than a limit is larger wherever that is noticed.
    const located = faults.filter(({ code }) => code !== 'retained-limit')
    const places = located.map(({ byteOffset, line, column }) => ({ byteOffset, line, column }))
    found.push({ ids: records.map(({ id }) => id), codes, places, skipped: reader.skipped })
  }
  for (const one of found) expect(one).toEqual(found[0])
  const { ids, codes, skipped } = found[0] as (typeof found)[0]
  return { ids, codes, skipped }
}

describe('reading records with errors in one of them', () => {
  test.each([
    ['an end tag that is wrong', item(2, '<n>2</m>'), 'tag-mismatch'],
    ['an entity that is not declared', item(2, '&nope;'), 'undeclared-entity'],
    ['no end tag', '<item id="2"><n>2</n>\n', 'inner-record'],
    ['a value without quotes', '<item id=2/>\n', 'unexpected-input'],
    ['a value that does not end', '<item id="2/>\n', 'unexpected-input'],
    ['a control character', item(2, '\u0001'), 'malformed-text'],
    ['a value that is not of its kind', item('x'), 'invalid-value'],
    ['a value that is missing', '<item><n>2</n></item>\n', 'missing-value'],
  ])('leaves out one with %s', async (_, bad, code) => {
    const { ids, codes, skipped } = await readAround(bad)
    expect({ ids, codes }).toEqual({ ids: [1, 3, 4], codes: [code] })
    // The line feed after it may count to it.
    expect(skipped).toMatchObject({ errors: 1, records: 1 })
    expect([bad.length, bad.length - 1]).toContain(skipped.bytes)
  })

  test('leaves out records that pass a limit', async () => {
    const deep = item(2, `${'<z>'.repeat(40)}${'</z>'.repeat(40)}`)
    expect(await readAround(deep, { limits: { maxDepth: 30 } })).toMatchObject({
      ids: [1, 3, 4],
      codes: ['depth-limit'],
    })
    const large = item(2, `<n>${'x'.repeat(3000)}</n>`)
    expect(await readAround(large, { limits: { maxRetained: 1000 } })).toMatchObject({
      ids: [1, 3, 4],
      codes: ['retained-limit'],
    })
  })

  test('gives all of a document without errors', async () => {
    const { ids, codes, skipped } = await readAround(item(2))
    expect({ ids, codes, skipped }).toEqual({
      ids: [1, 2, 3, 4],
      codes: [],
      skipped: { errors: 0, records: 0, bytes: 0 },
    })
  })

  test('throws what is wrong before the first record, whatever is skipped after it', async () => {
    for (const text of [`<r><head></hed>${item(1)}</r>`, '', '<r', '<!DOCTYPE r [<!ENTITY>]><r/>']) {
      const records = readXml(text).records('item', SHAPE, { onError: 'skip' })
      await expect(collectAll(records)).rejects.toMatchObject({ name: 'XmlError' })
    }
  })

  test('ends with the largest input, and with what a function throws', async () => {
    const text = `<r>${item(1)}<bad>${item(3)}${'x'.repeat(5000)}`
    const records = readXml(inPieces(encode(text), 10), { limits: { maxInput: 100 } }).records('item', SHAPE, {
      onError: 'skip',
    })
    await expect(collectAll(records)).rejects.toMatchObject({ code: 'input-limit', byteOffset: 100, limit: 100 })
    for (const bad of [item(2, '</n>'), item('x')]) {
      const found: number[] = []
      const onError = (error: Error) => {
        throw error
      }
      const read = async () => {
        for await (const { id } of readXml(`<r>${item(1)}${bad}${item(3)}</r>`).records('item', SHAPE, { onError }))
          found.push(id)
      }
      await expect(read()).rejects.toMatchObject({ name: 'XmlError' })
      expect(found).toEqual([1])
    }
  })

  test('knows after an error what the document declares before its first record', async () => {
    const text = `<!DOCTYPE r [<!ENTITY e "E"><!ATTLIST item k CDATA "v">]><p:r xmlns:p="urn:p">${item(1)}<item id="&bad;"/><item id="2"><p:n>&e;</p:n></item></p:r>`
    const shape = { k: '@k', n: '{urn:p}n' }
    expect(await collectAll(readXml(text).records('item', shape, { onError: 'skip' }))).toEqual([
      { k: 'v', n: undefined },
      { k: 'v', n: 'E' },
    ])
  })

  test('asks a resolver once', async () => {
    const asked: string[] = []
    const resolve = ({ systemId }: { systemId: string }) => {
      asked.push(systemId)
      return '<!ENTITY e "E">'
    }
    const text = `<!DOCTYPE r SYSTEM "r.dtd"><r>${item(1, '<n>&e;</n>')}${item(2, '</n>').repeat(3)}${item(3, '<n>&e;</n>')}</r>`
    const found = await collectAll(readXml(text, { resolve }).records('item', SHAPE, { onError: 'skip' }))
    expect(found).toEqual([
      { id: 1, n: 'E' },
      { id: 3, n: 'E' },
    ])
    expect(asked).toEqual(['r.dtd'])
  })

  test('moves a lent cursor after what was delivered, and to the end', async () => {
    const cursor = StreamCache.from(inPieces(encode(`<r>${item(1)}${item(2, '</n>')}${item(3)}</r>`), 9)).cursor()
    const places: number[] = []
    for await (const { id } of readXml(cursor).records('item', SHAPE, { onError: 'skip' }))
      places.push(id, cursor.offset)
    expect(places).toEqual([
      1,
      3 + item(1).length - 1,
      3,
      3 + item(1).length + item(2, '</n>').length + item(3).length - 1,
    ])
    expect(cursor.done).toBe(true)
    cursor.release()
  })

  test('never joins what is before a missing block of bzip2 and after it', async () => {
    const damaged = encodeBzip2(encode('</item><item id="2">'))
    damaged[12] = (damaged[12] as number) ^ 8
    const archive = new Uint8Array([
      ...encodeBzip2(encode(`<r>${item(0)}<item id="1"><n>1</n>`)),
      ...damaged,
      ...encodeBzip2(encode(`<n>2</n></item>${item(3)}</r>`)),
    ])
    const faults: Error[] = []
    const onError = (error: Error) => faults.push(error)
    const found = await collectAll(
      readXml(decompress(archive, { onFault: onError })).records('item', SHAPE, { onError }),
    )
    expect(found.map(({ id }) => id)).toEqual([0, 3])
    expect(faults.map(({ name }) => name)).toEqual(['CompressionError'])
  })

  test('reads on in fragments, and between records of several names', async () => {
    const text = `${item(1)}<b id="2"/><item id=3/><b id="4"/>`
    const found = await collectAll(readXml(text, { fragment: true }).records(['item', 'b'], SHAPE, { onError: 'skip' }))
    expect(found.map(({ id }) => id)).toEqual([1, 2, 4])
  })

  test('reads records in records where these are wanted', async () => {
    const text = `<r>${item(1, item(2))}${item(3, '</n>')}${item(4, item(5))}</r>`
    const found = await collectAll(readXml(text).records('item', { id: '@id' }, { nested: 'all', onError: 'skip' }))
    expect(found.map(({ id }) => id)).toEqual(['2', '1', '5', '4'])
  })

  test('is refused before the first byte where no name says where to continue', async () => {
    const onError = 'skip'
    for (const path of ['*', 'a[@x]/b', ['b', '*']]) {
      const message = /^onError: after an error, reading continues at the next element with a name/
      expect(() => readXml('<').records(path, {}, { onError })).toThrow(message)
      expect(() => readXml('<').select(path, { onError })).toThrow(message)
    }
    const two = { a: { outer: 'a', fields: { x: '@x' } }, b: { outer: 'b', fields: { x: '@x' } } } as const
    expect(() => readXml('<').records('a/b/c', two, { onError })).toThrow('only one field may have outer')
    expect(() => readXml('<').records('b', {}, { onError: 'go' as 'skip' })).toThrow(
      'onError must be stop, skip or a function',
    )
  })

  test.each([
    ['in the middle of one', `<r>${item(1)}${item(2, '</n>')}${item(3)}</r>`, [1, 3], 1],
    ['in the last record of one', `<r>${item(1)}${item(2, '</n>')}</r>`, [1], 1],
    ['after the last record of one', `<r>${item(1)}<x></r >`, [1], 0],
    ['in a record that does not end', `<r>${item(1)}<item id="2"></r>`, [1], 1],
    ['where one is cut off', `<r>${item(1)}<item id="2"><n>x`, [1], 1],
    ['in the tag of a record', `<p:r xmlns:p="u">${item(1)}<item </p:r\n>`, [1], 1],
  ])('continues in several documents where each ends: with an error %s', async (_, bad, ids, left) => {
    const good = `<?xml version="1.0"?><q>${item(5)}</q>`
    const found = new Set<string>()
    for (const chunks of everyCut(encode(`${bad}\n${good}${bad}\n${good}`))) {
      const documents: unknown[] = []
      for await (const document of readXmlDocuments(chunks)) {
        const lines: (number | undefined)[] = []
        const records = await collectAll(document.records('item', SHAPE, { onError: ({ line }) => lines.push(line) }))
        const { errors, records: skipped } = document.skipped
        documents.push({ ids: records.map(({ id }) => id), errors, skipped, lines })
      }
      found.add(JSON.stringify(documents))
    }
    expect(found.size).toBe(1)
    const [first, second, third, fourth] = JSON.parse([...found][0] as string)
    expect(first).toMatchObject({ ids, errors: 1, skipped: left })
    const lines = `${bad}\n${good}`.split('\n').length - 1
    expect(third).toEqual({ ...first, lines: [first.lines[0] + lines] })
    const rest = { ids: [5], errors: 0, skipped: 0, lines: [] }
    expect([second, fourth]).toEqual([rest, rest])
  })

  test.each([
    ['in the middle', '<r><i>1</i><i>2</x></i><i>3</i></r>', ['1', '3']],
    ['in the end tag of the root', '<r><i>1</i><i>2</r >', ['1']],
    ['at the end tag of the root', '<r><i>1</i><x a=</r>', ['1']],
    ['after text with what begins a tag', '<r><i>1</i></x><!-- < </ i></r></ r></r>', ['1']],
  ])('waits for nothing after the end of a document that has an error %s', async (_, text, values) => {
    for (const chunks of everyCut(encode(text))) {
      const documents = readXmlDocuments(stalling(chunks))
      const { value } = await documents.next()
      const records = await collectAll((value as XmlReader).records('i', { t: '.' }, { onError: 'skip' }))
      expect(records.map(({ t }) => t)).toEqual(values)
      await documents.return()
    }
  })

  test('waits for nothing after the next record', async () => {
    for (const chunks of everyCut(encode(`<r>${item(1)}${item(2, '</n>')}${item(3)}<`))) {
      const records = readXml(stalling(chunks)).records('item', SHAPE, { onError: 'skip' })
      const ids = [await records.next(), await records.next()].map(({ value }) => (value as { id: number }).id)
      expect(ids).toEqual([1, 3])
      await records.return()
    }
  })

  test('replaces each character and byte that does not belong in a text once, also where it is read again', async () => {
    const text = encode(`<r>${item(1, 'a\u0001b')}${item(2, '&#1;\uffff')}${item(3, '</n>')}${item(4, '\u0002')}|</r>`)
    const bytes = text.map((byte) => (byte === 0x7c ? 0xff : byte))
    const found = new Set<string>()
    for (const chunks of everyCut(bytes)) {
      const [places, ends]: number[][] = [[], []]
      const options = { onReplace: (offset: number) => places?.push(offset) }
      const records = await collectAll(
        readXml(chunks, options).records('item', { t: '.' }, { onError: ({ byteOffset }) => ends?.push(byteOffset) }),
      )
      found.add(JSON.stringify([records.map(({ t }) => t), places?.sort((one, other) => one - other), ends?.length]))
    }
    const at = (value: number) => bytes.indexOf(value)
    const reference = Buffer.from(bytes).indexOf('&')
    const places = [at(1), reference, reference + 4, at(2), at(0xff)]
    expect([...found]).toEqual([JSON.stringify([['a?b', '?\ufffd', '?'], places, 1])])
  })

  test('never skips the head of one of several documents, nor errors in one that nobody reads', async () => {
    const ids: number[] = []
    const read = async (text: string, isRead: boolean) => {
      for await (const document of readXmlDocuments(text))
        if (isRead) for await (const { id } of document.records('item', SHAPE, { onError: 'skip' })) ids.push(id)
    }
    await expect(read(`<r>${item(1)}</r><r><a></b>${item(2)}</r>`, true)).rejects.toMatchObject({
      code: 'tag-mismatch',
    })
    expect(ids).toEqual([1])
    await expect(read(`<r>${item(1)}</item></r>`, false)).rejects.toMatchObject({ code: 'tag-mismatch' })
  })

  test('ends at the first error of a document that is not UTF-8', async () => {
    const text = Buffer.from(`<r>${item(1)}${item(2, '</n>')}${item(3)}</r>`, 'utf16le')
    const found: number[] = []
    const read = async () => {
      for await (const { id } of readXml(text, { encoding: 'utf-16le' }).records('item', SHAPE, { onError: 'skip' }))
        found.push(id)
    }
    await expect(read()).rejects.toMatchObject({ code: 'tag-mismatch' })
    expect(found).toEqual([1])
  })
})
