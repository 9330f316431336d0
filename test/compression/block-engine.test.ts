import { describe, expect, test } from 'vitest'
import { LocalEngine } from '../../source/compression/block-engine.ts'
import { encodeBzip2 } from '../support/bzip2-encoder.ts'
import { readFixture } from '../support/fixtures.ts'

/** The only block of a stream, as the engine takes it: after the header of four bytes. */
function blockOf(content: string) {
  return { bytes: encodeBzip2(Buffer.from(content)).subarray(4), bit: 0 }
}

const textOf = (pieces: readonly Uint8Array[] = []) => Buffer.concat(pieces).toString()

describe('an engine on this thread', () => {
  test('decodes a group after one that nobody waited for, which is still being decoded', async () => {
    const engine = new LocalEngine()
    // The event loop is due a turn: decoding waits for it after each step.
    for (const start = Date.now(); Date.now() - start < 20; );
    engine.decode([blockOf('what is not wanted')]).release()
    const [result] = await engine.decode([blockOf('what is wanted')]).results()
    expect(textOf(result?.pieces)).toBe('what is wanted')
  })

  test('may use the memory again of one that is closed, but not of one whose group is not released', async () => {
    const closed = new LocalEngine()
    // Its block is longer than what is given at once.
    const group = closed.decode([{ bytes: readFixture('compression/zeros.bz2').subarray(4), bit: 0 }])
    await group.results()
    closed.close()
    for (const text of ['one', 'two']) {
      const engine = new LocalEngine()
      const other = engine.decode([blockOf(text)])
      expect(textOf((await other.results())[0]?.pieces)).toBe(text)
      other.release()
      engine.close()
    }
    let length = 0
    for (let isComplete = false; !isComplete; ) {
      const more = await group.more(0)
      for (const piece of more.pieces) length += piece.length
      isComplete = more.isComplete
    }
    expect(length).toBe(30_000_000)
  })
})
