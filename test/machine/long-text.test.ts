// Text that no string can hold. The input is zeros that nobody has written, which take no memory.

import { describe, expect, test } from 'vitest'
import { NodeType } from '../../source/machine/program/program.ts'
import { nodesOf, type SyntaxNode } from '../../source/machine/tree/syntax-node.ts'
import { TextPosition } from '../../source/machine/tree/text-position.ts'
import { LONGEST_STRING } from '../../source/text/units.ts'
import { isThorough } from '../support/extent.ts'

const TYPES = ['literal', '', 'program']
const LENGTH = LONGEST_STRING + 16
const START = new TextPosition(1000, 7, 1, 500)

/** The children of a node `program`: a literal that is too long for a string, and a short one. */
function makeLiterals(): readonly SyntaxNode[] {
  const bytes = new Uint8Array(LENGTH)
  bytes.set([0xc3, 0xa9, 0x78], LENGTH - 3)
  const [from, middle, end] = [1000, 1000 + LENGTH - 3, 1000 + LENGTH]
  const long = [NodeType.LITERAL, from, middle, 0]
  const short = [NodeType.LITERAL, middle, end, 16]
  const records = Uint32Array.from([...long, ...short, TYPES.length - 1, from, end, 0])
  const [root] = nodesOf({ records, roots: [2], tapeStart: 0, bytes, start: START }, TYPES)
  return (root as SyntaxNode).value as readonly SyntaxNode[]
}

describe('text that is longer than a string can be', () => {
  test.runIf(isThorough)('is a LimitError that says where it is, and hides nothing else of the tree', () => {
    const [long, short] = makeLiterals() as [SyntaxNode, SyntaxNode]
    expect(short.value).toBe('éx')
    expect(short.text).toBe('éx')
    expect([long.end, long.count]).toEqual([1000 + LENGTH - 3, LENGTH - 3])
    const error = { name: 'LimitError', code: 'length-limit', byteOffset: 1000, limit: LONGEST_STRING }
    expect(() => long.value).toThrow(expect.objectContaining(error))
  })
})
