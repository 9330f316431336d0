// What is in Arrow's files and streams besides the values.

import { describe, expect, test } from 'vitest'
import { readXml, type XmlShape } from '../../../source/xml/index.ts'
import { readArrow } from '../../support/arrow.ts'
import { collectAll } from '../../support/collect.ts'
import { isThorough } from '../../support/extent.ts'
import { PRODUCT, products } from '../../support/products.ts'

const FORMATS = ['arrow', 'arrows'] as const
/** The mark at the end of a stream. */
const END = Buffer.from('ffffffff00000000', 'hex')
const document = Buffer.from(products(40))

async function write(
  format: (typeof FORMATS)[number],
  pieces: readonly Uint8Array[] | string,
  path: string,
  shape: XmlShape,
  engine: 'wasm' | 'plain' = 'wasm',
): Promise<Buffer> {
  return Buffer.concat(await collectAll(readXml(pieces, { engine }).write(format, path, shape)))
}

describe.each(FORMATS)('%s', (format) => {
  test('has no mark of its end after an error, and the records before it', async () => {
    const pieces: Uint8Array[] = []
    const writing = readXml('<r><p a="1"/><p a="2"/></x>').write(format, 'p', { a: '@a' })
    const failed = (async () => {
      for await (const bytes of writing) pieces.push(bytes)
    })()
    await expect(failed).rejects.toMatchObject({ code: 'tag-mismatch' })
    const bytes = Buffer.concat(pieces)
    expect(bytes.includes(END)).toBe(false)
    expect(bytes.includes('12')).toBe(true)
  })

  test('counts records without fields, whose batches have no bytes', async () => {
    for (const shape of [{}, { inner: { of: 'q', fields: {} } }])
      expect(readArrow(await write(format, '<r><p><q/></p><p><q/></p></r>', 'p', shape)).batches).toEqual([2])
  })

  test('may have many fields, with any names', async () => {
    const shape = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`ä${'x'.repeat(i % 9)} ${i}`, `@a${i % 7}`]),
    )
    const bytes = await write(format, '<r><p a1="1" a6=""/></r>', 'p', shape)
    const { names, records } = readArrow(bytes)
    expect(names).toEqual(Object.keys(shape))
    expect(records).toEqual(await collectAll(readXml('<r><p a1="1" a6=""/></r>').records('p', shape)))
  })

  test.runIf(isThorough)('has batches of a limited size', async () => {
    const text = 'x'.repeat(1 << 19)
    const large = `<r>${`<t>${text}</t>`.repeat(isThorough ? 70 : 35)}</r>`
    const { batches, records } = readArrow(await write(format, large, 't', { text: '.' }))
    expect(batches).toEqual(isThorough ? [...Array(8).fill(8), 6] : [8, 8, 8, 8, 3])
    expect(records.every((record) => (record as { text: string }).text === text)).toBe(true)
    const small = `<r>${'<t/>'.repeat(65_537)}</r>`
    expect(readArrow(await write(format, small, 't', { n: '@n' })).batches).toEqual([65_536, 1])
  })
})

test('a stream is the middle of the file, at addresses that are multiples of 8', async () => {
  const [file, stream] = await Promise.all(FORMATS.map((format) => write(format, [document], 'p', PRODUCT)))
  expect(file?.subarray(0, 8).toString('latin1')).toBe('ARROW1\0\0')
  expect(file?.subarray(8, 8 + (stream?.length as number))).toEqual(stream)
  expect(stream?.subarray(-8)).toEqual(END)
  expect((stream?.length as number) % 8).toBe(0)
  expect(file?.subarray(-6).toString('latin1')).toBe('ARROW1')
})

test('a stream that was cut between two batches looks complete to others: its last bytes say whether it is', async () => {
  const whole = await write('arrows', `<r>${'<t n="1"/>'.repeat(65_537)}</r>`, 't', { n: '@n' })
  const last = whole.lastIndexOf(Buffer.from('ffffffff', 'hex'), whole.length - 9)
  const cut = whole.subarray(0, last)
  expect(readArrow(cut).batches).toEqual([65_536])
  expect(cut.subarray(-8).equals(END)).toBe(false)
})
