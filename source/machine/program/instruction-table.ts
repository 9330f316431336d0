// What each instruction has and does, for what writes programs or shows them. Machines run programs without it.

import { Op, type OpName } from './instructions.ts'

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
    'Matches b to c code points of the class; where there are too few, it fails after them.',
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
  define('RETURN', [], 'Pops the frame, and goes on after its CALL.'),
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
    'Stops with the code a, for the host, unless the text from m to p is listed at b; goes on after it when run again.',
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
