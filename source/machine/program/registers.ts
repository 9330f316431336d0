// The state of a machine: one block of words at the start of its memory, and the shapes of what its regions hold. The kernel and
// the interpreter work on the same block, so that either can continue where the other stopped; the kernel's constants are made from
// this file (npm run generate).
//
// Offsets of input and of tape are kept modulo 2^32, so that streams of any length fit: they are compared by their distance from
// the start of the window or of the tape, and what is retained is always far shorter than 2^31.

/** Address of the block of registers, in bytes. */
export const REGISTERS = 1024
/** Address of the roles of types: a byte for each of the first 256. */
export const ROLES = 1536
/** Address of the program; the regions follow after it. The 4 KiB before it are a table of the kernel (xml/kernel/tape.ts). */
export const PROGRAM = 6144

/** What records are to those who go over a tape without a look at each (Engine.skim). A host says it of its types. */
export const Role = {
  /** Not a part. */
  LITERAL: 0,
  /** Not a part: a line end, a blank or a reference in a text. */
  HOLE: 1,
  /** Not a part: a name, which needs inspection unless it was said to be plain. */
  NAME: 2,
  /** A part that needs no look by itself. */
  PART: 3,
  /** Parts with which an element begins, and with which it ends. */
  OPEN: 4,
  CLOSE: 5,
  /** A part that is a name, and needs inspection when there is a colon in it, or it is `xml` in any case. */
  TARGET: 6,
  /** A part that needs inspection. */
  LOOK: 7,
  /** A part that is text. */
  TEXT: 8,
  /** A part whose first record is such a name as TARGET. */
  INSTRUCTION: 9,
  /** A part that is a reference to a character, and needs inspection when there is none of its number. */
  REFERENCE: 10,
  /** A part that is text, as a literal is. The literal stands before it; it is one text with texts before and after it. */
  SECTION: 11,
} as const

/** What text may hold that stands for something else (Engine.decode). */
export const Decode = {
  /** Nothing. */
  PLAIN: 0,
  /** Line ends, which become line feeds. */
  VERBATIM: 1,
  /** Line ends and references. */
  TEXT: 2,
  /** References, and blanks, which become spaces. */
  VALUE: 3,
  /** Line ends and references (those to declared entities stand for nothing), and markup (only the text of CDATA sections is text). */
  CONTENT: 4,
} as const

/** Indices of the words in the block. */
export const Register = {
  /** Index of the instruction to run, in words of code. */
  PC: 0,
  /** The position: an offset of the input. */
  POSITION: 1,
  /** Where the last terminal began: an offset of the input. */
  MARK: 2,
  /** 1 where SPAN, NAME or UNTIL stopped in the middle, and is to continue with its mark. */
  RESUMED: 3,
  /** Bytes of stack in use. The first entry is never used, so that 0 can say "none" in the registers below. */
  STACK_TOP: 4,
  /** The end of the tape: an offset of the tape. */
  TAPE_END: 5,
  /** How many look-aheads are open. */
  QUIET: 6,
  /** The farthest position of a failure outside of look-aheads. */
  FARTHEST: 7,
  /** Where in the stack the oldest rewind entry is, or 0. */
  OLDEST: 8,
  /** Where in the stack the frame of the oldest open part is that may yet be delivered, or 0. */
  PART: 9,
  /** The end of the last closed part: an offset of the tape. */
  CLOSED: 10,
  /** Symbols on their stack. */
  SYMBOL_DEPTH: 11,
  /** The current scope, and the newest one ever begun. */
  SCOPE_NOW: 12,
  SCOPE_NEWEST: 13,
  /** Entries in the undo log. */
  LOG_LENGTH: 14,
  /** The label of a labelled failure, the code of a signal. */
  LABEL: 15,
  /** How low the stack has been since the checkpoint, and how many of the entries from there up were saved. */
  LOW: 16,
  SAVED: 17,
  /** How short the undo log has been since the checkpoint. */
  LOG_LOW: 18,
  /** The farthest position from which the machine went back: an offset of the input. */
  REACHED: 19,
  /**
   * How many bytes may yet be read again: two words, the lower one first. Going back takes from it how far that was, and REWIND_COST; each
   * byte that is reached for the first time adds as much as REWIND_FACTOR says, up to MOST_BUDGET.
   */
  BUDGET: 20,
  BUDGET_HIGH: 21,

  /** What the machine may yet go back before it pauses, at the same cost. */
  FUEL: 22,
  REWIND_FACTOR: 23,
  CODE: 24,
  DATA: 25,
  STACK: 26,
  STACK_SIZE: 27,
  TAPE: 29,
  TAPE_SIZE: 30,
  /** Offset of the tape's first record. */
  TAPE_START: 31,
  /** Bytes of tape from which on a certain part stops the machine. */
  TAPE_MARK: 32,
  /** Offset of the window's first byte. */
  WINDOW_START: 34,
  /** Offset after the last byte that may be matched. */
  INPUT_END: 35,
  /** 1 when the input ends there. */
  IS_FINAL: 36,
  LOG: 37,
  LOG_SIZE: 38,
  SYMBOLS: 39,
  SYMBOLS_SIZE: 40,
  /** Names: entries of 16 bytes, and how many there are. Index 0 is not used. */
  NAMES: 41,
  NAMES_SIZE: 42,
  NAME_COUNT: 43,
  /** The hash table of names: words, a power of two of them. */
  HASHES: 44,
  HASHES_SIZE: 45,
  /** The bytes of names, one after the other. */
  NAME_BYTES: 46,
  NAME_BYTES_SIZE: 47,
  NAME_BYTES_USED: 48,

  /** What hashes of names begin with: random, and the same as long as the machine lives. */
  SEED: 52,

  /** What `measure` found: line feeds, UTF-16 units, and the units after the last line feed. */
  LINE_FEEDS: 49,
  UNITS: 50,
  UNITS_IN_LINE: 51,
  /** How many elements are open where `skim` stopped. */
  SKIM_DEPTH: 53,
  /**
   * 1 where a compiled program may drop a part at once that needs no look, if nothing is on the tape before it; the depth of the innermost
   * element whose end needs one; whether one was dropped, and where the last of them ended.
   */
  SKIMS: 54,
  SKIM_FLOOR: 55,
  SKIM_FOUND: 56,
  SKIM_END: 57,

  /** Runs of tags that a compiled program recognises (xml/kernel/runs.ts): entries; the first has the state of the search. */
  RUNS: 58,
  RUNS_SIZE: 59,

  /** Regions whose sizes, in the words after them, only the host knows. */
  SAVES: 60,
  PROJECTION: 62,
  TRANSCRIPT: 64,
  WINDOW: 66,
} as const

/** Words in the block. */
export const REGISTER_COUNT = 128

/** What going back costs besides the bytes that are read again: about as much time as these many bytes. */
export const REWIND_COST = 8
/** What the budget is at the most: a number that the host can represent exactly. And the largest factor, so that no product overflows. */
export const MOST_BUDGET = 2 ** 53 - 1
export const MOST_FACTOR = 2 ** 31 - 1

/**
 * Entries of the stack are four words: where to continue, in words of code, shifted left by four, with flags below; the position; the
 * end of the tape; and the length of the undo log (rewind entries) or a number of rounds (frames).
 */
export const ENTRY_SIZE = 16
/**
 * Flags of stack entries; ROUNDS is for frames of OPEN in which rounds are counted. An entry without any is another frame of OPEN, or a rewind
 * entry that a CUT has spent.
 */
export const EntryFlag = { REWIND: 1, LOOK: 2, CALL: 4, ROUNDS: 8 } as const

/**
 * Records of the tape are four words: type, start, end (offsets of the input), and where on the tape the subtree begins: children are
 * recorded before their parents, so a node's subtree ends with the node itself.
 */
export const RECORD_SIZE = 16
export const RECORD_SHIFT = 4

/** Entries of the undo log are two words: what to undo, shifted left by eight with a kind below, and the value to put back. */
export const LOG_ENTRY_SIZE = 8
/**
 * Kinds of the undo log: a symbol was pushed; popped; a scope began; a symbol was seen in a scope; a part was closed.
 */
export const LogKind = { PUSH: 0, POP: 1, SCOPE: 2, SEEN: 3, PART: 4 } as const

/** Entries of the stack of symbols are two words: the symbol, and where its name began in the input. */
export const SYMBOL_SIZE = 8

/**
 * Entries of names are four words: where the bytes are, how many, their hash, and the scope in which the name was last seen; then the
 * first 16 of the bytes, with zeros after. The lowest bit of the third word does not belong to the hash: it is 1 for a name that needs no inspection.
 */
export const NAME_SIZE = 32

/** Entries of runs, in bytes, and how many there are at the most, besides the first one and one that is being written. */
export const RUN_SIZE = 656
export const RUN_COUNT = 48
