// The layout of captures (captures.ts), which the kernel of XML writes as well: its constants are made from this file (npm run generate). An entry is some
// numbers of eight bytes. Whoever reads the first record loads this file, and not the layout of plans (layout.ts).

export const CaptureWord = {
  KIND: 0,
  /** Where a text begins and ends: offsets of the input, or places in the copy. Of a string its number; of a record where its lists are. */
  FROM: 1,
  END: 2,
  /** The next value of the same field, and the next piece of the same text; 0 for none. */
  NEXT: 3,
  PIECE: 4,
  /** What else is to be known of it. */
  MARK: 5,
  /** Where it begins in the input, also when that has gone. */
  ORIGIN: 6,
  /** The number of its field. */
  FIELD: 7,
  /** A number that belongs to a record; of a text, whether it is open. */
  SIZE: 8,
  /** How many numbers an entry has. */
  LENGTH: 9,
} as const

/** What an entry is, besides a text of one of the kinds of `Decode`. */
export const Kind = {
  /** A string, by its number. */
  STRING: 5,
  /** Something that is there. */
  PRESENT: 6,
  /** A record: for each of its fields a list of entries. */
  RECORD: 7,
  /** A list of values with names of their own. */
  GROUP: 8,
  /** A value that is absent although its element is there. */
  ABSENT: 9,
} as const

/** In the mark of a value: it is absent if it is empty. */
export const ABSENT_IF_EMPTY = 1
/** Also in a mark: its element says that it is null (`xsi:nil`). */
export const IS_NIL = 4
/** In the mark of an audited record: its element may have something that no field has a place for. */
export const HAS_MORE = 1
