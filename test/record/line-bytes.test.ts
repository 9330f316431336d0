// JSON as bytes.

import { describe, expect, test } from 'vitest'
import { LineBytes } from '../../source/record/line-bytes.ts'
import { RecordBatch } from '../../source/xml/projection/record-batch.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('bytes of JSON', () => {
  test('grow, and are taken once', () => {
    const output = new LineBytes()
    const long = 'x'.repeat(100_000)
    output.putByte(0x5b)
    output.put(encode(long))
    output.putText('{"a":["é"]}')
    output.put(encode('abcdef'), 2, 4)
    expect(decode(output.take())).toBe(`[${long}{"a":["é"]}cd`)
    expect(output.length).toBe(0)
    expect(output.take()).toHaveLength(0)
  })

  test('of a kernel are copied before anything else is written, and before its memory is written to again', () => {
    const output = new LineBytes()
    const other = new LineBytes()
    const batch = new RecordBatch([], false)
    const bytes = encode('one,two,three,')
    batch.memory = { bytes }
    output.putLine(batch, 0, 4)
    output.putLine(batch, 4, 8)
    output.putText('-')
    other.putLine(batch, 0, 4)
    output.putLine(batch, 8, 14)
    batch.settle()
    bytes.fill(0)
    expect(decode(output.take())).toBe('one,two,-three,')
    expect(decode(other.take())).toBe('one,')
  })
})
