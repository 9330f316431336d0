import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeKernelXxh64, makePlainXxh64, makeXxh64, type Xxh64 } from '../../../source/compression/zstd/xxh64.ts'
import { inPieces } from '../../support/collect.ts'
import { parameters } from '../../support/property.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The bytes that the sanity checks of the reference implementation are made of. */
function makeSanityBytes(length: number): Uint8Array {
  let value = 2654435761n
  return Uint8Array.from({ length }, () => {
    const byte = Number(BigInt.asUintN(64, value) >> 56n)
    value = BigInt.asUintN(64, value * 11400714785074694797n)
    return byte
  })
}

/** As the reference implementation gives them, in its sanity checks and its documentation. */
const known: [name: string, bytes: Uint8Array, hash: bigint][] = [
  ['nothing', new Uint8Array(0), 0xef46db3751d8e999n],
  ['a', encode('a'), 0xd24ec4f1a98c6e5bn],
  ['abc', encode('abc'), 0x44bc2cf5ad770999n],
  ['a sentence of 39 bytes', encode('Nobody inspects the spammish repetition'), 0xfbcea83c8a378bf1n],
  ['1 byte of the sanity checks', makeSanityBytes(1), 0xe934a84adb052768n],
  ['4 bytes of the sanity checks', makeSanityBytes(4), 0x9136a0dca57457een],
  ['14 bytes of the sanity checks', makeSanityBytes(14), 0x8282dcc4994e35c8n],
  ['222 bytes of the sanity checks', makeSanityBytes(222), 0xb641ae8cb691c174n],
]

const engines: [string, () => Promise<Xxh64>][] = [
  ['the kernel', async () => makeKernelXxh64() as Xxh64],
  ['its plain twin', makePlainXxh64],
]

describe.each(engines)('XXH64 by %s', (_, make) => {
  test.each(known)('of %s is what is known', async (_, bytes, expected) => {
    const hash = await make()
    hash.update(bytes)
    expect(hash.digest()).toBe(expected)
    // Byte by byte, and once more.
    hash.reset()
    for (const piece of inPieces(bytes, 1)) hash.update(piece)
    expect(hash.digest()).toBe(expected)
  })

  test('can be asked for in the middle', async () => {
    const hash = await make()
    hash.update(encode('a'))
    expect(hash.digest()).toBe(0xd24ec4f1a98c6e5bn)
    hash.update(encode('bc'))
    expect(hash.digest()).toBe(0x44bc2cf5ad770999n)
  })
})

test('the kernel and its plain twin agree, in whatever pieces bytes are added', async () => {
  const kernel = makeKernelXxh64() as Xxh64
  const plain = await makePlainXxh64()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 100 }), (bytes, size) => {
      kernel.reset()
      plain.reset()
      kernel.update(bytes)
      for (const piece of inPieces(bytes, size)) plain.update(piece)
      expect(kernel.digest()).toBe(plain.digest())
    }),
    parameters(500),
  )
  const large = makeSanityBytes(300_001)
  kernel.reset()
  plain.reset()
  kernel.update(large)
  for (const piece of inPieces(large, 70_001)) plain.update(piece)
  expect(kernel.digest()).toBe(plain.digest())
})

test.each([
  ['the kernel', makeXxh64],
  ['its plain twin', makePlainXxh64],
])('several hashes can be made at the same time by %s', async (_, make) => {
  const [one, two] = [await make(), await make()]
  one.update(encode('a'))
  two.update(encode('abc'))
  expect([one.digest(), two.digest()]).toEqual([0xd24ec4f1a98c6e5bn, 0x44bc2cf5ad770999n])
})
