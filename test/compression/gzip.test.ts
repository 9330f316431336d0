import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decompress } from '../../source/compression/decompress.ts'
import { CompressionError } from '../../source/compression/errors.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../support/collect.ts'
import { failing } from '../support/sources.ts'

const text = 'Wood é 木 🌳, and wood again.\n'
const member = new Uint8Array(gzipSync(text))
const large = Array.from({ length: 30000 }, (_, i) => `line ${i * 7919} of the text\n`).join('')
const largeMember = new Uint8Array(gzipSync(large))

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a gzip source', () => {
  test('gives the content of all members, whole, byte by byte and at every cut', async () => {
    const two = new Uint8Array([...member, ...gzipSync('The second.')])
    for (const chunks of everyCut(two)) {
      expect(decode(await collect(decompress(chunks)))).toBe(`${text}The second.`)
    }
  })

  test('gives content that is much larger than a piece, in pieces of any size', async () => {
    for (const size of [1000, 65536, largeMember.length]) {
      expect(decode(await collect(decompress(inPieces(largeMember, size))))).toBe(large)
    }
  })

  test('may have an extra field, a name, a comment and a checksum in its header', async () => {
    const flags = 2 | 4 | 8 | 16
    const fields = [3, 0, 1, 2, 3, ...Buffer.from('name\0comment\0'), 0xab, 0xcd]
    const header = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3, ...fields]
    const bytes = new Uint8Array([...header, ...member.slice(10)])
    for (const chunks of everyCut(bytes)) expect(decode(await collect(decompress(chunks)))).toBe(text)
  })

  test('may have empty members and zero bytes behind them', async () => {
    const empty = gzipSync('')
    expect(decode(await collect(decompress([empty, member, empty, new Uint8Array(600)])))).toBe(text)
  })

  test('of tiny members gives pieces that keep little memory', async () => {
    for await (const piece of decompress([member, member])) expect(piece.buffer.byteLength).toBeLessThan(1000)
  })

  test('of many small members leaves no stream of zlib open', async () => {
    expect(decode(await collect(decompress(Array.from({ length: 300 }, () => member))))).toBe(text.repeat(300))
  })
})

describe('a damaged gzip source', () => {
  test('that is cut off anywhere gives what came before, and is called truncated', async () => {
    for (let length = 3; length < member.length; length++) {
      const { bytes, error } = await collectUntilFault(decompress(member.slice(0, length)))
      expect(text.startsWith(decode(bytes).replace(/\ufffd$/, ''))).toBe(true)
      expect(error).toBeInstanceOf(CompressionError)
      expect(error).toMatchObject({ code: 'truncated', format: 'gzip', byteOffset: length })
    }
  })

  test('that is cut off gives all but the last bytes of what it holds', async () => {
    const half = largeMember.slice(0, largeMember.length / 2)
    const { bytes } = await collectUntilFault(decompress(half))
    expect(large.startsWith(decode(bytes))).toBe(true)
    expect(bytes.length).toBeGreaterThan(large.length * 0.45)
  })

  test('with a wrong checksum or length gives all it holds first', async () => {
    for (const place of [member.length - 8, member.length - 1]) {
      const damaged = member.slice()
      damaged[place] = (damaged[place] as number) ^ 1
      const { bytes, error } = await collectUntilFault(decompress(damaged))
      expect(decode(bytes)).toBe(text)
      expect(error).toMatchObject({ code: 'corrupt', byteOffset: member.length })
    }
  })

  test('with impossible data gives nearly all before it', async () => {
    const damaged = largeMember.slice()
    const place = Math.floor(damaged.length * 0.8)
    damaged.fill(0xff, place, place + 100)
    const { bytes, error } = await collectUntilFault(decompress(damaged))
    expect(error).toMatchObject({ code: 'corrupt' })
    expect(bytes.length).toBeGreaterThan(large.length * 0.7)
    expect(decode(bytes).slice(0, large.length * 0.7)).toBe(large.slice(0, large.length * 0.7))
  })

  test('is an error when something else follows, because members could be lost behind it', async () => {
    const { bytes, error } = await collectUntilFault(decompress([member, Buffer.from('no member')]))
    expect(decode(bytes)).toBe(text)
    expect(error).toMatchObject({ code: 'trailing-data' })
  })
})

test('a gzip source that fails when all has arrived gives everything', async () => {
  const { bytes, error } = await collectUntilFault(decompress(failing([member], new Error('the disk is gone'))))
  expect(decode(bytes)).toBe(text)
  expect(error).toMatchObject({ code: 'source-failed' })
})

describe('a gzip source where there is no zlib', () => {
  afterEach(() => vi.restoreAllMocks())

  test('is decompressed by the runtime', async () => {
    vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
    for (const size of [1, 1000, largeMember.length]) {
      const source = size === 1 ? inPieces(member, 1) : inPieces(largeMember, size)
      expect(decode(await collect(decompress(source)))).toBe(size === 1 ? text : large)
    }
  })

  test('is an error when it is damaged', async () => {
    vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
    const { error } = await collectUntilFault(decompress(member.slice(0, -3)))
    expect(error).toMatchObject({ code: 'corrupt', format: 'gzip' })
  })
})
