import { describe, expect, test } from 'vitest'
import { makeBlockDecoder } from '../../../source/compression/bzip2/block-decoder.ts'
import { openGroups } from '../../../source/compression/bzip2/block-group.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'
import { readFixture } from '../../support/fixtures.ts'

/** The only block of a stream: after the header of four bytes. */
function blockOf(stream: Uint8Array) {
  return { bytes: stream.subarray(4), bit: 0 }
}

async function collectText(parts: AsyncIterable<{ index: number; pieces: Uint8Array[] } | undefined>) {
  const texts: string[] = []
  for await (const part of parts) {
    if (part) texts[part.index] = (texts[part.index] ?? '') + Buffer.concat(part.pieces).toString()
  }
  return texts
}

describe('a group of blocks', () => {
  test('is decoded by a decoder that has left another one in the middle', async () => {
    let made = 0
    const decode = openGroups(() => {
      made++
      return makeBlockDecoder()
    })
    const [wanted, unwanted] = ['what is wanted', 'what is not wanted'].map((text) =>
      blockOf(encodeBzip2(Buffer.from(text))),
    ) as [ReturnType<typeof blockOf>, ReturnType<typeof blockOf>]
    for (let steps = 0; steps < 8; steps++) {
      const left = decode([unwanted, blockOf(readFixture('compression/zeros.bz2'))])
      for (let step = 0; step <= steps; step++) await left.next()
      await left.return()
      expect(await collectText(decode([wanted, wanted]))).toEqual(['what is wanted', 'what is wanted'])
    }
    expect(made).toBe(1)
  })

  test('is decoded beside another one', async () => {
    const decode = openGroups(makeBlockDecoder)
    const one = decode([blockOf(encodeBzip2(Buffer.from('one')))])
    await one.next()
    expect(await collectText(decode([blockOf(encodeBzip2(Buffer.from('other')))]))).toEqual(['other'])
    expect(await collectText(one)).toEqual(['one'])
  })
})
