import { describe, expect, test } from 'vitest'
import { LocalEngine } from '../../../source/compression/bzip2/block-engine.ts'
import { encodeBzip2 } from '../../support/bzip2-encoder.ts'

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
})
