// The instruction set of the parsing machine: the one table that the assembler, the kernel, the interpreter and the disassembler
// share. The kernel's constants are made from it (npm run generate), so a new instruction is: a line here, a case in
// interpreter.ts, a case in kernel/machine/kernel.ts, and a case in test/machine/.
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

/** What an operand is. */
export type OperandKind =
  | 'byte'
  | 'bytes'
  | 'length'
  | 'mask'
  | 'class'
  | 'set'
  | 'table'
  | 'literals'
  | 'target'
  | 'type'
  | 'label'
  | 'count'
  | 'depth'
  | 'code'
  | 'flags'

/** One instruction. */
export interface Instruction {
  readonly name: OpName
  /** `a`, `b`, `c`, `d` in this order. An operand `a` of no use is 0 and not listed. */
  readonly operands: readonly OperandKind[]
  /** What it does. */
  readonly does: string
}

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

const define = (name: OpName, operands: readonly OperandKind[], does: string): Instruction => ({ name, operands, does })

/** The instruction of each operation, at the index of its code. */
export const INSTRUCTIONS: readonly Instruction[] = [
  define('DONE', [], 'Stops: the entry has matched up to p.'),
  define('FAIL', [], 'Fails.'),

  // Terminals: match at p, set m to where p was, and move p after what they matched.
  define('BYTE', ['byte'], 'Matches one byte.'),
  define(
    'WORD',
    ['length', 'bytes', 'mask'],
    'Matches a literal of 2 to 4 bytes: the next four, masked, are equal to b.',
  ),
  define('LITERAL', ['literals', 'length'], 'Matches the b bytes at a of the data.'),
  define('FOLD', ['literals', 'length'], 'Matches like LITERAL, where A-Z in the input stand for a-z.'),
  define('CLASS', ['class'], 'Matches one code point of the class.'),
  define(
    'SPAN',
    ['class', 'count'],
    'Matches as many code points of the class as there are; fails when b is 1 and there is none.',
  ),
  define('NAME', ['class', 'class'], 'Matches one code point of the class a, and as many of the class b as there are.'),
  define(
    'SPAN_COUNTED',
    ['class', 'count', 'count'],
    'Matches b to c code points of the class; where there are too few, it fails behind them.',
  ),
  define(
    'UNTIL',
    ['class', 'literals', 'count'],
    'Matches code points until one of the literals listed at b begins, or the input ends; fails when c is 1 and there is none. ' +
      'The class holds the bytes that begin none of them.',
  ),
  define(
    'LISTED',
    ['target', 'literals'],
    'Matches one of the literals listed at b, of which none begins another; goes on at a when none is next.',
  ),
  define('END_OF_INPUT', [], 'Fails unless the input ends at p.'),

  // Branches: look, and never move p. Where the input has ended, they take the way for "no such byte".
  define('JUMP', ['target'], 'Goes on at a.'),
  define(
    'TICK',
    [],
    'Pays as for going back by nothing: in rules that may be called often without anything being read.',
  ),
  define('TEST', ['target', 'depth', 'set'], 'Goes on at a unless the byte at p + b is in the set.'),
  define('TEST_WORD', ['target', 'bytes', 'mask'], 'Goes on at a unless the next bytes, masked, are equal to b.'),
  define('SWITCH', ['depth', 'table'], 'Goes on where the table says for the byte at p + a.'),

  // Rewind entries.
  define(
    'CHOICE',
    ['target'],
    'Pushes a rewind entry: a failure restores p, the tape and the symbols, and goes on at a.',
  ),
  define('COMMIT', ['target'], 'Pops the rewind entry, and goes on at a.'),
  define(
    'PARTIAL_COMMIT',
    ['target'],
    'Renews the rewind entry on top for where the machine is now, and goes on at a.',
  ),
  define(
    'LOOK',
    ['target'],
    'Pushes a rewind entry for a look-ahead: failures in it say nothing to users, THROW is caught.',
  ),
  define(
    'BACK_COMMIT',
    ['target'],
    'Pops the rewind entry, restores p, the tape and the symbols from it, and goes on at a.',
  ),
  define('CUT', [], 'Spends the rewind entries above the frame of the call, or above the innermost look-ahead in it.'),
  define('THROW', ['label'], 'Fails to the innermost look-ahead; where there is none, stops with the label.'),

  // Calls and nodes. A frame remembers p and the length of the tape.
  define('CALL', ['target'], 'Pushes a frame, and goes on at a.'),
  define('RETURN', [], 'Pops the frame, and goes on behind its CALL.'),
  define('OPEN', ['flags'], 'Pushes a frame with the flags a.'),
  define('DROP', [], 'Pops the frame.'),
  define('CLOSE', ['type'], 'Pops the frame, and records a node of type a from there to p.'),
  define('LEAF', ['type'], 'Records a node of type a from m to p.'),
  define('RETURN_NODE', ['type'], 'CLOSE, then RETURN, with the frame of the call.'),
  define('BEGIN_PART', [], 'The frame on top is that of a part: a node that will be handed over.'),
  define('END_PART', ['type'], 'RETURN_NODE for a part. Stops when it is certain and the tape well filled.'),
  define(
    'COUNT',
    ['target', 'count', 'count', 'target'],
    'Goes on at a below b rounds, at d when there were c rounds.',
  ),
  define('STEP', [], 'Counts a round in the frame on top.'),
  define(
    'SIGNAL',
    ['code', 'literals'],
    'Stops with the code a, for the host, unless the text from m to p is listed at b; goes on behind it when run again.',
  ),

  // Symbols: numbers of names, a stack of them, and which were seen in a scope. A rewind undoes all of it. The name is what stands from
  // m to p: they come directly after the NAME that matched it.
  define(
    'PUSH_SYMBOL',
    ['type'],
    'Pushes the symbol of the name, and where it stands. Records a node of type a with the symbol in place of its subtree.',
  ),
  define(
    'MATCH_SYMBOL',
    ['class'],
    'Matches the name that is on top, unless it goes on with a code point of the class, and pops its symbol.',
  ),
  define('POP_SYMBOL', [], 'Pops a symbol; fails when there is none.'),
  define('SCOPE', [], 'Begins a scope in which no symbol was seen.'),
  define(
    'UNIQUE',
    ['type'],
    'Fails when the symbol of the name was seen in the scope; it is seen from now on. Records a node as PUSH_SYMBOL does.',
  ),
].sort((one, two) => Op[one.name] - Op[two.name])

/** How many words an operation has in code. */
export function lengthOf(op: number): number {
  return Math.max(1, (INSTRUCTIONS[op] as Instruction).operands.length)
}

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
