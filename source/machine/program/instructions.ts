// The instruction set of the parsing machine, which the assembler, the kernel, the interpreter and the disassembler share. The kernel's
// constants are made from it (npm run generate). A new instruction is: a number here, a line in instruction-table.ts, a case in
// interpreter.ts, a case in machine/kernel/kernel.ts, and a case in test/machine/.
//
// The machine is that of Medeiros and Ierusalimschy, "A Parsing Machine for PEGs" (DLS 2008), with a tape instead of captures,
// suspension at every byte, and tests that look ahead up to four bytes.
//
// An instruction is one to four words of 32 bits. The first holds the operation in its low 8 bits and the operand `a` in the
// other 24; the words after it are the operands `b`, `c` and `d`. Targets are indices of words in the code; data, classes,
// byte sets, literals and tables are offsets in bytes into the program's data (program.ts has their layouts).
//
// In what follows p is the position and m the mark: the start of what the last terminal matched. "Fails" says: goes back to the
// newest rewind entry. A terminal that needs a byte which has not arrived stops the machine, and is run again when it has.

/** The operations by name. */
export const Op = {
  DONE: 0,
  FAIL: 1,
  BYTE: 2,
  WORD: 3,
  LITERAL: 4,
  FOLD: 5,
  CLASS: 6,
  SPAN: 7,
  SPAN_COUNTED: 8,
  UNTIL: 9,
  END_OF_INPUT: 10,
  JUMP: 11,
  TEST: 12,
  TEST_WORD: 13,
  SWITCH: 14,
  CHOICE: 15,
  COMMIT: 16,
  PARTIAL_COMMIT: 17,
  LOOK: 18,
  BACK_COMMIT: 19,
  CALL: 20,
  RETURN: 21,
  OPEN: 22,
  DROP: 23,
  CLOSE: 24,
  LEAF: 25,
  RETURN_NODE: 26,
  BEGIN_PART: 27,
  END_PART: 28,
  COUNT: 29,
  STEP: 30,
  CUT: 31,
  THROW: 32,
  SIGNAL: 33,
  NAME: 34,
  PUSH_SYMBOL: 35,
  MATCH_SYMBOL: 36,
  POP_SYMBOL: 37,
  SCOPE: 38,
  UNIQUE: 39,
  LISTED: 40,
  TICK: 41,
} as const

export type OpName = keyof typeof Op

/** Why the machine stopped. */
export const Stop = {
  /** The entry matched. */
  DONE: 1,
  /** A byte is needed that has not arrived. */
  INPUT: 2,
  /** No rewind entry was left. */
  FAILED: 3,
  /** A labelled failure that nothing catches; the label is in the register LABEL. */
  LABEL: 4,
  /** A part is certain, and the tape is well filled. */
  PART: 5,
  /** A SIGNAL; its code is in the register LABEL. */
  SIGNAL: 6,
  /** A region of memory is full; it is to be enlarged before the machine is run again. */
  STACK_FULL: 7,
  TAPE_FULL: 8,
  LOG_FULL: 9,
  SYMBOLS_FULL: 10,
  NAMES_FULL: 11,
  /** The machine has done so much that others should have their turn: it is to be run again. */
  PAUSED: 12,
  /** More bytes were read again than may be. */
  REWOUND: 13,
} as const

export type StopReason = (typeof Stop)[keyof typeof Stop]
