// Text that no string can hold, in the ways that take long to look at. The input is zeros that nobody has written, which take no memory.

import { describe, expect, test } from 'vitest'
import { NodeType } from '../../source/machine/program/program.ts'
import { nodesOf, type SyntaxNode } from '../../source/machine/tree/syntax-node.ts'
import { TextPosition } from '../../source/machine/tree/text-position.ts'
import { decodeUtf8, LONGEST_STRING } from '../../source/text/units.ts'

const TYPES = ['literal', '']
const LENGTH = LONGEST_STRING + 16
const START = new TextPosition(1000, 7, 1, 500)

/** A literal that is too long for a string, also without what is left out in it. */
function makeLiteral(): SyntaxNode {
  const [from, end] = [1000, 1000 + LENGTH]
  const records = Uint32Array.from([NodeType.HOLE, from + 8, from + 9, 0, NodeType.LITERAL, from, end, 0])
  const parts = { records, roots: [1], tapeStart: 0, bytes: new Uint8Array(LENGTH), start: START }
  return nodesOf(parts, TYPES)[0] as SyntaxNode
}

describe('text that is longer than a string can be', () => {
  test('is one as well where something is left out in it', () => {
    const long = makeLiteral()
    expect(() => long.value).toThrow(
      expect.objectContaining({ name: 'LimitError', code: 'length-limit', byteOffset: 1009 }),
    )
  })

  test('is read when it has more bytes than that, and fewer units', () => {
    // Three bytes each, except for those at the end.
    const bytes = new Uint8Array(LENGTH)
    const character = Uint8Array.of(0xe6, 0x9c, 0xa8)
    bytes.set(character)
    for (let filled = 3; filled < LENGTH; filled *= 2) bytes.copyWithin(filled, 0, filled)
    bytes.fill(0x61, Math.floor(LENGTH / 3) * 3)
    const text = decodeUtf8(bytes, 0, LENGTH)
    expect(text.length).toBe(Math.floor(LENGTH / 3) + (LENGTH % 3))
    expect(text.slice(0, 3)).toBe('木木木')
    expect(text.indexOf('\ufffd')).toBe(-1)
    expect(text.at(-1)).toBe(LENGTH % 3 === 0 ? '木' : 'a')
  })
})
