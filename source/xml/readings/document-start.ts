// Where the next of several documents begins, if there is one.

import type { Cursor } from '../../stream/cursor.ts'
import { normalizeEncoding } from '../../text/encodings.ts'
import type { Position } from '../../text/line-counter.ts'

const LINE_FEED = 0x0a
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e
const QUESTION_MARK = 0x3f
const EXCLAMATION_MARK = 0x21
const DASH = 0x2d

/** Where a document has ended. */
export interface End {
  readonly position: Position
  readonly encoding: string
}

/** The bytes of a byte order mark, as characters. */
const UTF8_MARK = '\xef\xbb\xbf'

/** What stands for a character that means nothing here. */
const OTHER = 0x58

/** How the characters of markup are encoded: in a byte, or as the low byte of two. */
type Width = 'narrow' | 'utf-16le' | 'utf-16be'

/** Where the next document begins, after blanks; undefined where only blanks, comments and instructions are left, which are passed then. */
export async function findDocument(
  cursor: Cursor,
  { position, encoding }: End,
  said: string | undefined,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const blanks = new BlankCounter(position)
  if (encoding.startsWith('utf-16')) await skipWideBlanks(cursor, encoding, blanks, signal)
  await skipBlanks(cursor, blanks, signal)
  if (await beginsDocument(cursor, said, signal)) return { ...blanks, byteOffset: cursor.offset }
  cursor.skip(cursor.available)
  return undefined
}

/** The line and the column after blanks. */
class BlankCounter {
  line: number
  column: number

  constructor({ line, column }: Position) {
    this.line = line
    this.column = column
  }

  add(blank: number): void {
    this.line += blank === LINE_FEED ? 1 : 0
    this.column = blank === LINE_FEED ? 1 : this.column + 1
  }
}

async function skipWideBlanks(
  cursor: Cursor,
  encoding: string,
  blanks: BlankCounter,
  signal: AbortSignal,
): Promise<void> {
  while (await cursor.fill(2, { signal })) {
    const [first, second] = cursor.peek(2) as Uint8Array as unknown as [number, number]
    const [low, high] = encoding === 'utf-16le' ? [first, second] : [second, first]
    if (high !== 0 || !isBlank(low)) return
    blanks.add(low)
    cursor.skip(2)
  }
}

async function skipBlanks(cursor: Cursor, blanks: BlankCounter, signal: AbortSignal): Promise<void> {
  while (await cursor.fill(1, { signal })) {
    const chunk = cursor.peekChunk()
    const found = chunk.findIndex((byte) => !isBlank(byte))
    const count = found === -1 ? chunk.length : found
    for (let i = 0; i < count; i++) blanks.add(chunk[i] as number)
    cursor.skip(count)
    if (found !== -1) return
  }
}

/** Whether a document begins, as far as it can be seen without reading it. Does not move the cursor. */
async function beginsDocument(cursor: Cursor, said: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (!(await cursor.fill(2, { signal }))) return cursor.available > 0
  const width = widthOf(cursor.peek(2) as Uint8Array, said)
  const ahead = cursor.clone()
  try {
    const scanner = new RestScanner()
    const unit = width === 'narrow' ? 1 : 2
    while (await ahead.fill(unit, { signal })) {
      const length = ahead.available - (ahead.available % unit)
      const bytes = ahead.peek(length) as Uint8Array
      for (let i = 0; i < length; i += unit) if (!scanner.push(characterAt(bytes, i, width))) return true
      ahead.skip(length)
    }
    return ahead.available > 0 || !scanner.isBetween
  } finally {
    ahead.release()
  }
}

function widthOf([first, second]: Uint8Array, said: string | undefined): Width {
  const name = said === undefined ? undefined : normalizeEncoding(said)
  if (name === 'utf-16le' || name === 'utf-16be') return name
  if ((first === 0xff && second === 0xfe) || (first === LESS_THAN && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === LESS_THAN)) return 'utf-16be'
  return 'narrow'
}

function characterAt(bytes: Uint8Array, i: number, width: Width): number {
  const first = bytes[i] as number
  if (width === 'narrow') return first
  const second = bytes[i + 1] as number
  const unit = width === 'utf-16le' ? first | (second << 8) : (first << 8) | second
  return unit === 0xfeff || unit < 0x80 ? unit : OTHER
}

/** Passes blanks, comments and instructions. */
class RestScanner {
  #state: 'start' | 'between' | 'open' | 'mark' | 'dash' | 'comment' | 'target' | 'instruction' = 'start'
  /** The characters before, as far as they count. */
  #before = ''

  /** Whether it stands where a document could begin, and none has. */
  get isBetween(): boolean {
    return this.#state === 'between' || (this.#state === 'start' && !this.#isInMark)
  }

  get #isInMark(): boolean {
    return this.#before !== '' && this.#before !== UTF8_MARK && UTF8_MARK.startsWith(this.#before)
  }

  /** False if a document begins, or something that belongs in none. */
  push(character: number): boolean {
    switch (this.#state) {
      // <a/>|EF BB BF
      case 'start': {
        const mark = this.#before + String.fromCharCode(character)
        const isMark = mark === '\ufeff' || UTF8_MARK.startsWith(mark)
        if (!isMark && this.#isInMark) return false
        if (isMark) this.#before = mark
        else this.#state = 'between'
        return isMark || this.push(character)
      }
      case 'between':
        if (character === LESS_THAN) this.#state = 'open'
        return character === LESS_THAN || isBlank(character)
      case 'open':
        this.#before = ''
        this.#state = character === QUESTION_MARK ? 'target' : 'mark'
        return character === QUESTION_MARK || character === EXCLAMATION_MARK
      case 'mark':
        this.#state = 'dash'
        return character === DASH
      case 'dash':
        this.#state = 'comment'
        return character === DASH
      case 'comment':
        // What reads the document reports that a comment has two hyphens.
        if (character !== GREATER_THAN && this.#before.endsWith('--')) return false
        return this.#pass(character, '--')
      case 'target': {
        // A declaration belongs to a document, which may be cut off.
        if (this.#before === 'xml' && (isBlank(character) || character === QUESTION_MARK)) return false
        const isDeclaration = 'xml'.startsWith(this.#before + String.fromCharCode(character))
        if (!isDeclaration) this.#state = 'instruction'
        return this.#pass(character, '?')
      }
      case 'instruction':
        return this.#pass(character, '?')
    }
  }

  /** Passes what ends with a mark and `>`. */
  #pass(character: number, mark: string): boolean {
    if (character === GREATER_THAN && this.#before.endsWith(mark)) this.#state = 'between'
    this.#before = this.#before.slice(-3) + String.fromCharCode(character)
    return true
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x09 || byte === 0x0d
}
