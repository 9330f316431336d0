// A program for the parsing machine, as it is loaded into a machine's memory.
//
// Code is words (machine/instructions.ts). Data is what they point to, by offsets in bytes from its start:
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

/** What an instruction could have matched, for messages. */
export interface Expectation {
  /** In the words of the grammar. */
  readonly text: string
  /** The rules that begin where this is expected, from the outermost in: what a message may say instead. */
  readonly rules: readonly string[]
  /** Whether it is anything but something: that more of it could follow goes without saying. */
  readonly isNot: boolean
}

/** What diagnostics know of an instruction. */
export interface Note {
  /** What it expects where it stands. */
  readonly expects: readonly Expectation[]
  /** The rules it belongs to, from the one that is called to the one that is inlined deepest. */
  readonly rules: readonly string[]
  /** Of a call: those of the inlined rules that begin with it. */
  readonly begins: readonly string[]
  /** Of a name: what it could have gone on with. */
  readonly more?: readonly Expectation[]
}

/** Numbers of the node types that every program has. */
export const NodeType = {
  /** A piece of text. */
  LITERAL: 0,
  /** What a gathered literal leaves out; not a node of the tree. */
  HOLE: 1,
} as const

/** A program, position independent and immutable: any number of machines may run it. */
export interface Program {
  readonly code: Uint32Array
  readonly data: Uint8Array
  /** Names of node types by their numbers. */
  readonly types: readonly string[]
  /** The types, by their numbers, of nodes that are handed over. */
  readonly parts: ReadonlySet<number>
  /** Messages of labelled failures by their numbers. */
  readonly labels: readonly string[]
  /** Labels of rules by the names of the rules, for messages. */
  readonly ruleLabels: ReadonlyMap<string, string>
  /** Which code points the input may have: any, or those of XML 1.0. */
  readonly alphabet: 'unicode' | 'xml'
  /** Notes by index of the instruction. */
  readonly notes: Pick<ReadonlyMap<number, Note>, 'get'>
  /** Whether it has instructions for symbols. */
  readonly usesSymbols: boolean
  /** The module of a kernel in which the busiest part of it is compiled, in base64; undefined where there is none. */
  readonly kernel?: string | undefined
  /** Rule by index of the first instruction of its procedure. */
  readonly procedures: ReadonlyMap<number, string>
}
