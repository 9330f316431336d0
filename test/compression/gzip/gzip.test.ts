import { constants, crc32, deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { decompress } from '../../../source/compression/decompress.ts'
import { CompressionError } from '../../../source/compression/errors.ts'
import { Inflater } from '../../../source/compression/gzip/inflater.ts'
import { collect, collectUntilFault, everyCut, inPieces } from '../../support/collect.ts'
import { isThorough, sample } from '../../support/extent.ts'
import { parameters } from '../../support/property.ts'
import { failing } from '../../support/sources.ts'

const text = 'Wood é 木 🌳, and wood again.\n'
const member = new Uint8Array(gzipSync(text))
const large = Array.from({ length: 30000 }, (_, i) => `line ${i * 7919} of the text\n`).join('')
const largeMember = new Uint8Array(gzipSync(large))

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

afterEach(() => vi.restoreAllMocks())

/** Makes the runtime one without zlib, if that is asked for. */
function hideZlib(engine: string): void {
  if (engine === 'with zlib') return
  vi.spyOn(process as { getBuiltinModule(name: string): unknown }, 'getBuiltinModule').mockReturnValue(undefined)
}

describe.each(['with zlib', 'without zlib'])('a gzip source, %s', (engine) => {
  beforeEach(() => hideZlib(engine))

  test('gives the content of all members, from complete input, byte by byte and at every cut', async () => {
    const two = new Uint8Array([...member, ...gzipSync('The second.')])
    for (const chunks of everyCut(two)) {
      expect(decode(await collect(decompress(chunks)))).toBe(`${text}The second.`)
    }
  })

  test('gives content that is much larger than a piece, in pieces of any size', async () => {
    for (const size of sample([1000, 65536, largeMember.length], 2)) {
      expect(decode(await collect(decompress(inPieces(largeMember, size))))).toBe(large)
    }
  })

  test('may have an extra field, a name, a comment and a checksum in its header', async () => {
    const flags = 2 | 4 | 8 | 16
    const fields = [3, 0, 1, 2, 3, ...Buffer.from('name\0comment\0')]
    const header = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3, ...fields]
    // As Python's zlib.crc32 gives it.
    const bytes = new Uint8Array([...header, 0x34, 0x36, ...member.slice(10)])
    for (const chunks of everyCut(bytes)) expect(decode(await collect(decompress(chunks)))).toBe(text)
    for (let place = 3; place < header.length; place++) {
      const damaged = bytes.slice()
      damaged[place] = (damaged[place] as number) ^ 0x40
      const { bytes: none, error } = await collectUntilFault(decompress([damaged]))
      expect(none).toHaveLength(0)
      expect(error, `byte ${place}`).toMatchObject({ format: 'gzip' })
    }
  })

  test('may have a name of any length in its header', async () => {
    const name = new Uint8Array(300_000).fill(0x6e)
    const bytes = Buffer.concat([
      member.slice(0, 3),
      Buffer.of(8),
      member.slice(4, 10),
      name,
      Buffer.of(0),
      member.slice(10),
    ])
    for (const chunks of [[bytes], inPieces(bytes, 1000)]) {
      expect(decode(await collect(decompress(chunks)))).toBe(text)
    }
  })

  test('that becomes 1,000 times as large comes in pieces of at most 1 MiB', async () => {
    const size = (isThorough ? 100 : 8) * 1024 * 1024
    let length = 0
    for await (const piece of decompress(gzipSync(new Uint8Array(size)))) {
      expect(piece.length).toBeLessThanOrEqual(1024 * 1024)
      length += piece.length
    }
    expect(length).toBe(size)
  })

  test('may have empty members and zero bytes after them', async () => {
    const empty = gzipSync('')
    expect(decode(await collect(decompress([empty, member, empty, new Uint8Array(600)])))).toBe(text)
  })

  test('of tiny members gives pieces that keep little memory', async () => {
    for await (const piece of decompress([member, member])) expect(piece.buffer.byteLength).toBeLessThan(1000)
  })

  test('of many small members leaves no stream of zlib open', async () => {
    const count = isThorough ? 300 : 100
    expect(decode(await collect(decompress(Array.from({ length: count }, () => member))))).toBe(text.repeat(count))
  })
})

describe.each(['with zlib', 'without zlib'])('a damaged gzip source, %s', (engine) => {
  beforeEach(() => hideZlib(engine))

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

  test('with a wrong checksum of its header, or a reserved flag, is refused before it gives anything', async () => {
    const header = [0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3]
    const checksum = crc32(new Uint8Array(header)) & 0xffff
    const rest = member.slice(10)
    const right = new Uint8Array([...header, checksum & 255, checksum >> 8, ...rest])
    expect(decode(await collect(decompress(right)))).toBe(text)
    const wrong = new Uint8Array([...header, checksum & 255, (checksum >> 8) ^ 1, ...rest])
    const refused = await collectUntilFault(decompress(wrong))
    expect(refused).toMatchObject({ bytes: new Uint8Array(0), error: { code: 'corrupt', byteOffset: 12 } })
    for (const flag of [0x20, 0x40, 0x80]) {
      const flagged = member.slice()
      flagged[3] = flag
      const { bytes, error } = await collectUntilFault(decompress(flagged))
      expect(bytes).toHaveLength(0)
      expect(error).toMatchObject({ code: 'corrupt', message: expect.stringContaining('a reserved flag') })
    }
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

  test('is an error when something else follows, because members could be lost after it', async () => {
    const { bytes, error } = await collectUntilFault(decompress([member, Buffer.from('no member')]))
    expect(decode(bytes)).toBe(text)
    expect(error).toMatchObject({ code: 'trailing-data' })
  })
})

test.each(['with zlib', 'without zlib'])(
  'a gzip source that fails when all has arrived gives everything, %s',
  async (engine) => {
    hideZlib(engine)
    const { bytes, error } = await collectUntilFault(decompress(failing([member], new Error('the disk is gone'))))
    expect(decode(bytes)).toBe(text)
    expect(error).toMatchObject({ code: 'source-failed' })
  },
)

describe('inflating without zlib', () => {
  test('gives what zlib has deflated, at whatever level and with whatever strategy', () => {
    const options = fc.record({
      level: fc.integer({ min: 0, max: 9 }),
      strategy: fc.constantFrom(
        constants.Z_DEFAULT_STRATEGY,
        constants.Z_HUFFMAN_ONLY,
        constants.Z_FIXED,
        constants.Z_RLE,
      ),
    })
    const contents = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'the '), maxLength: 3000 }).map((string) => Buffer.from(string)),
      fc.nat(300_000).map((length) => Buffer.from(large.repeat(2)).subarray(0, length)),
    )
    fc.assert(
      fc.property(contents, options, fc.integer({ min: 1, max: 5000 }), (content, how, size) => {
        const deflated = deflateRawSync(content, how)
        expect(
          Buffer.from(inflateInPieces(Buffer.concat([deflated, Buffer.from('behind')]), size)).equals(content),
        ).toBe(true)
      }),
      parameters(150),
    )
  })

  test('makes no more than 128 KiB before that is taken', () => {
    const size = 10 * 1024 * 1024
    const deflated = deflateRawSync(new Uint8Array(size))
    const inflater = new Inflater()
    let length = 0
    for (let used = 0; !inflater.ended; ) {
      used += inflater.write(deflated.subarray(used), true)
      const piece = inflater.take()
      expect(piece.length).toBeLessThanOrEqual(128 * 1024)
      expect(piece.length).toBeGreaterThan(0)
      length += piece.length
    }
    expect(length).toBe(size)
  })

  test('never takes damaged data for something that it is not', () => {
    const content = Buffer.from(large.slice(0, 4000))
    const deflated = deflateRawSync(content)
    fc.assert(
      fc.property(fc.nat(deflated.length * 8 - 1), (bit) => {
        const damaged = Buffer.from(deflated)
        damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
        expect(attempt(() => inflateInPieces(damaged, 1000))).toEqual(
          attempt(() => new Uint8Array(inflateRawSync(damaged))),
        )
      }),
      parameters(500),
    )
  })
})

function inflateInPieces(bytes: Uint8Array, size: number): Uint8Array {
  const inflater = new Inflater()
  const pieces: Uint8Array[] = []
  let used = 0
  for (let end = size; !inflater.ended; end += size) {
    const isFinal = end >= bytes.length
    let isFull: boolean
    do {
      used += inflater.write(bytes.subarray(used, end), isFinal)
      isFull = inflater.isFull
      pieces.push(inflater.take())
    } while (isFull)
    if (isFinal && !inflater.ended) throw new Error('truncated')
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** What a function returns, or that it throws. */
function attempt(run: () => Uint8Array): Uint8Array | 'fault' {
  try {
    return run()
  } catch {
    return 'fault'
  }
}
