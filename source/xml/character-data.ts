// Text of XML that lies in memory of JavaScript, as a string. The kernel writes out what references and line ends stand for while it makes
// UTF-16 of it: decoding that takes a fraction of the time that UTF-8 takes, where there is more than ASCII.

import type { Engine } from '../machine/engine.ts'
import { makeKernelEngine } from '../machine/kernel-engine.ts'
import { Decode, REGISTERS, Register } from '../machine/registers.ts'
import { UnitDecoder } from '../text/units.ts'
import { fillReferences } from './references.ts'

/** What a text may hold besides characters. */
export type TextKind = (typeof Decode)[keyof typeof Decode]

/** Fewer bytes are not worth a copy. */
const SHORT = 64
/** The kernel's memory is kept: for more bytes it would become large. */
const LONG = 1024 * 1024
/** Where the text is put in the kernel's memory, and what may be read and written behind it. */
const INPUT = 4096
const SLACK = 64

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const unitDecoder = new UnitDecoder()

/** Undefined where there is no WebAssembly; null before it was looked for. */
let engine: Engine | undefined | null = null
/** Of its memory. */
let memory = new Uint8Array()
let registers = new Uint32Array()

/** What the bytes from one index to another stand for: well-formed UTF-8, with references to predefined entities and characters only. */
export function decodeCharacterData(bytes: Uint8Array, from: number, to: number, kind: TextKind): string {
  const length = to - from
  if (length > LONG || (length < SHORT && kind === Decode.PLAIN)) return decodePlainly(bytes.subarray(from, to), kind)
  if (engine === null) engine = makeKernelEngine()
  if (!engine) return decodePlainly(bytes.subarray(from, to), kind)
  const output = (INPUT + length + SLACK + 15) & ~15
  engine.grow(output + 2 * length + SLACK)
  if (memory.buffer !== engine.buffer) {
    memory = new Uint8Array(engine.buffer)
    registers = new Uint32Array(engine.buffer, REGISTERS)
  }
  memory.set(bytes.subarray(from, to), INPUT)
  const units = engine.decode(INPUT, INPUT + length, output, kind)
  return unitDecoder.decode(engine.buffer, output, units, registers[Register.UNITS] === 2)
}

function decodePlainly(bytes: Uint8Array, kind: TextKind): string {
  const text = decoder.decode(bytes)
  switch (kind) {
    case Decode.PLAIN:
      return text
    case Decode.VERBATIM:
      return foldLineEnds(text)
    case Decode.TEXT:
      return fillReferences(foldLineEnds(text))
    default:
      return fillReferences(text.replace(/\r\n|[\r\n\t]/g, ' '))
  }
}

/** Section 2.11. */
function foldLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
