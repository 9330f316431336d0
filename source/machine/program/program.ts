// A program for the parsing machine, as it is loaded into a machine's memory.
//
// Code is words (machine/program/instructions.ts). Data is what they point to, by offsets in bytes from its start:
//
//   class     0  16 bytes: bit h of byte l says whether the ASCII character with the high half h and the low half l is a member
//            16  256 bytes, by a code point's first byte: 0 not a member, 1 a member, 2 to be decoded and looked up
//           272  a word: all ones when every code point that is not ASCII is a member, else 0
//           276  a word: how many ranges there are; then the ranges, each two words: the first and the last code point
//   set       256 bytes: 1 for a member
//   table     256 bytes: which target a byte goes to, from 1; then the targets, words of code. Target 0 is for "no such byte"
//   literal   its bytes
//   literals  0   two words: how many there are, and how many of them are longer than a byte
//             8   16 bytes: the bit of each ASCII character that is one
//             24  for each four words, the longer ones first: where its bytes are, how many, the first four of them as WORD has them,
//                 and their mask
//
// Words in data are aligned to four bytes and little-endian, classes to sixteen.

import { EntryFlag } from './registers.ts'

/** What could stand at a place of the input, for messages. */
export interface Expectation {
  /** In the words of the grammar. */
  readonly text: string
  /** The rules that begin there and begin with it, from the outermost in: what a message may say instead. */
  readonly rules: readonly string[]
  /** The text, for a literal of more than one character: the input may end within it. */
  readonly literal?: ExpectedLiteral | undefined
  /** The look-ahead that asks for it: where that has succeeded, it is not what is missing. */
  readonly look?: LookId | undefined
}

/** A look-ahead, by the place in the grammar's text where it begins. */
export type LookId = number

/** A literal that is expected. */
export interface ExpectedLiteral {
  readonly text: string
  readonly ignoresCase: boolean
}

export const END_OF_INPUT: Expectation = { text: 'end of input', rules: [] }

/** What could come after something that was matched. */
export interface Continuation {
  /** In the order of the grammar. */
  readonly expects: readonly Expectation[]
  /**
   * What could come if none of these does: what comes after the call of the procedure, or after a round of a repetition that is counted;
   * undefined where something of it must come.
   */
  readonly beyond?: 'caller' | Rounds | undefined
  /** Where something must come: how many of the rules of the place have ended before, from the innermost out, and which rules it begins. */
  readonly ended: number
  readonly begins: readonly string[]
}

/** A repetition with counted rounds, after one of its rounds. */
export interface Rounds {
  readonly min: number
  readonly max: number
  /** What a round begins with. */
  readonly again: readonly Expectation[]
  /** Whether another round is worth a word also where there were enough. */
  readonly reportsOptional: boolean
  /** What comes after the last round. */
  readonly after: Continuation
}

/** A place of the grammar that an instruction stands for, or calls from. */
export interface Place {
  /** The rules it is in, from the one of the procedure to the innermost of those that are inlined. */
  readonly rules: readonly string[]
  /** What could come after it. */
  readonly next: Continuation
  /** Where the instruction counts rounds itself: what comes then. */
  readonly rounds?: Rounds | undefined
}

/** What diagnostics know of an instruction. */
export interface Note {
  /** The rules it belongs to, from the one of its procedure in. */
  readonly rules: readonly string[]
  /** The places that it stands for: several, where options have it in common. None for one that only looks. */
  readonly places: readonly Place[]
  /** The places of NAME where it has matched more than one code point. */
  readonly restPlaces: readonly Place[]
  /** The look-aheads that have succeeded, unless the instruction goes to FAIL: `places` has their places. */
  readonly looks?: readonly LookId[]
}

/** Numbers of the node types that every program has. */
export const NodeType = {
  /** A piece of text. */
  LITERAL: 0,
  /** What a gathered literal leaves out; not a node of the tree. */
  HOLE: 1,
} as const

/** What OPEN pushes for a repetition in which reading continues after errors, by its number in the program, from 1; and for each of its rounds. */
export function roundsHead(number: number): number {
  return (number << 5) | EntryFlag.ROUNDS
}

export function roundHead(number: number): number {
  return roundsHead(number) | 16
}

/** The code of a SIGNAL between what is skipped and what says that a round begins: no repetition has this number. */
export const SEARCHED = 0

/** A repetition in which reading continues after errors. */
export interface RecoveryPoint {
  /** Index of the instruction that skips input, and then lets the next round begin. */
  readonly skip: number
  /** The repetition. */
  readonly place: Place
}

/** A module of WebAssembly that runs programs: any of them, or one whose busiest part is compiled in it. The same object is the same kernel. */
export interface KernelCode {
  /** Its bytes as text (kernel/embedded-bytes.ts), or a `WebAssembly.Module` that was compiled of a file; Node has no type for it. */
  readonly bytes: string | object
  readonly isCompiled: boolean
}

/** A program, position independent and immutable: any number of machines may run it. */
export interface Program {
  readonly code: Uint32Array
  readonly data: Uint8Array
  /** Names of node types by their numbers. */
  readonly types: readonly string[]
  /** The types, by their numbers, of nodes that are delivered. */
  readonly parts: ReadonlySet<number>
  /** Messages of labelled failures by their numbers. */
  readonly labels: readonly string[]
  /** Labels of rules by the names of the rules, for messages. */
  readonly ruleLabels: ReadonlyMap<string, string>
  /** Which code points the input may have: any, or those of XML 1.0. */
  readonly alphabet: 'unicode' | 'xml'
  /** What could stand where the input begins. */
  readonly start: Continuation
  /** Notes by index of the instruction. */
  readonly notes: Pick<ReadonlyMap<number, Note>, 'get'>
  /** Whether it has instructions for symbols. */
  readonly usesSymbols: boolean
  /** The kernel that runs it; undefined as long as it was not loaded. */
  readonly kernel: KernelCode | undefined
  /** By their numbers, less one. */
  readonly recoveries: readonly RecoveryPoint[]
  /** Rule by index of the first instruction of its procedure. */
  readonly procedures: ReadonlyMap<number, string>
}
