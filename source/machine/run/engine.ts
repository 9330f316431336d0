// What runs a program: the kernel in WebAssembly, or its twin in TypeScript.

import type { StopReason } from '../program/instructions.ts'
import type { KernelCode } from '../program/program.ts'

/** `wasm` for the kernel, `plain` for its twin in TypeScript. */
export type EngineName = 'wasm' | 'plain'

/** Runs one machine. It holds the memory that machine/program/registers.ts describes, and knows nothing of how it is laid out. */
export interface Engine {
  readonly name: EngineName
  /** The kernel that it is; undefined for its twin. */
  readonly kernel: KernelCode | undefined
  /** The memory of WebAssembly, for kernels that work on it as well; undefined without that. Not every runtime has its type. */
  readonly wasmMemory?: object | undefined
  /** The memory; another one after `grow`. */
  readonly buffer: ArrayBuffer
  /** Makes the memory at least so many bytes long. Throws a `RangeError` when that cannot be had. */
  grow(length: number): void
  run(): StopReason
  /** Undoes the changes of symbols that were logged since the undo log had this length. */
  undo(logLength: number): void
  /** Enters all names into the cleared table of hashes. */
  rehash(): void
  /** An address up to which text is certainly well-formed and of characters of XML 1.0, as far as that is found quickly. */
  passXmlText(from: number, end: number): number
  /** The address where the first sequence begins that is ill-formed or cut off by `end`, else `end`. */
  findMalformed(from: number, end: number): number
  /** The address where the first code point begins that XML 1.0 excludes, else `end`. The text is well-formed. */
  findNoXmlCharacter(from: number, end: number): number
  /**
   * Counts line feeds and UTF-16 units of well-formed text into the registers LINE_FEEDS, UNITS and UNITS_IN_LINE; not all units where
   * `countsUnits` is 0.
   */
  measure(from: number, end: number, countsUnits: number): void
  /**
   * Goes over the records of a tape as long as they need no look (Role in machine/program/registers.ts): the address of the first record of the
   * part that does, else `end`. `depth` elements are open; the end of the one at the depth `floor` needs inspection. SKIM_DEPTH says how many
   * are open there. An engine need not skip anything.
   */
  skim(from: number, end: number, depth: number, floor: number): number
  /**
   * Writes into the last word of the record of each start tag between two addresses how many records after it that of the tag stands which
   * ends its element; where that is not between them, the word is of no use. What stood there is lost: where the subtree begins, which
   * takes parts off the tape. Only for an engine that skips.
   */
  link(from: number, end: number): void
  /**
   * Writes out at the address `to` what the texts among the records of a tape stand for. The number of units; UNITS says how many bytes
   * each has: one for ASCII, two for UTF-16. Each text's first word becomes type + 256 * units, its last one the unit at which it begins;
   * -1 where the host has to follow a reference, and -2 and less for a line feed with spaces or tabs after it (indentOf in
   * xml/kernel/tape.ts), which is not written out. -1 where the engine does not do it, and has changed nothing.
   */
  transcribe(from: number, end: number, to: number): number
  /**
   * Writes out at the address `to` what the well-formed XML text between two addresses stands for, of the kind that Decode lists. The
   * number of units, as `transcribe` has them; -1 where the engine does not do it. With 0 for `to` it continues after what the last call
   * wrote, and gives the number of all units.
   */
  decode(from: number, end: number, to: number, kind: number): number
}
