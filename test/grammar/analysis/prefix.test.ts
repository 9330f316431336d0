import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ANYTHING,
  concatenate,
  DEPTH,
  END,
  EPSILON,
  firstBytesOf,
  joinFirstBytes,
  leaveOpen,
  type Prefix,
  type Prefixes,
  unite,
} from '../../../source/grammar/analysis/prefix.ts'
import { ByteSet } from '../../../source/machine/program/byte-set.ts'
import { parameters } from '../../support/property.ts'

const encoder = new TextEncoder()

/** The prefix of a text: each byte on its own. What is complete matches for sure, as a literal does. */
function begin(text: string, tail: Prefix['tail'] = 'complete'): Prefix {
  const sets = Array.from(encoder.encode(text), (byte) => ByteSet.of(byte))
  const isLiteral = tail === 'complete'
  const ends = isLiteral ? 1 << sets.length : 0
  return { sets, tail, ends, sure: ends, passes: isLiteral, own: sets.length }
}

/** As text: sets in brackets where they have more than one byte, and `.` complete, `…` open, `$` the end. */
function write(prefixes: Prefixes): string[] {
  return prefixes.map(({ sets, tail }) => {
    const bytes = sets.map(({ list }) => {
      const text = String.fromCharCode(...list)
      return list.length === 1 ? text : `[${text}]`
    })
    return bytes.join('') + { complete: '.', open: '…', end: '$' }[tail]
  })
}

/** Whether an input can begin so: the text is all of it. */
function admits(prefixes: Prefixes, text: string): boolean {
  const bytes = encoder.encode(text)
  return prefixes.some(({ sets, tail }) => {
    const isPrefix = sets.every((set, i) => i < bytes.length && set.has(bytes[i] as number))
    return isPrefix && (tail !== 'end' || bytes.length === sets.length)
  })
}

const setOf = fc.constantFrom('a', 'b', 'ab', 'bc').map((text) => ByteSet.from([...encoder.encode(text)]))
const prefixes: fc.Arbitrary<Prefixes> = fc.array(
  fc.record({
    sets: fc.array(setOf, { maxLength: DEPTH }),
    tail: fc.constantFrom<Prefix['tail']>('complete', 'open', 'end'),
    ends: fc.constant(0),
    sure: fc.constant(0),
    passes: fc.constant(false),
    own: fc.constant(0),
  }),
  { maxLength: 4 },
)
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })

describe('ways to begin', () => {
  test('are united without those that are there already', () => {
    expect(write(unite([[begin('ab')], [begin('c', 'open')], [begin('ab')]]))).toEqual(['ab.', 'c…'])
    expect(write(unite([[begin('ab')], [begin('ab', 'open')]]))).toEqual(['ab.', 'ab…'])
    expect(unite([])).toEqual([])
  })

  test('are joined into one of a single byte where they are many', () => {
    const many = Array.from({ length: 26 }, (_, i) => begin(`${String.fromCharCode(97 + i)}x`))
    expect(write(unite([many, EPSILON]))).toEqual(['.', '[abcdefghijklmnopqrstuvwxyz]…'])
  })

  test('are put together up to the depth, and are open after it', () => {
    expect(write(concatenate([[begin('a')], [begin('b'), begin('c', 'open')]]))).toEqual(['ab.', 'ac…'])
    expect(write(concatenate([[begin('abc')], [begin('de')]]))).toEqual(['abcd…'])
    expect(write(concatenate([[begin('abcd')], [begin('e')]]))).toEqual(['abcd.'])
    expect(write(concatenate([[begin('a')], END]))).toEqual(['a$'])
    expect(write(concatenate([EPSILON, ANYTHING]))).toEqual(['…'])
  })

  test('do not depend on what comes after, when that cannot matter', () => {
    expect(write(concatenate([[begin('a', 'open'), begin('abcd'), ...END], []]))).toEqual(['a…', 'abcd.', '$'])
    expect(concatenate([[], [begin('a')]])).toEqual([])
  })

  test('are none, when nothing can come after what is complete', () => {
    expect(write(concatenate([[begin('a'), begin('b', 'open')], []]))).toEqual(['b…'])
  })

  test('are left open, except for the end of the input', () => {
    expect(write(leaveOpen([begin('a'), begin('b', 'open'), ...END, ...EPSILON]))).toEqual(['a…', 'b…', '$', '…'])
  })

  test('have first bytes, unless they may be nothing', () => {
    const known = firstBytesOf([begin('ax'), begin('b'), ...END])
    expect([String.fromCharCode(...known.bytes.list), known.canEnd, known.isKnown]).toEqual(['ab', true, true])
    for (const nothing of [EPSILON, ANYTHING]) {
      const { bytes, canEnd, isKnown } = firstBytesOf([begin('a'), ...nothing])
      expect([bytes.size, canEnd, isKnown]).toEqual([256, true, false])
    }
    expect(firstBytesOf([]).bytes.isEmpty).toBe(true)
  })
})

describe('an over-estimate stays one', () => {
  test('when ways are united, joined, or left open', () => {
    fc.assert(
      fc.property(prefixes, prefixes, text, (one, other, input) => {
        const either = admits(one, input) || admits(other, input)
        expect(admits(unite([one, other]), input)).toBe(either)
        if (admits(one, input)) {
          expect(admits(joinFirstBytes(one), input)).toBe(true)
          expect(admits(leaveOpen(one), input)).toBe(true)
          const { bytes, canEnd } = firstBytesOf(one)
          expect(input === '' ? canEnd : bytes.has(input.charCodeAt(0))).toBe(true)
        }
      }),
      parameters(1000),
    )
  })

  test('when ways are put together', () => {
    fc.assert(
      fc.property(prefixes, prefixes, text, text, (one, other, left, right) => {
        // What is matched by the first is exactly as long as a complete way of it.
        const isMatch = one.some((prefix) => {
          const { sets, tail } = prefix
          return tail === 'complete' && sets.length === left.length && admits([prefix], left)
        })
        if (!isMatch || !admits(other, right)) return
        expect(admits(concatenate([one, other]), left + right)).toBe(true)
      }),
      parameters(2000),
    )
  })
})
