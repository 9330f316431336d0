// Text of XML that lies in memory of JavaScript, as a string. The kernel writes out what references and line ends stand for while it makes
// UTF-16 of it: decoding that takes a fraction of the time that UTF-8 takes, where there is more than ASCII.

import { Decode, PROGRAM, REGISTERS, Register } from '../../machine/program/registers.ts'
import type { Engine } from '../../machine/run/engine.ts'
import { makeKernelEngine } from '../../machine/run/kernel-engine.ts'
import { concatText, decodeUtf8, UnitDecoder } from '../../text/units.ts'
import { someKernel } from '../language/kernels.ts'
import { standsFor } from './references.ts'

/** What a text may hold besides characters. */
export type TextKind = (typeof Decode)[keyof typeof Decode]

/** Fewer bytes are not worth a copy. */
const SHORT = 64
/** The kernel's memory is kept: for more bytes it would become large. */
const LONG = 1024 * 1024
/** Where the text is put in the kernel's memory, and what may be read and written after it. */
const INPUT = PROGRAM
const SLACK = 64

const unitDecoder = new UnitDecoder()

/** Undefined where there is no WebAssembly; null before a kernel was there. */
let engine: Engine | undefined | null = null
/** Of its memory. */
let memory = new Uint8Array()
let registers = new Uint32Array()

/** What the bytes from one index to another stand for: well-formed UTF-8, with references to predefined entities and characters only. */
export function decodeCharacterData(bytes: Uint8Array, from: number, to: number, kind: TextKind): string {
  if (to - from < SHORT && kind === Decode.PLAIN) return decodeUtf8(bytes, from, to)
  return decodePieces(bytes, [from, to, kind], 3)
}

/** What several pieces of bytes stand for, joined. `pieces`: for each where it begins and ends, in ascending order, and its kind; `length` numbers. */
export function decodePieces(bytes: Uint8Array, pieces: readonly number[], length: number): string {
  const start = pieces[0] as number
  const end = pieces[length - 2] as number
  const output = (INPUT + end - start + SLACK + 15) & ~15
  if (end - start > LONG || !engineFor(output + 2 * (end - start) + SLACK))
    return decodePiecesPlainly(bytes, pieces, length)
  const { buffer } = engine as Engine
  memory.set(bytes.subarray(start, end), INPUT)
  let units = 0
  for (let i = 0; i < length; i += 3) {
    const [from, to, kind] = [pieces[i] as number, pieces[i + 1] as number, pieces[i + 2] as TextKind]
    units = (engine as Engine).decode(INPUT + from - start, INPUT + to - start, i === 0 ? output : 0, kind)
  }
  return unitDecoder.decode(buffer, output, units, registers[Register.UNITS] === 2)
}

/** Makes the kernel's memory so long. Undefined where there is no kernel. */
function engineFor(length: number): Engine | undefined {
  if (engine === null) {
    // One that is compiled by now: what is decoded was read by it.
    const kernel = someKernel()
    if (!kernel) return undefined
    engine = makeKernelEngine(kernel)
  }
  engine?.grow(length)
  if (engine && memory.buffer !== engine.buffer) {
    memory = new Uint8Array(engine.buffer)
    registers = new Uint32Array(engine.buffer, REGISTERS)
  }
  return engine
}

function decodePiecesPlainly(bytes: Uint8Array, pieces: readonly number[], length: number): string {
  let text = ''
  for (let i = 0; i < length; i += 3) {
    const [from, to, kind] = [pieces[i] as number, pieces[i + 1] as number, pieces[i + 2] as TextKind]
    text = concatText(text, decodePlainly(bytes, from, to, kind))
  }
  return text
}

/** What text of each kind has that does not stand for itself: line ends or blanks, references, and in content markup. */
const HOLES: Readonly<Record<TextKind, RegExp | undefined>> = {
  [Decode.PLAIN]: undefined,
  [Decode.VERBATIM]: /\r\n?/g,
  [Decode.TEXT]: /\r\n?|&[^;]*;/g,
  [Decode.VALUE]: /\r\n|[\r\n\t]|&[^;]*;/g,
  [Decode.CONTENT]:
    /\r\n?|&[^;]*;|<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\?.*?\?>|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/gs,
}

/**
 * What the bytes from one index to another stand for, decoded without a kernel; also of well-formed content. With line ends as they are where they are
 * not to be normalised.
 */
export function decodePlainly(
  bytes: Uint8Array,
  from: number,
  to: number,
  kind: TextKind,
  normalizesLineEnds = true,
): string {
  return fill(decodeUtf8(bytes, from, to), kind, normalizesLineEnds)
}

function fill(text: string, kind: TextKind, normalizesLineEnds: boolean): string {
  const holes = HOLES[kind]
  // To look for one character of several takes less than half of what looking for all holes takes.
  if (!holes || !/[\t\n\r&<]/.test(text)) return text
  return text.replace(holes, (hole, section?: string) => {
    // What declared entities stand for is known to the host, and markup stands for nothing besides the text of sections.
    if (hole.startsWith('&')) return standsFor(hole.slice(1, -1)) ?? ''
    if (hole.startsWith('<')) return fill(section ?? '', Decode.VERBATIM, normalizesLineEnds)
    return kind === Decode.VALUE ? ' ' : normalizesLineEnds ? '\n' : hole
  })
}
