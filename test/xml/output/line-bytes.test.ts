// JSON as bytes.

import { describe, expect, test } from 'vitest'
import { LineBytes } from '../../../source/xml/output/line-bytes.ts'

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

  test('are cut back to what was there before', () => {
    const output = new LineBytes()
    output.putText('"a"')
    const before = output.length
    output.putText('"b"')
    output.cut(before)
    output.putText('"c\\n"')
    expect(decode(output.take())).toBe('"a""c\\n"')
  })
})
