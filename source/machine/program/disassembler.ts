// Programs as text, for people.

import { INSTRUCTIONS, type Instruction, lengthOf, type OperandKind } from './instruction-table.ts'
import type { Program } from './program.ts'

/** One line for each instruction: its index, its name, its operands; a line with the rule's name before each procedure. */
export function disassemble(program: Program): string {
  const lines: string[] = []
  for (let pc = 0; pc < program.code.length; ) {
    const word = program.code[pc] as number
    const instruction = INSTRUCTIONS[word & 255] as Instruction
    const rule = program.procedures.get(pc)
    if (rule !== undefined) lines.push(`${rule || '(shared)'}:`)
    const operands = instruction.operands.map((kind, i) => {
      return describeOperand(kind, i === 0 ? word >>> 8 : (program.code[pc + i] as number), program)
    })
    lines.push(`${String(pc).padStart(6)}  ${[instruction.name.padEnd(14), ...operands].join(' ')}`.trimEnd())
    pc += lengthOf(word & 255)
  }
  return `${lines.join('\n')}\n`
}

function describeOperand(kind: OperandKind, value: number, program: Program): string {
  switch (kind) {
    case 'byte':
      return quote([value])
    case 'bytes':
      return quote([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24].filter((byte) => byte !== 0))
    case 'mask':
      return `/${4 - (Math.clz32(value) >>> 3)}`
    case 'type':
      return program.types[value] || '(hole)'
    case 'label':
      return JSON.stringify(program.labels[value])
    case 'target':
      return `→${value}`
    case 'set':
      return describeBytes((byte) => program.data[value + byte] === 1)
    case 'class':
      return describeBytes((byte) => program.data[value + 16 + byte] !== 0)
    case 'table':
      return describeTable(value, program)
    case 'count':
      return value === 0xffffffff ? '∞' : String(value)
    default:
      return String(value)
  }
}

/** The ranges of bytes that each target is for. */
function describeTable(offset: number, { data }: Program): string {
  const view = new DataView(data.buffer, data.byteOffset + offset)
  const targets = new Map<number, number>()
  for (let byte = 0; byte < 256; byte++) {
    const way = view.getUint8(byte)
    if (!targets.has(way)) targets.set(way, view.getUint32(256 + 4 * way, true))
  }
  const ways = [...targets].map(([way, target]) => `${describeBytes((byte) => view.getUint8(byte) === way)}→${target}`)
  return [...ways, `end→${view.getUint32(256, true)}`].join(' ')
}

function describeBytes(has: (byte: number) => boolean): string {
  const ranges: string[] = []
  for (let byte = 0; byte < 256; byte++) {
    if (!has(byte)) continue
    let last = byte
    while (last < 255 && has(last + 1)) last++
    ranges.push(last === byte ? describeByte(byte) : `${describeByte(byte)}-${describeByte(last)}`)
    byte = last
  }
  return `[${ranges.join('')}]`
}

function quote(bytes: readonly number[]): string {
  return `"${bytes.map(describeByte).join('')}"`
}

function describeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[!-,.-Z^-~]/.test(character)) return character
  const named = { 9: '\\t', 10: '\\n', 13: '\\r', 32: ' ' }[byte]
  return named ?? `\\x${byte.toString(16).padStart(2, '0')}`
}
