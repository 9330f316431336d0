import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Decision,
  type DecisionLeaf,
  decide,
  isDecisive,
  leavesOf,
} from '../../../source/grammar/analysis/decision.ts'
import {
  ANYTHING,
  asFollow,
  concatenate,
  DEPTH,
  END,
  EPSILON,
  type Prefix,
  type Prefixes,
  PrefixMemory,
} from '../../../source/grammar/analysis/prefix.ts'
import { ByteSet } from '../../../source/machine/program/byte-set.ts'
import { parameters } from '../../support/property.ts'

const encoder = new TextEncoder()

/** How a text begins: each byte on its own. What is complete matches for sure, as a literal does. */
function begin(text: string, tail: Prefix['tail'] = 'complete'): Prefixes {
  const sets = Array.from(encoder.encode(text), (byte) => ByteSet.of(byte))
  const isLiteral = tail === 'complete'
  const ends = isLiteral ? 1 << sets.length : 0
  return [{ sets, tail, ends, sure: ends, passes: isLiteral, own: sets.length }]
}

/** How a literal begins that another one follows. */
function beginTwo(first: string, second: string): Prefixes {
  return concatenate([begin(first), begin(second)])
}

/** Where a decision leads for an input. */
function follow(decision: Decision, input: string): DecisionLeaf {
  const bytes = encoder.encode(input)
  let next = decision
  while (next.kind === 'switch') {
    const { depth, ways, end } = next
    const byte = bytes[depth]
    next = byte === undefined ? end : (ways.find((way) => way.bytes.has(byte)) as { next: Decision }).next
  }
  return next
}

/** The options that are left for an input; and after `!` those that fail, and are tried for messages. */
function left(decision: Decision, input: string): string {
  const { options, doomed } = follow(decision, input)
  return doomed.length === 0 ? options.join() : `${options.join()}!${doomed.join()}`
}

/** Whether an option can match an input, as far as is known of how it begins. */
function admits(prefixes: Prefixes, input: string): boolean {
  const bytes = encoder.encode(input)
  return prefixes.some(({ sets, tail }) => {
    const isPrefix = sets.every((set, i) => i < bytes.length && set.has(bytes[i] as number))
    return isPrefix && (tail !== 'end' || bytes.length === sets.length)
  })
}

/** A prefix as far as can be seen: not whether the input ends after the last byte that is looked at. */
function see(prefix: Prefix): Prefix {
  return prefix.sets.length === DEPTH ? { ...prefix, tail: 'open' } : prefix
}

describe('a decision', () => {
  test('is one look, where the first bytes differ', () => {
    const decision = decide([begin('ab'), begin('c'), begin('d', 'open')])
    expect(isDecisive(decision)).toBe(true)
    expect(['ab', 'c', 'dx', 'x', ''].map((input) => left(decision, input))).toEqual(['0', '1', '2', '', ''])
    expect(decision).toMatchObject({ kind: 'switch', depth: 0 })
    expect(leavesOf(decision).length).toBe(4)
  })

  test('looks up to four bytes ahead, where the first ones are the same', () => {
    const decision = decide([begin('abca'), begin('abcb'), begin('ax')])
    expect(isDecisive(decision)).toBe(true)
    expect(['abca', 'abcb', 'ax'].map((input) => left(decision, input))).toEqual(['0', '1', '2'])
    const further = decide([begin('abcd', 'open'), begin('abcd', 'open')])
    expect(isDecisive(further)).toBe(false)
    expect(left(further, 'abcde')).toBe('0,1')
  })

  test('leaves all options that may match, in their order', () => {
    const decision = decide([begin('a', 'open'), begin('b'), begin('ab')])
    expect(isDecisive(decision)).toBe(false)
    expect(['ab', 'ax', 'b'].map((input) => left(decision, input))).toEqual(['0,2', '0', '1'])
  })

  test('never skips an earlier option that may match, for one that surely does', () => {
    const decision = decide([begin('a', 'open'), begin('ax')])
    expect(left(decision, 'ax')).toBe('0,1')
    const complete = decide([begin('a'), begin('ab')])
    expect(left(complete, 'ab')).toBe('0,1')
    expect(left(complete, 'ac')).toBe('0')
  })

  test('refuses a literal as one unit: nothing is expected inside it', () => {
    const decision = decide([begin('select'.slice(0, DEPTH), 'open'), begin('set')])
    expect(left(decision, 'sele')).toBe('0')
    expect(left(decision, 'set')).toBe('1')
    expect(['sx', 's', 'x'].map((input) => left(decision, input))).toEqual(['', '', ''])
    expect(isDecisive(decision)).toBe(true)
  })

  test('has what fails after a match tried all the same, for what it expects there', () => {
    const decision = decide([beginTwo('a', 'b'), beginTwo('a', 'c'), begin('d')])
    expect(['ab', 'ac', 'd', 'x'].map((input) => left(decision, input))).toEqual(['0', '1', '2', ''])
    expect(['ax', 'a'].map((input) => left(decision, input))).toEqual(['!0,1', '!0,1'])
    // It is decisive all the same: what is doomed fails in any case.
    expect(isDecisive(decision)).toBe(true)
  })

  test('has nothing tried that fails before the end of what another one matches for sure', () => {
    const longer = decide([beginTwo('a', 'x'), begin('ab')])
    expect(left(longer, 'ab')).toBe('1')
    expect(left(longer, 'ac')).toBe('!0')
    const further = decide([beginTwo('ab', 'x'), beginTwo('a', 'b')])
    expect(left(further, 'abc')).toBe('1!0')
  })

  test('leaves the last option where what comes after it is refused: that is to fail', () => {
    const decision = decide([beginTwo('a', 'b'), concatenate([begin('a'), asFollow(begin('c'))])])
    expect(['ab', 'ac', 'b'].map((input) => left(decision, input))).toEqual(['0', '1', ''])
    expect(['ax', 'a'].map((input) => left(decision, input))).toEqual(['1!0', '1!0'])
  })

  test('has nothing tried that comes after an option that is taken', () => {
    const decision = decide([begin('a'), beginTwo('a', 'x')])
    expect(left(decision, 'ab')).toBe('0')
  })

  test('is made once for options that begin alike, and again for those that differ in anything', () => {
    const memory = new PrefixMemory()
    const options = () => [begin('ab'), [...begin('c'), ...begin('d', 'open')]]
    const known = memory.once(decide, options())
    expect(known).toEqual(decide(options()))
    expect(memory.once(decide, options())).toBe(known)
    const [one, other] = options() as [Prefixes, Prefixes]
    const others: Prefixes[][] = [
      [other, one],
      [one, other, []],
      [one, ...other.map((prefix) => [prefix])],
      ...(['ends', 'sure', 'own'] as const).map((fact) => [one.map((prefix) => ({ ...prefix, [fact]: 0 })), other]),
      [one.map((prefix) => ({ ...prefix, passes: false })), other],
      [begin('ab', 'open'), other],
      [begin('abc'), other],
      [begin('aB'), other],
    ]
    for (const different of others) {
      const decision = memory.once(decide, different)
      expect(decision).not.toBe(known)
      expect(decision).toEqual(decide(different))
    }
  })

  test('of one option is a look at its first byte, and no more', () => {
    const decision = decide([begin('abcd')])
    expect(['a', 'abcd', 'ax'].map((input) => left(decision, input))).toEqual(['0', '0', '0'])
    expect(['b', ''].map((input) => left(decision, input))).toEqual(['', ''])
  })

  test('of nothing that is known is none', () => {
    expect(decide([ANYTHING, begin('a')])).toMatchObject({ kind: 'switch' })
    expect(decide([ANYTHING, ANYTHING])).toEqual({ kind: 'leaf', options: [0, 1], doomed: [] })
    expect(decide([EPSILON])).toEqual({ kind: 'leaf', options: [0], doomed: [] })
    expect(decide([])).toEqual({ kind: 'leaf', options: [], doomed: [] })
    expect(decide([[]])).toEqual({ kind: 'leaf', options: [], doomed: [] })
  })

  test('knows the end of the input', () => {
    const decision = decide([begin('a'), END, begin('ab', 'end')])
    expect(isDecisive(decision)).toBe(false)
    expect(['', 'b', 'ab', 'abc', 'a'].map((input) => left(decision, input))).toEqual(['1', '', '0,2', '0', '0'])
    const rounds = decide([begin(',', 'open'), END])
    expect(isDecisive(rounds)).toBe(true)
    expect([',', ''].map((input) => left(rounds, input))).toEqual(['0', '1'])
  })

  test('looks at first bytes only, where there is too much to know', () => {
    const letters = Array.from('abcdefghijklmnopqrst')
    const many = letters.map((letter) => letters.slice(0, 4).flatMap((second) => begin(letter + second)))
    const decision = decide(many)
    expect(left(decision, 'ca')).toBe('2')
    expect(left(decision, 'cz')).toBe('2')
    expect(left(decision, 'z')).toBe('')
  })

  test('is right for any number of options', () => {
    for (const count of [30, 53, 54, 64, 65, 300]) {
      const options = Array.from({ length: count }, (_, i) => begin(`${i % 2 === 0 ? '<' : '['}${i}`))
      const decision = decide(options)
      const even = options.flatMap((_, i) => (i % 2 === 0 ? [i] : []))
      expect(follow(decision, '<2').options).toEqual(count > 50 ? even : expect.arrayContaining([2]))
      expect(left(decision, 'x')).toBe('')
    }
  })

  test('has all bytes once in each look, and equal ends as one', () => {
    const decision = decide([begin('ab'), begin('cb'), begin('ac')])
    const leaves = leavesOf(decision)
    expect(new Set(leaves.map(({ options, doomed }) => `${options} ${doomed}`)).size).toBe(leaves.length)
    const check = (node: Decision): void => {
      if (node.kind === 'leaf') return
      const bytes = node.ways.flatMap(({ bytes }) => bytes.list)
      expect([bytes.length, new Set(bytes).size]).toEqual([256, 256])
      for (const { next } of node.ways) check(next)
      check(node.end)
    }
    check(decision)
  })
})

test('any decision leaves the options that may match, and no others that its looks could refuse', () => {
  const setOf = fc.constantFrom('a', 'b', 'ab', 'bc').map((text) => ByteSet.from([...encoder.encode(text)]))
  const prefix = fc.record({
    sets: fc.array(setOf, { maxLength: DEPTH }),
    tail: fc.constantFrom<Prefix['tail']>('complete', 'open', 'end'),
    ends: fc.nat(31),
    sure: fc.constant(0),
    passes: fc.constant(false),
    own: fc.nat(DEPTH),
  })
  // What comes after an option is part of how the last one begins, and of no other.
  const own = (all: readonly Prefixes[]) => {
    return all.map((prefixes, i) =>
      i === all.length - 1 ? prefixes : prefixes.map((one) => ({ ...one, own: one.sets.length + 1 })),
    )
  }
  const options = fc.array(fc.array(prefix, { maxLength: 3 }), { minLength: 1, maxLength: 5 }).map(own)
  const input = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: DEPTH + 2 })
  fc.assert(
    fc.property(options, fc.array(input, { minLength: 20, maxLength: 20 }), (all, inputs) => {
      const decision = decide(all)
      for (const text of inputs) {
        const leaf = follow(decision, text)
        const possible = all.flatMap((prefixes, option) => (admits(prefixes, text) ? [option] : []))
        expect(leaf.options.toSorted((one, other) => one - other)).toEqual(leaf.options)
        expect(leaf.options).toEqual(expect.arrayContaining(possible))
        for (const option of leaf.doomed) expect(possible).not.toContain(option)
        // More than one is left only where looking further would not decide.
        if (leaf.options.length > 1 && leaf.doomed.length === 0) {
          expect(leaf.options).toEqual(
            all.flatMap((prefixes, option) => (admits(prefixes.map(see), text) ? [option] : [])),
          )
        }
      }
    }),
    parameters(1000),
  )
})
