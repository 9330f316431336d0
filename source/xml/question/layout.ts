// What a closed plan, the kernel that follows it (xml/kernel/) and its host write for each other, in words of four bytes. The kernel's constants are made
// from this file (npm run generate): of each entry of `...Word` its offset in bytes, and the other values as they are. What is found is laid out in
// capture-words.ts.
//
// In a plan and in the columns after it, a place is counted in words from the start of the plan. A plan begins with its states. A state has a row of
// steps: for each class of element names, the place of the state in an element with such a name. Where attributes decide, it is the place of a guard as a
// negative number: how many conditions, their places, and for each combination of those that hold, as bits, the place of a state.

/** A call of the kernel. Its plan and the columns of its lines follow. */
export const CallWord = {
  /** Type of end tags on the tape, and bytes that the fields of one record may cover. */
  END_TAG: 0,
  MOST_COVERED: 1,
  /** Addresses: the classes of symbols; then what is written. Each is the end of the one before. */
  CLASSES: 2,
  SCRATCH: 3,
  FOUND: 4,
  LISTS: 5,
  ENTRIES: 6,
  ENTRIES_END: 7,
  /** How many entries and lists there were before. */
  FIRST_ENTRY: 8,
  FIRST_LIST: 9,
  /** The entry of the record around that the host has found; 0 for none. */
  AROUND: 10,
  /** Place of the state of elements for which the host has done its part. */
  DONE_STATE: 11,
  /** Results: how many entries of the tape were passed, and how much was written. */
  STOPPED_AT: 12,
  ENTRY_COUNT: 13,
  LIST_COUNT: 14,
  FOUND_COUNT: 15,
  /** Whether records in one element around them share what the first of them has found of it. */
  SHARES_AROUND: 16,
} as const
export const CALL_WORDS = 17

/** Why the kernel stopped: all was passed; something is left to the host; what it writes has no room. */
export const Reason = { DONE: 0, LEFT: 1, FULL: 2 } as const

/** A symbol: the class of its name as that of an element, and then as that of an attribute. */
export const CLASS_WORDS = 2
/** Added to the class of the name of an attribute that says that its element is null (`xsi:nil`). */
export const NIL_CLASS = 1 << 30

/** A state. `TAKERS` is the place of a row: for each class of attribute names, the place of a count and as many actions; 0 for none. */
export const StateWord = {
  FLAGS: 0,
  ROW: 1,
  ACTIONS: 2,
  ACTION_COUNT: 3,
  TAKERS: 4,
  /** What an element in the state may have (`Expected`), and for the kernel the number of the parent in which it has seen one last. */
  EXPECTED: 5,
  SEEN: 6,
} as const
export const STATE_WORDS = 7

/** What an element of an audited record may have: 0 for one that no field has a place for. */
export const Expected = {
  /** Fields have a place for it. */
  KNOWN: 1,
  /** There is one in its parent at most. */
  ONCE: 2,
  /** Its own text belongs to no field. */
  NO_TEXT: 4,
  /** Everything in it belongs to a field. */
  ALL: 8,
  /** It is no element in a record, and the kernel leaves it to the host. */
  HOST: 16,
} as const

export const StateFlag = {
  /** Something is to be done where an element in this state begins. */
  ACTS: 1,
  /** Nothing in the element is wanted, besides its text. */
  DEAD: 2,
  /** Attributes of the element are wanted. */
  ATTRIBUTES: 4,
  /** A record of the shape begins; or one of an element around those. */
  FOUND: 8,
  AROUND: 16,
  /** Something is to be done that the kernel cannot do. */
  GENERAL: 32,
  /** Where a record begins, something is for the host (`isForHost`). */
  HOST: 64,
  /** Where a record begins, the host watches for such elements. */
  WATCHED: 128,
} as const

/**
 * An action. `MARK` is 1 if an empty value is absent, `UNLESS` and `EMPTY` are places of conditions, or 0, `KEYS` is the place of pairs: a slot, and 1 for
 * a whole number.
 */
export const ActionWord = {
  TAKES: 0,
  FIELD: 1,
  SLOT: 2,
  RECORD: 3,
  LINK: 4,
  MARK: 5,
  UNLESS: 6,
  EMPTY: 7,
  /** Number of the record that begins, and how many lists it has. */
  INNER: 8,
  LISTS: 9,
  KEYS: 10,
  KEY_COUNT: 11,
} as const

/** What an action does: a record of the shape begins, one in it, a text, source, something that is only there, a record of an element around, or a name. */
export const Takes = { FOUND: 0, RECORD: 1, CONTENT: 2, SOURCE: 3, PRESENCE: 4, AROUND: 5, NAME: 6 } as const
/** Added to what an action does, for actions about a record around those of the shape; and for those that the host does where records begin; and
 * for those whose elements may be null. */
export const OF_AROUND = 16
export const IS_DONE = 32
export const IS_NILLABLE = 64

/** Which values of a field count. */
export const Link = { FIRST: 0, LAST: 1, ALL: 2, NEWEST: 3 } as const

/** A condition. `ROW` has 1 for each class of attribute names that it is about, `VALUE` is the place of bytes. `INVERTED` is 1 if it must not hold. */
export const ConditionWord = { ROW: 0, KIND: 1, VALUE: 2, LENGTH: 3, INVERTED: 4 } as const
export const ConditionKind = { IS_THERE: 0, IS: 1, IS_NOT: 2 } as const

/** What the kernel makes room for: records in a shape, lists that begin in a state, and fields that one attribute is for. */
export const MOST_RECORDS = 64
export const MOST_LISTS = 512
export const MOST_TAKERS = 8

/** A record that was found. */
export const FoundWord = {
  ENTRY: 0,
  /** Where its line ends once that is written, from where the first one begins; 0 for one that is declined. */
  LINE_END: 1,
  /** Where its element ends: a number of eight bytes. */
  ELEMENT_END: 2,
  /** Number of the record in the shape. */
  NUMBER: 4,
  /** The entry of the record around it that the kernel has found; 0 for none. */
  AROUND: 5,
} as const
/** An even number: among them are numbers of eight bytes. */
export const FOUND_WORDS = 8

/**
 * A column of lines (question/line-form.ts): its key, the slots of up to four fields through which it is reached, and the columns in it, or those of the
 * one of several records that it lies in.
 */
export const ColumnWord = {
  AS: 0,
  KEY: 1,
  KEY_LENGTH: 2,
  FLAGS: 3,
  STEP_COUNT: 4,
  STEPS: 5,
  INNER: 9,
  INNER_COUNT: 10,
} as const
export const COLUMN_WORDS = 12
export const MOST_STEPS = 4

/** What is written for a column (`LineColumn.as`). */
export const As = {
  text: 0,
  integer: 1,
  number: 2,
  boolean: 3,
  true: 4,
  offset: 5,
  object: 6,
  refused: 7,
  length: 8,
  date: 9,
  int64: 10,
} as const

export const ColumnFlag = {
  /** A record without it is declined. */
  REQUIRED: 1,
  /** Nothing follows it in its object if it is there. */
  ENDS: 2,
  /** All values are written, as a list. */
  ALL: 4,
  /** Null is written where it is absent. */
  NULL: 8,
} as const
