// Text as it is, and in the notations of lines: the kernel against the plain way.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GENERAL_KERNEL } from '../../../source/machine/program/general-kernel.ts'
import { Decode, PROGRAM } from '../../../source/machine/program/registers.ts'
import { makeKernelEngine } from '../../../source/machine/run/kernel-engine.ts'
import { attachXmlKernel } from '../../../source/xml/projection/kernel-projector.ts'
import { decodePlainly, type TextKind } from '../../../source/xml/text/character-data.ts'
import { parameters } from '../../support/property.ts'

const engine = makeKernelEngine(GENERAL_KERNEL)
const kernel = engine?.wasmMemory && attachXmlKernel(engine.wasmMemory)
const encoder = new TextEncoder()
const INPUT = PROGRAM
const OUTPUT = INPUT + 16 * 1024

/** The notations of xml/kernel/output.ts, without the quotes around what is written. */
const notations = [
  (text: string) => text,
  (text: string) => JSON.stringify(text).slice(1, -1),
  (text: string) => text.replaceAll('"', '""'),
  (text: string) => {
    return text.replace(/[\\\n\r\t]/g, (character) =>
      character === '\\' ? '\\\\' : JSON.stringify(character).slice(1, -1),
    )
  },
]

/** What the kernel writes for a text. */
function writeText(text: string, kind: TextKind, notation: number): string {
  if (!engine || !kernel) throw new Error('there is no kernel')
  const bytes = encoder.encode(text)
  engine.grow(OUTPUT + 2 * bytes.length + 64)
  const memory = new Uint8Array(engine.buffer)
  memory.fill(0x26, INPUT, OUTPUT)
  memory.set(bytes, INPUT)
  const end = kernel.writeText(INPUT, INPUT + bytes.length, OUTPUT, kind, notation)
  expect(end - OUTPUT).toBeLessThanOrEqual(2 * bytes.length)
  return new TextDecoder().decode(memory.slice(OUTPUT, end))
}

const characters = fc.constantFrom(
  'a',
  'é',
  '木',
  '🌳',
  '"',
  ',',
  '\\',
  '/',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\u2028',
  '\u007f',
  ' word '.repeat(4),
)
const references = fc.constantFrom(
  '&lt;',
  '&gt;',
  '&amp;',
  '&quot;',
  '&apos;',
  '&#10;',
  '&#x9;',
  '&#xD;',
  '&#x1F333;',
  '&#34;',
  '&#92;',
)
const markup = fc.constantFrom(
  '<b c="&gt;>">',
  "<d e='\"'/>",
  '</b>',
  '<!-- "x" -->',
  '<?p >?>',
  '<![CDATA[<&lt;"\r\n]]>',
  '<![CDATA[]]>',
  '&declared;',
)
const joined = (...of: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...of), { maxLength: 40 }).map((parts) => parts.join(''))

describe.skipIf(!engine)('text written by the kernel', () => {
  test.each([
    ['content', Decode.CONTENT, joined(characters, references, markup)],
    ['a value', Decode.VALUE, joined(characters, references)],
    ['text', Decode.TEXT, joined(characters, references)],
    ['verbatim text', Decode.VERBATIM, joined(characters, fc.constantFrom('&lt;', '<', '&'))],
    ['plain text', Decode.PLAIN, joined(characters, fc.constantFrom('&lt;', '<', '&'))],
  ] as const)('is the text, as each notation has it: %s', (_, kind, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = encoder.encode(text)
        const plain = decodePlainly(bytes, 0, bytes.length, kind)
        for (const [notation, writePlainly] of notations.entries()) {
          expect(writeText(text, kind, notation)).toBe(writePlainly(plain))
        }
      }),
      parameters(1000),
    )
  })
})
