// Where the next of several documents begins, if there is one.

import type { Cursor } from '../../stream/cursor.ts'
import { normalizeEncoding } from '../../text/encodings.ts'
import type { Position } from '../../text/line-counter.ts'
import { SkippedText } from '../text/skipped-text.ts'

/** Where a document has ended. */
export interface End {
  readonly position: Position
  readonly encoding: string
}

/** How the characters of markup are read: a byte stands for one, or two do. */
type Width = 'latin1' | 'utf-16le' | 'utf-16be'

/** The first bytes of a document in UTF-16: its mark, or `<`. */
const WIDE: Readonly<Record<string, Width>> = {
  fffe: 'utf-16le',
  '3c00': 'utf-16le',
  feff: 'utf-16be',
  '003c': 'utf-16be',
}

/** Bytes that are looked at in one step. */
const LONGEST_PIECE = 1024

const BLANKS = /^[ \t\r\n]*/
/** Markup that may stand between documents, by how it begins, and where it ends. A declaration belongs to a document, which may be cut off. */
const BETWEEN = /^(?:<!--|<\?(?!xml[ \t\r\n?]|(?:x|xm|xml)?$))/
/** What may become such markup. */
const BEGUN = /^<(?:!-?|\?(?:x|xm|xml)?)?$/
/** A byte order mark, and the beginning of one. */
const MARK = /^(?:\ufeff|\xef\xbb\xbf)/
const BEGUN_MARK = /^\xef\xbb?$/

/** Where the next document begins, after blanks; undefined where only blanks, comments and instructions are left, which are passed then. */
export async function findDocument(
  cursor: Cursor,
  { position, encoding }: End,
  said: string | undefined,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const skipped = new SkippedText(position)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') await skipBlanks(cursor, encoding, skipped, signal)
  await skipBlanks(cursor, 'latin1', skipped, signal)
  if (await beginsDocument(cursor, said, signal)) return { ...skipped.position, byteOffset: cursor.offset }
  cursor.skip(cursor.available)
  return undefined
}

async function skipBlanks(cursor: Cursor, width: Width, skipped: SkippedText, signal: AbortSignal): Promise<void> {
  const unit = width === 'latin1' ? 1 : 2
  while (await cursor.fill(unit, { signal })) {
    const text = decode(peekUnits(cursor, unit), width)
    const [blanks = ''] = BLANKS.exec(text) ?? []
    skipped.skip(new TextEncoder().encode(blanks))
    cursor.skip(blanks.length * unit)
    if (blanks.length < text.length) return
  }
}

/** The next characters that have arrived: few, because there may be many documents in a chunk. */
function peekUnits(cursor: Cursor, unit: number): Uint8Array {
  const length = Math.min(cursor.available, LONGEST_PIECE)
  return cursor.peek(length - (length % unit)) as Uint8Array
}

function decode(bytes: Uint8Array, width: Width): string {
  const units = width === 'utf-16be' ? bytes.map((_, i) => bytes[i ^ 1] as number) : bytes
  return new TextDecoder(width === 'latin1' ? width : 'utf-16le', { ignoreBOM: true }).decode(units)
}

/** Whether a document begins, as far as it can be seen without reading it. Does not move the cursor. */
async function beginsDocument(cursor: Cursor, said: string | undefined, signal: AbortSignal): Promise<boolean> {
  if (!(await cursor.fill(2, { signal }))) return cursor.available > 0
  const width = widthOf(cursor.peek(2) as Uint8Array, said)
  const unit = width === 'latin1' ? 1 : 2
  const ahead = cursor.clone()
  try {
    const between = new Between()
    while (await ahead.fill(unit, { signal })) {
      const bytes = peekUnits(ahead, unit)
      if (!between.pass(decode(bytes, width))) return true
      ahead.skip(bytes.length)
    }
    return ahead.available > 0 || between.isOpen
  } finally {
    ahead.release()
  }
}

function widthOf([first = 0, second = 0]: Uint8Array, said: string | undefined): Width {
  const name = said === undefined ? undefined : normalizeEncoding(said)
  if (name === 'utf-16le' || name === 'utf-16be') return name
  return WIDE[((first << 8) | second).toString(16).padStart(4, '0')] ?? 'latin1'
}

/** Passes blanks, comments and instructions in text that comes in pieces, after a byte order mark. */
class Between {
  /** What was not passed. */
  #text = ''
  /** How the markup ends that is open. */
  #end: '--' | '?>' | undefined
  #isStart = true

  /** Whether it stands in markup. */
  get isOpen(): boolean {
    return this.#end !== undefined || this.#text !== ''
  }

  /** False if a document begins, or something that belongs in none. */
  pass(piece: string): boolean {
    let text = this.#text + piece
    if (this.#isStart && BEGUN_MARK.test(text)) return this.#keep(text)
    if (this.#isStart) text = text.replace(MARK, '')
    this.#isStart = false
    for (;;) {
      if (this.#end === undefined) {
        text = text.replace(BLANKS, '')
        const [begin] = BETWEEN.exec(text) ?? []
        if (begin === undefined) return this.#keep(text) && (text === '' || BEGUN.test(text))
        this.#end = begin === '<?' ? '?>' : '--'
        text = text.slice(begin.length)
      }
      const at = text.indexOf(this.#end)
      if (at === -1) return this.#keep(text.slice(-1))
      // What reads the document reports that a comment has two hyphens.
      if (this.#end === '--') {
        if (at + 2 === text.length) return this.#keep(text.slice(at))
        if (text[at + 2] !== '>') return false
      }
      text = text.slice(at + (this.#end === '--' ? 3 : 2))
      this.#end = undefined
    }
  }

  #keep(text: string): true {
    this.#text = text
    return true
  }
}
