// Texts whose elements are open: which stretches of the input belong to them, and what entities bring in between.

import { Decode } from '../../machine/program/registers.ts'
import { escapeMarkup, startTagOf, type XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import { CaptureKind, type Captures } from './captures.ts'
import type { FieldPlan } from './plan.ts'

interface OpenText {
  readonly field: FieldPlan
  readonly depth: number
  /** Where what was not captured yet begins: an offset of the input. */
  from: number
  /** The entry of the text, and that of its last piece. */
  entry: number
  last: number
  /** What its pieces are: content, all of the element as it stands, or strings that stand for what an entity brings. */
  readonly kind: number
  /** How many elements are open with the one in it whose text does not belong to it; 0 for none. */
  holeDepth: number
}

export interface OpenTextsOptions {
  /** Called with what a text covers more, in bytes of the input or units of what entities bring, and up to which offset. It may throw a `LimitError`. */
  readonly count: (field: FieldPlan, bytes: number, byteOffset: number) => void
  /** Called before the place where a text begins may be forgotten. */
  readonly note: (field: FieldPlan, entry: number) => void
}

export class OpenTexts {
  readonly #captures: Captures
  readonly #options: OpenTextsOptions
  readonly #texts: OpenText[] = []
  /** The names of open elements whose source is put together. */
  readonly #names: string[] = []

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
    let depth = 0
    for (const open of this.#texts) depth = Math.max(depth, open.depth, open.holeDepth)
    return depth
  }

  /** Where the input begins that is still needed; infinite when none is. */
  get retainedFrom(): number {
    let least = Number.POSITIVE_INFINITY
    for (const { from, holeDepth, kind } of this.#texts) {
      if (holeDepth === 0 && kind !== CaptureKind.STRING && from < least) least = from
    }
    return least
  }

  /** Whether an entry is that of an open text. */
  has(entry: number): boolean {
    return this.#texts.some((open) => open.entry === entry)
  }

  /** Begins a text at an offset, in an element that is as deep as this, and gives its entry. */
  open(field: FieldPlan, kind: number, from: number, depth: number): number {
    const captures = this.#captures
    const entry = kind === CaptureKind.STRING ? captures.addString('', from) : captures.addText(kind, from)
    this.#texts.push({ field, depth, from, entry, last: entry, kind, holeDepth: 0 })
    return entry
  }

  /** A child of an element begins whose text does not belong to that of the element. False where that is known already. */
  openHole(field: FieldPlan, start: number, depth: number): boolean {
    const open = this.#texts.find((one) => one.field === field && one.depth === depth - 1)
    if (!open || open.holeDepth > 0) return false
    this.#endStretch(open, start)
    open.holeDepth = depth
    return true
  }

  /** The element ends that is as deep as this: its content before one offset, and the element before another. */
  close(depth: number, contentEnd: number, end: number): void {
    const texts = this.#texts
    for (const open of texts) {
      if (open.holeDepth !== depth) continue
      open.holeDepth = 0
      open.from = Math.max(open.from, end)
    }
    for (let open = texts.at(-1); open && open.depth === depth; open = texts.at(-1)) {
      texts.pop()
      if (open.kind !== CaptureKind.STRING) this.#endStretch(open, open.kind === Decode.PLAIN ? end : contentEnd)
    }
  }

  /** Forgets the texts of fields that are not kept. */
  keep(isKept: (field: FieldPlan) => boolean): void {
    const kept = this.#texts.filter(({ field }) => isKept(field))
    this.#texts.splice(0, this.#texts.length, ...kept)
  }

  /** The entries move. */
  forward(move: (entry: number) => number): void {
    for (const text of this.#texts) {
      text.entry = move(text.entry)
      text.last = move(text.last)
    }
  }

  /** An entity brings text, to which what stands between two offsets refers. */
  addText(text: string, start: number, end: number): void {
    const { field } = this.#texts.at(-1) as OpenText
    this.#options.count(field, this.#texts.length * text.length, end)
    for (const open of this.#texts) {
      if (open.kind === Decode.CONTENT && open.holeDepth === 0) this.#addString(open, text, start, end)
    }
    this.addMarkup(escapeMarkup(text), end)
  }

  /** An element begins, which an entity may have brought. */
  startElement(name: Name, attributes: XmlAttributes, end: number): void {
    if (!this.#hasMarkup) return
    this.#names.push(name.raw)
    this.#putMarkup(startTagOf(name.raw, attributes), end)
  }

  endElement(end: number): void {
    if (this.#hasMarkup) this.#putMarkup(`</${this.#names.pop()}>`, end)
  }

  /** Markup comes; where it is what an entity brings, it is put together. */
  addMarkup(source: string, end: number): void {
    if (this.#hasMarkup) this.#putMarkup(source, end)
  }

  #putMarkup(source: string, end: number): void {
    const captures = this.#captures
    for (const open of this.#texts) {
      if (open.kind !== CaptureKind.STRING) continue
      this.#options.count(open.field, source.length, end)
      const piece = captures.addString(source, end)
      captures.addPiece(open.last, piece)
      open.last = piece
    }
  }

  /** Whether an element is open that an entity brings, and that is wanted as it would stand in the input. */
  get #hasMarkup(): boolean {
    return this.#names.length > 0 || this.#texts.at(-1)?.kind === CaptureKind.STRING
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
    const { field, entry, from } = open
    const captures = this.#captures
    this.#options.count(field, end - from, end)
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
