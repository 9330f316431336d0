import { createInflateRaw, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ZlibStream } from '../../source/compression/zlib-stream.ts'
import { isThorough } from '../support/extent.ts'
import { until } from '../support/resources.ts'

const MEBIBYTE = 1024 * 1024
const text = Buffer.from('wood and wood again, '.repeat(1000))

function make() {
  const inflate = createInflateRaw({ chunkSize: MEBIBYTE })
  return { inflate, stream: new ZlibStream(inflate) }
}

/** What a piece becomes, and how much of it was used. */
async function write(stream: ZlibStream, piece: Uint8Array): Promise<{ content: Buffer; used: number }> {
  const pieces: Uint8Array[] = []
  const steps = stream.write(piece)
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return { content: Buffer.concat(pieces), used: value }
    pieces.push(value)
  }
}

const SIZE = (isThorough ? 50 : 10) * MEBIBYTE

describe('a stream of zlib', () => {
  test('gives what each piece becomes, and says how much of the last one was used', async () => {
    const { stream } = make()
    const deflated = Buffer.concat([deflateRawSync(text), Buffer.from('behind')])
    const contents: Buffer[] = []
    let used = 0
    for (let at = 0; !stream.ended; at += 10) {
      const piece = await write(stream, deflated.subarray(at, at + 10))
      contents.push(piece.content)
      used += piece.used
    }
    expect(Buffer.concat(contents).equals(text)).toBe(true)
    expect(used).toBe(deflated.length - 'behind'.length)
    stream.close()
  })

  test('makes no more than 2 MiB before they are taken', async () => {
    const { inflate, stream } = make()
    const bomb = deflateRawSync(new Uint8Array(SIZE))
    const steps = stream.write(bomb)
    let length = 0
    for (;;) {
      const { done, value } = await steps.next()
      if (done) break
      length += value.length
      expect(value.length).toBeLessThanOrEqual(MEBIBYTE)
      await until(() => inflate.readableLength > 0, 5)
      expect(inflate.readableLength).toBeLessThanOrEqual(MEBIBYTE)
    }
    expect(length).toBe(SIZE)
    stream.close()
  })

  test('gives what came before what is corrupt, and then says so', async () => {
    const { stream } = make()
    // A block that is stored, and then one of a type that does not exist.
    const { content } = await write(stream, Buffer.concat([Buffer.of(0, 4, 0, 0xfb, 0xff), Buffer.from('wood')]))
    expect(content.toString()).toBe('wood')
    expect(stream.error).toBeUndefined()
    await write(stream, Buffer.of(7))
    expect(stream.error).toMatchObject({ code: 'Z_DATA_ERROR' })
  })
})
