// The engine in plain TypeScript.

import { findMalformed, utf16Length } from '../../text/utf8.ts'
import type { StopReason } from '../program/instructions.ts'
import { REGISTERS, Register } from '../program/registers.ts'
import type { Engine } from './engine.ts'
import { Interpreter } from './interpreter.ts'

const LINE_FEED = 10

/** Runs the interpreter on a memory of its own. */
export class PlainEngine implements Engine {
  readonly name = 'plain'
  readonly kernel = undefined
  #buffer = new ArrayBuffer(65536)

  get buffer(): ArrayBuffer {
    return this.#buffer
  }

  grow(length: number): void {
    if (length <= this.#buffer.byteLength) return
    const larger = new Uint8Array(length)
    larger.set(new Uint8Array(this.#buffer))
    this.#buffer = larger.buffer
  }

  run(): StopReason {
    return new Interpreter(this.#buffer).run()
  }

  undo(logLength: number): void {
    new Interpreter(this.#buffer).undo(logLength)
  }

  rehash(): void {
    new Interpreter(this.#buffer).rehash()
  }

  passXmlText(from: number): number {
    return from
  }

  findMalformed(from: number, end: number): number {
    const found = findMalformed(this.#text(from, end))
    return found === -1 ? end : from + found
  }

  findNoXmlCharacter(from: number, end: number): number {
    const found = findNoXmlCharacter(this.#text(from, end))
    return found === -1 ? end : from + found
  }

  measure(from: number, end: number): void {
    const text = this.#text(from, end)
    const registers = new Uint32Array(this.#buffer, REGISTERS)
    registers[Register.LINE_FEEDS] = text.reduce((count, byte) => count + (byte === LINE_FEED ? 1 : 0), 0)
    registers[Register.UNITS] = utf16Length(text)
    registers[Register.UNITS_IN_LINE] = utf16Length(text.subarray(text.lastIndexOf(LINE_FEED) + 1))
  }

  /** Skips nothing: going over records is as slow as looking at them. */
  skim(from: number, _end: number, depth: number): number {
    new Uint32Array(this.#buffer, REGISTERS)[Register.SKIM_DEPTH] = depth
    return from
  }

  link(): void {}

  transcribe(): number {
    return -1
  }

  decode(): number {
    return -1
  }

  #text(from: number, end: number): Uint8Array {
    return new Uint8Array(this.#buffer, from, end - from)
  }
}

/**
 * The index of the first byte of the first code point that XML 1.0 excludes (section 2.2, Char), or -1. The text is
 * well-formed UTF-8.
 */
export function findNoXmlCharacter(bytes: Uint8Array): number {
  return bytes.findIndex((byte, index) => {
    if (byte < 0x20) return byte !== 9 && byte !== 10 && byte !== 13
    return byte === 0xef && bytes[index + 1] === 0xbf && (bytes[index + 2] as number) >= 0xbe // U+FFFE and U+FFFF
  })
}
