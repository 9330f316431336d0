// What was found of records, as numbers: a value is a stretch of the input until somebody wants it as something else. When the input is about
// to go, what is still needed of it is copied as it is.

import { Decode } from '../../machine/program/registers.ts'
import type { DocumentFacts } from '../parser/consumer.ts'
import { CaptureWord, IS_NIL, Kind } from './capture-words.ts'

const { KIND, FROM, END, NEXT, PIECE, MARK, ORIGIN, FIELD, SIZE, LENGTH: ENTRY_WORDS } = CaptureWord

/** What an entry is: a text of one of the kinds of `Decode`, or something else. */
export const CaptureKind = { ...Decode, ...Kind } as const

/**
 * What the mark of a value says: whether it is absent if it is empty (`ABSENT_IF_EMPTY`), whether the host has found elements in a text that is to have
 * none (`FieldError.elements`), whether it is null (`IS_NIL`), and above that, which of several sources it is from. That of a value in a group is the number of its name.
 */
export const HAS_ELEMENTS = 2
export const RANK_SHIFT = 3

/** Room for so many entries, and for so many words of lists, is made at least: of a small document that is all. V8 has arrays of 64 bytes in its own heap. */
const FEWEST_WORDS = 16 * ENTRY_WORDS
const FEWEST_LISTS = 8
const NO_NUMBERS: Float64Array<ArrayBuffer> = new Float64Array(0)
const NO_BYTES: Uint8Array<ArrayBuffer> = new Uint8Array(0)

/** Added to the kind of a text that lies in the copy. */
const COPIED = 16
/** Of what is a piece of a value. */
const NO_FIELD = -1
/** The end of a text that has not ended. */
const OPEN = -1

/** So many entries and bytes need no tidying up. */
const FEW_ENTRIES = 1024
const FEW_BYTES = 64 * 1024
/** Bytes of an entry. */
const ENTRY_SIZE = 8 * ENTRY_WORDS
/** Words that are kept for later. */
const MOST_WORDS = 16 * FEW_ENTRIES * ENTRY_WORDS

/** Entries, in the order in which they began. One is known by its index; 0 is none. */
export class Captures {
  // Numbers of 64 bits, so that they can be any offset.
  #words = NO_NUMBERS
  #count = 1
  /** Of each list its first entry and its last. */
  #lists = NO_NUMBERS
  #listCount = 0
  /** Those that are written to when it is tidied up. */
  #otherWords = NO_NUMBERS
  #otherLists = NO_NUMBERS
  #bytes = NO_BYTES
  #byteCount = 0
  #strings: string[] = []
  /** Changes whenever entries move, or are forgotten. */
  generation = 0
  /** Entries before this one lie in the copy, except for those in the list: they had not ended. */
  #settled = 1
  #unsettled: number[] = []
  /** How many entries and bytes were left when it was tidied up last. */
  #leftEntries = 0
  #leftBytes = 0

  /** A text between two offsets of the input; or one that begins there, and is ended later. */
  addText(kind: number, from: number, end = OPEN): number {
    return this.#add(kind, from, end, from)
  }

  /** A text that is a string; `origin` is the offset of what stands for it. */
  addString(text: string, origin: number): number {
    return this.#add(CaptureKind.STRING, this.#strings.push(text) - 1, 0, origin)
  }

  /** Something that is there, at an offset. */
  addPresent(origin: number): number {
    return this.#add(CaptureKind.PRESENT, 0, 0, origin)
  }

  /** Nothing, instead of a value. */
  addAbsent(origin: number): number {
    return this.#add(CaptureKind.ABSENT, 0, 0, origin)
  }

  /** A record with so many lists; a group has one. */
  addLists(kind: number, count: number, origin: number): number {
    const from = this.#reserveLists(2 * count)
    this.#lists.fill(0, from, this.#listCount)
    return this.#add(kind, from, 2 * count, origin)
  }

  /** How many entries and words of lists there are, with the entry that stands for none: the numbers of the next ones. */
  get entryCount(): number {
    return this.#count
  }

  get listCount(): number {
    return this.#listCount
  }

  /** How many words so many entries are. */
  wordsOf(entries: number): number {
    return entries * ENTRY_WORDS
  }

  /** Adds a copy of entries and lists that have the next numbers. */
  adopt(entries: Float64Array, lists: Float64Array): void {
    const from = this.#count * ENTRY_WORDS
    if (from + entries.length > this.#words.length)
      this.#words = enlarge(this.#words, from + entries.length, FEWEST_WORDS)
    this.#words.set(entries, from)
    this.#count += entries.length / ENTRY_WORDS
    const before = this.#reserveLists(lists.length)
    this.#lists.set(lists, before)
  }

  /** Makes room for words of lists, and gives the place of the first. */
  #reserveLists(words: number): number {
    const from = this.#listCount
    this.#listCount += words
    if (this.#listCount > this.#lists.length) this.#lists = enlarge(this.#lists, this.#listCount, FEWEST_LISTS)
    return from
  }

  /** A record with the entries of each list of another one, as they are now: up to the first text that is open. */
  copyRecord(record: number): number {
    const count = this.#get(record, END) / 2
    const copy = this.addLists(CaptureKind.RECORD, count, this.originOf(record))
    for (let list = 0; list < count; list++) {
      const entry = this.firstOf(record, list)
      if (entry === 0 || this.isOpen(entry)) continue
      this.replace(copy, list, this.kindOf(entry) === CaptureKind.GROUP ? this.#copyGroup(entry) : entry)
      let last = entry
      for (let next = this.next(entry); next !== 0 && !this.isOpen(next); next = this.next(next)) last = next
      if (last !== entry) this.#lists[this.#get(copy, FROM) + 2 * list + 1] = last
    }
    return copy
  }

  /** A copy of a group: its values stay what they are when more of them follow later. */
  #copyGroup(group: number): number {
    const copy = this.addLists(CaptureKind.GROUP, 1, this.originOf(group))
    this.mark(copy, this.fieldOf(group), this.markOf(group))
    const [from, to] = [this.#get(group, FROM), this.#get(copy, FROM)]
    this.#lists.copyWithin(to, from, from + 2)
    return copy
  }

  /** A text ends. */
  endText(entry: number, end: number): void {
    this.#words[entry * ENTRY_WORDS + END] = end
  }

  /** Whether a text has ended, or its first piece. */
  isEnded(entry: number): boolean {
    return this.#get(entry, END) !== OPEN
  }

  /** Another piece of the text that ends with a piece. */
  addPiece(last: number, piece: number): void {
    this.#words[last * ENTRY_WORDS + PIECE] = piece
  }

  append(record: number, list: number, entry: number): void {
    const at = this.#get(record, FROM) + 2 * list
    const last = this.#lists[at + 1] as number
    if (last === 0) this.#lists[at] = entry
    else this.#words[last * ENTRY_WORDS + NEXT] = entry
    this.#lists[at + 1] = entry
  }

  /** Makes an entry the only one. */
  replace(record: number, list: number, entry: number): void {
    const at = this.#get(record, FROM) + 2 * list
    this.#lists[at] = entry
    this.#lists[at + 1] = entry
  }

  firstOf(record: number, list: number): number {
    return this.#lists[this.#get(record, FROM) + 2 * list] as number
  }

  lastOf(record: number, list: number): number {
    return this.#lists[this.#get(record, FROM) + 2 * list + 1] as number
  }

  next(entry: number): number {
    return this.#get(entry, NEXT)
  }

  /** The piece of text after this one. */
  nextPiece(entry: number): number {
    return this.#get(entry, PIECE)
  }

  kindOf(entry: number): number {
    return this.#get(entry, KIND) & (COPIED - 1)
  }

  isCopied(entry: number): boolean {
    return (this.#get(entry, KIND) & COPIED) !== 0
  }

  /** Of a text: an offset of the input, or if it is copied, a place in `bytes`. */
  from(entry: number): number {
    return this.#get(entry, FROM)
  }

  end(entry: number): number {
    return this.#get(entry, END)
  }

  /** Whether an entry is a text in the input of so many bytes at the most, and not an empty one. */
  isShortText(entry: number, most: number): boolean {
    const words = this.#words
    const at = entry * ENTRY_WORDS
    const length = (words[at + END] as number) - (words[at + FROM] as number)
    return length > 0 && length <= most && (words[at + KIND] as number) <= CaptureKind.CONTENT
  }

  stringOf(entry: number): string {
    return this.#strings[this.#get(entry, FROM)] as string
  }

  /** Where it begins in the input. */
  originOf(entry: number): number {
    return this.#get(entry, ORIGIN)
  }

  /** Whether a text is open: more pieces of it may come. */
  isOpen(text: number): boolean {
    return this.#get(text, KIND) !== CaptureKind.RECORD && this.#get(text, SIZE) !== 0
  }

  setOpen(text: number, isOpen: boolean): void {
    this.#words[text * ENTRY_WORDS + SIZE] = isOpen ? 1 : 0
  }

  /** A number that belongs to a record: 0 at first. */
  sizeOf(record: number): number {
    return this.#get(record, SIZE)
  }

  setSize(record: number, size: number): void {
    this.#words[record * ENTRY_WORDS + SIZE] = size
  }

  /** The number of the field that it is a value of; -1 for a piece of one. */
  fieldOf(entry: number): number {
    return this.#get(entry, FIELD)
  }

  /** A number that belongs to it. */
  markOf(entry: number): number {
    return this.#get(entry, MARK)
  }

  setMark(entry: number, mark: number): void {
    this.#words[entry * ENTRY_WORDS + MARK] = mark
  }

  /** Whether its element says that it is null; not for values in groups. */
  isNil(entry: number): boolean {
    return (this.#get(entry, MARK) & IS_NIL) !== 0
  }

  mark(entry: number, field: number, mark: number): void {
    this.#words[entry * ENTRY_WORDS + FIELD] = field
    this.#words[entry * ENTRY_WORDS + MARK] = mark
  }

  /** The copy. It changes with `leave`. */
  get bytes(): Uint8Array {
    return this.#bytes
  }

  /** Forgets everything. */
  clear(): void {
    this.generation++
    this.#count = this.#settled = 1
    this.#listCount = this.#byteCount = this.#leftEntries = this.#leftBytes = 0
    if (this.#strings.length > 0) this.#strings = []
    if (this.#bytes.length > FEW_BYTES) this.#bytes = NO_BYTES
    if (this.#words.length > MOST_WORDS) this.#words = NO_NUMBERS
    if (this.#unsettled.length > 0) this.#unsettled = []
  }

  /** Whether so few entries were left that to tidy up takes next to no time. */
  get areFew(): boolean {
    return this.#leftEntries <= FEW_ENTRIES
  }

  /** Where the first entry begins that was added since `leave`; undefined if none was. */
  get addedFrom(): number | undefined {
    return this.#settled < this.#count ? this.originOf(this.#settled) : undefined
  }

  /** Says that entries before this one are not needed any more, if they were not copied yet. */
  skipTo(entry: number): void {
    this.#settled = Math.max(this.#settled, entry)
  }

  /**
   * The input is about to go: copies the texts in it. `forward` calls what it is given for each entry that somebody knows, and keeps what
   * that returns instead. `onCopy` is called for each record, each string and what is there, and for each text before it is copied or if it is still open, in the order in which they begin.
   */
  leave(
    machine: DocumentFacts['machine'],
    forward: (moved: (entry: number) => number) => void,
    onCopy: (entry: number, isOpen: boolean) => void,
  ): void {
    // To tidy up takes time for each entry that is left, so there must be as much to throw away.
    const left = this.#leftEntries * ENTRY_SIZE + this.#leftBytes
    const areMany = this.#count > 2 * this.#leftEntries + FEW_ENTRIES
    if (areMany || this.#byteCount > left + this.#leftBytes + FEW_BYTES) this.tidy(forward)
    const waiting = this.#unsettled
    this.#unsettled = []
    for (; this.#settled < this.#count; this.#settled++) waiting.push(this.#settled)
    // Those that moved are not in the order in which they begin any more; nor is a record after the text of its element.
    const isAscending = waiting.every(
      (entry, i) => i === 0 || this.originOf(waiting[i - 1] as number) <= this.originOf(entry),
    )
    if (!isAscending) waiting.sort((one, other) => this.originOf(one) - this.originOf(other))
    for (const entry of waiting) this.#settle(entry, machine, onCopy)
  }

  #settle(entry: number, machine: DocumentFacts['machine'], onCopy: (entry: number, isOpen: boolean) => void): void {
    const at = entry * ENTRY_WORDS
    const words = this.#words
    const kind = words[at + KIND] as number
    if (kind >= CaptureKind.STRING && kind <= CaptureKind.RECORD) onCopy(entry, false)
    if (kind > CaptureKind.CONTENT) return
    const [from, end] = [words[at + FROM] as number, words[at + END] as number]
    if (end === OPEN) {
      onCopy(entry, true)
      this.#unsettled.push(entry)
      return
    }
    onCopy(entry, false)
    words[at + KIND] = kind + COPIED
    words[at + FROM] = this.#byteCount
    if (end > from) this.#copy(machine.viewInput(from, end))
    words[at + END] = this.#byteCount
  }

  #copy(bytes: Uint8Array): void {
    const end = this.#byteCount + bytes.length
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length, 1024))
      larger.set(this.#bytes.subarray(0, this.#byteCount))
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#byteCount)
    this.#byteCount = end
  }

  #add(kind: number, from: number, end: number, origin: number): number {
    const at = this.#count * ENTRY_WORDS
    if (at + ENTRY_WORDS > this.#words.length) this.#words = enlarge(this.#words, at + ENTRY_WORDS, FEWEST_WORDS)
    const words = this.#words
    words[at + KIND] = kind
    words[at + FROM] = from
    words[at + END] = end
    words[at + NEXT] = 0
    words[at + PIECE] = 0
    words[at + MARK] = 0
    words[at + ORIGIN] = origin
    words[at + FIELD] = NO_FIELD
    words[at + SIZE] = 0
    return this.#count++
  }

  #get(entry: number, word: number): number {
    return this.#words[entry * ENTRY_WORDS + word] as number
  }

  /**
   * Keeps what can be reached from the entries that somebody knows, which `forward` says (C. J. Cheney, A nonrecursive list compacting
   * algorithm, 1970).
   */
  tidy(forward: (moved: (entry: number) => number) => void): void {
    this.generation++
    const old = { words: this.#words, lists: this.#lists, bytes: this.#bytes, strings: this.#strings }
    const entries = this.#count
    // What is left is written to other memory, by turns: to make it anew each time would take longer than writing to it.
    this.#words = this.#otherWords
    this.#lists = this.#otherLists
    const isLarge = old.words.length > MOST_WORDS
    this.#otherWords = isLarge ? NO_NUMBERS : old.words
    this.#otherLists = isLarge ? NO_NUMBERS : old.lists
    this.#bytes = NO_BYTES
    this.#strings = []
    this.#count = this.#settled = 1
    this.#listCount = this.#byteCount = 0
    this.#unsettled = []
    const movedTo = new Int32Array(entries)
    const move = (entry: number): number => {
      if (entry === 0) return 0
      const known = movedTo[entry] as number
      if (known !== 0) return known
      const at = entry * ENTRY_WORDS
      const moved = this.#add(0, 0, 0, 0)
      this.#words.set(old.words.subarray(at, at + ENTRY_WORDS), moved * ENTRY_WORDS)
      movedTo[entry] = moved
      return moved
    }
    forward(move)
    for (let entry = 1; entry < this.#count; entry++) {
      const at = entry * ENTRY_WORDS
      const [next, piece] = [move(this.#get(entry, NEXT)), move(this.#get(entry, PIECE))]
      this.#words[at + NEXT] = next
      this.#words[at + PIECE] = piece
      const kind = this.#get(entry, KIND)
      const from = this.#get(entry, FROM)
      if (kind >= COPIED) {
        this.#words[at + FROM] = this.#byteCount
        this.#copy(old.bytes.subarray(from, this.#get(entry, END)))
        this.#words[at + END] = this.#byteCount
      } else if (kind === CaptureKind.STRING) {
        this.#words[at + FROM] = this.#strings.push(old.strings[from] as string) - 1
      } else if (kind === CaptureKind.RECORD || kind === CaptureKind.GROUP) {
        this.#moveLists(at, old.lists.subarray(from, from + this.#get(entry, END)), move)
      }
    }
    this.#leftEntries = this.#count
    this.#leftBytes = this.#byteCount
  }

  #moveLists(at: number, lists: Float64Array, move: (entry: number) => number): void {
    const to = this.#reserveLists(lists.length)
    for (let i = 0; i < lists.length; i++) this.#lists[to + i] = move(lists[i] as number)
    this.#words[at + FROM] = to
  }
}

function enlarge(words: Float64Array, least: number, fewest: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(least, 2 * words.length, fewest))
  larger.set(words)
  return larger
}
