import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GENERAL_KERNEL } from '../../source/machine/program/general-kernel.ts'
import { REGISTERS, Register } from '../../source/machine/program/registers.ts'
import type { Engine } from '../../source/machine/run/engine.ts'
import { makeKernelEngine } from '../../source/machine/run/kernel-engine.ts'
import { findNoXmlCharacter, PlainEngine } from '../../source/machine/run/plain-engine.ts'
import { findMalformed } from '../../source/text/utf8.ts'
import { anyText, parameters } from '../support/property.ts'

const PLACE = 65_536
const engine = makeKernelEngine(GENERAL_KERNEL) as Engine
engine.grow(4 * PLACE)
const plain = new PlainEngine()
plain.grow(4 * PLACE)

const encode = (text: string) => new TextEncoder().encode(text)

/** Where the twin finds the first error; the length where there is none. */
function findFault(bytes: Uint8Array): number {
  const malformed = findMalformed(bytes)
  const wellFormed = malformed === -1 ? bytes : bytes.subarray(0, malformed)
  const foreign = findNoXmlCharacter(wellFormed)
  return foreign === -1 ? wellFormed.length : foreign
}

/** How far the kernel gets at once, and to the error. */
function look(bytes: Uint8Array): { passed: number; fault: number } {
  new Uint8Array(engine.buffer).set(bytes, PLACE)
  const end = PLACE + bytes.length
  const passed = engine.passXmlText(PLACE, end)
  return { passed: passed - PLACE, fault: engine.findNoXmlCharacter(passed, engine.findMalformed(passed, end)) - PLACE }
}

/** Bytes in places of text that has sequences of one length, or of several. */
function* everywhere(texts: readonly string[], faults: readonly (readonly number[])[]): Generator<Uint8Array> {
  for (const text of texts) {
    const bytes = encode(text.repeat(Math.ceil(230 / encode(text).length)))
    for (const fault of faults) {
      for (let at = 0; at + fault.length <= bytes.length; at++) {
        const copy = bytes.slice()
        copy.set(fault, at)
        yield copy
      }
    }
  }
}

const TEXTS = [
  'plain text, and\n a tab\t',
  'ā plain tēxt ',
  'жук и дом',
  '漢字 and ï',
  '🌳 x',
  '．ﾀ a',
  `${'x'.repeat(90)}ē`,
]

describe('text that is passed quickly', () => {
  test('is accepted, except for what does not fill the last 64 bytes, or ends in a sequence that is cut off', () => {
    for (const text of TEXTS) {
      const bytes = encode(text.repeat(40))
      const { passed, fault } = look(bytes)
      expect(passed).toBeGreaterThan(bytes.length - 68)
      expect(fault).toBe(bytes.length)
      expect(findMalformed(bytes.subarray(0, passed))).toBe(-1)
    }
  })

  test('ends at each error that it may have, wherever it is', () => {
    const faults = [
      [0x00],
      [0x1f],
      [0x0b],
      [0x80],
      [0xbf],
      [0xc0],
      [0xc1, 0x80],
      [0xc3],
      [0xc3, 0x28],
      [0xc3, 0xc3, 0x80],
      [0xe2, 0x82],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xef, 0xbf, 0xbe],
      [0xef, 0xbf, 0xbf],
      [0xef, 0xbf, 0xbd],
      [0xf0, 0x80, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf5],
      [0xff],
    ]
    for (const bytes of everywhere(TEXTS, faults)) {
      const { passed, fault } = look(bytes)
      const expected = findFault(bytes)
      if (fault !== expected || passed > expected) expect({ bytes, passed, fault }).toBe(expected)
    }
  })

  test('ends no later than the twin finds an error, in text of any kind', () => {
    const text = fc.array(fc.oneof(...TEXTS.map((one) => fc.constant(one)), anyText()), {
      maxLength: 40,
    })
    const change = fc.tuple(fc.nat(2000), fc.nat(255))
    const property = fc.property(text, fc.array(change, { maxLength: 3 }), (pieces, changes) => {
      const bytes = encode(pieces.join(''))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const { passed, fault } = look(bytes)
      expect(fault).toBe(findFault(bytes))
      expect(passed).toBeLessThanOrEqual(fault)
    })
    fc.assert(property, parameters(2000))
  })
})

describe('measures of text', () => {
  test('are those of the twin, with all units or without', () => {
    const text = fc.array(fc.oneof(...TEXTS.map((one) => fc.constant(one)), anyText()), {
      maxLength: 60,
    })
    const property = fc.property(text, fc.nat(30_000), (pieces, feeds) => {
      // Far more line feeds in a row than a byte can count, too.
      const bytes = encode(pieces.join('') + '\n'.repeat(feeds) + pieces.join('x'))
      const [all, lines] = [measure(engine, bytes, 1), measure(engine, bytes, 0)]
      expect(all).toEqual(measure(plain, bytes, 1))
      expect({ ...lines, units: 0 }).toEqual({ ...all, units: 0 })
    })
    fc.assert(property, parameters(500))
  })
})

function measure(measuring: Engine, bytes: Uint8Array, countsUnits: number) {
  new Uint8Array(measuring.buffer).set(bytes, PLACE)
  measuring.measure(PLACE, PLACE + bytes.length, countsUnits)
  const registers = new Uint32Array(measuring.buffer, REGISTERS)
  return {
    lineFeeds: registers[Register.LINE_FEEDS],
    units: registers[Register.UNITS],
    unitsInLine: registers[Register.UNITS_IN_LINE],
  }
}
