// Texts whose elements are open: which stretches of the input belong to them, and what entities bring in between.

import { Decode } from '../../machine/program/registers.ts'
import type { FieldPlan } from '../question/plan.ts'
import { type Captures, HAS_ELEMENTS } from './captures.ts'

/** A match that is open; where matches in matches are not read, one stands for all of them. */
export interface Match {
  /** By the numbers of plans, the entry of the open record; 0 for none. */
  readonly entries: number[]
  /** Bytes of the input, and units of what entities bring, that its record covers. */
  covered: number
  /** Its open groups, the innermost last. */
  readonly groups: OpenGroup[]
}

/** Values with names whose element is open. */
export interface OpenGroup {
  readonly field: FieldPlan
  readonly match: Match
  readonly depth: number
  entry: number
}

interface OpenText {
  readonly field: FieldPlan
  /** The match that it belongs to. */
  readonly owner: Match
  readonly depth: number
  /** Where what was not captured yet begins: an offset of the input. */
  from: number
  /** The entry of the text, and that of its last piece. */
  entry: number
  last: number
  /** What its pieces are: content, or all of the element as it stands. What an entity brings is a string. */
  readonly kind: number
  /** How many elements are open with the one in it whose text does not belong to it; 0 for none. */
  holeDepth: number
}

export interface OpenTextsOptions {
  /**
   * Called with what a text of a match covers more, in bytes of the input or units of what entities bring, and up to which offset. It may throw
   * a `LimitError`.
   */
  readonly count: (owner: Match, field: FieldPlan, bytes: number, byteOffset: number) => void
  /** Called before the place where a text begins may be forgotten. */
  readonly note: (field: FieldPlan, entry: number) => void
}

/** They are in the order of their depths, so what concerns an element is at the end: nothing here looks at all of them for each element. */
export class OpenTexts {
  readonly #captures: Captures
  readonly #options: OpenTextsOptions
  readonly #texts: OpenText[] = []
  /** Those in no hole: in nested elements these may be few of many. */
  readonly #outsideHoles = new Set<OpenText>()

  constructor(captures: Captures, options: OpenTextsOptions) {
    this.#captures = captures
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0
  }

  /** The field of the outermost text; undefined if none is open. */
  get outermost(): FieldPlan | undefined {
    return this.#texts[0]?.field
  }

  /** The depth of the innermost element that concerns a text; 0 for none. */
  get depth(): number {
    const texts = this.#texts
    const deepest = texts.at(-1)?.depth ?? 0
    // A hole is one element deeper than its text.
    let depth = deepest
    for (let i = texts.length - 1; i >= 0 && texts[i]?.depth === deepest; i--) {
      depth = Math.max(depth, texts[i]?.holeDepth ?? 0)
    }
    return depth
  }

  /** Where the input begins that is still needed; infinite when none is. */
  get retainedFrom(): number {
    let least = Number.POSITIVE_INFINITY
    for (const { from } of this.#outsideHoles) if (from < least) least = from
    return least
  }

  /** Begins a text at an offset, in an element that is as deep as this, and gives its entry. */
  open(owner: Match, field: FieldPlan, kind: number, from: number, depth: number): number {
    const captures = this.#captures
    const entry = captures.addText(kind, from)
    const text = { field, owner, depth, from, entry, last: entry, kind, holeDepth: 0 }
    this.#texts.push(text)
    this.#outsideHoles.add(text)
    captures.setOpen(entry, true)
    return entry
  }

  /** A child of an element begins whose text does not belong to that of the element. False where that is known already. */
  openHole(field: FieldPlan, start: number, depth: number): boolean {
    const texts = this.#texts
    const captures = this.#captures
    const mark = field.error?.elements === undefined ? 0 : HAS_ELEMENTS
    let isNew = false
    for (let i = texts.length - 1; i >= 0; i--) {
      const open = texts[i] as OpenText
      if (open.depth < depth - 1) break
      if (open.field !== field || open.depth !== depth - 1 || open.holeDepth > 0) continue
      this.#endStretch(open, start)
      if (mark !== 0) captures.mark(open.entry, field.number, captures.markOf(open.entry) | mark)
      open.holeDepth = depth
      this.#outsideHoles.delete(open)
      isNew = true
    }
    return isNew
  }

  /** The element ends that is as deep as this: its content before one offset, and the element before another. */
  close(depth: number, contentEnd: number, end: number): void {
    const texts = this.#texts
    for (let open = texts.at(-1); open && open.depth === depth; open = texts.at(-1)) {
      texts.pop()
      this.#outsideHoles.delete(open)
      this.#captures.setOpen(open.entry, false)
      this.#endStretch(open, open.kind === Decode.PLAIN ? end : contentEnd)
    }
    for (let i = texts.length - 1; i >= 0; i--) {
      const open = texts[i] as OpenText
      if (open.depth < depth - 1) break
      if (open.holeDepth !== depth) continue
      open.holeDepth = 0
      this.#outsideHoles.add(open)
      open.from = Math.max(open.from, end)
    }
  }

  /** Forgets a text, if it is open: its value is not wanted any more. */
  forget(entry: number): void {
    if (!this.#captures.isOpen(entry)) return
    const open = this.#texts.findLast((one) => one.entry === entry)
    if (open) this.#remove(open)
  }

  /** Forgets the texts of fields that are not kept. */
  keep(isKept: (field: FieldPlan) => boolean): void {
    for (const open of this.#texts.toReversed()) if (!isKept(open.field)) this.#remove(open)
  }

  #remove(open: OpenText): void {
    this.#texts.splice(this.#texts.lastIndexOf(open), 1)
    this.#outsideHoles.delete(open)
    this.#captures.setOpen(open.entry, false)
  }

  /** The entries move. */
  forward(move: (entry: number) => number): void {
    for (const text of this.#texts) {
      text.entry = move(text.entry)
      text.last = move(text.last)
    }
  }

  /** An entity brings text, to which what stands between two offsets refers. Texts that are source have the reference. */
  addText(text: string, start: number, end: number): void {
    for (const open of this.#outsideHoles) {
      this.#options.count(open.owner, open.field, text.length, end)
      if (open.kind === Decode.CONTENT) this.#addString(open, text, start, end)
    }
  }

  #addString(open: OpenText, text: string, start: number, end: number): void {
    const captures = this.#captures
    if (open.last === open.entry && !captures.isEnded(open.entry)) this.#options.note(open.field, open.entry)
    this.#endStretch(open, start)
    const piece = captures.addString(text, start)
    captures.addPiece(open.last, piece)
    open.last = piece
    open.from = Math.max(open.from, end)
  }

  /** What there is of a text up to an offset becomes a piece of it. */
  #endStretch(open: OpenText, end: number): void {
    const { field, owner, entry, from } = open
    const captures = this.#captures
    this.#options.count(owner, field, end - from, end)
    if (open.last === entry && !captures.isEnded(entry)) {
      captures.endText(entry, Math.max(from, end))
    } else if (end > from) {
      const piece = captures.addText(open.kind, from, end)
      captures.mark(piece, field.number, 0)
      captures.addPiece(open.last, piece)
      open.last = piece
    }
  }
}
