// Every string of a document goes into a digest, and the digests of all engines must be equal.
//
// In document order: the name of each element, at its start and at its end; the name and value of each attribute; text, references
// decoded and CDATA sections among it, merged between tags, comments and instructions; comments; targets and data of instructions.
// Left out are the declaration, the document type, and white space outside of the root.
//
// Engines cut text in different places. Merging it is work that whoever wants text has to do, so it is part of what is measured;
// where text comes in one piece, it costs nothing.

import type { StringDigest } from './string-digest.ts'

/** What an engine has read, reported while it reads. */
export class EventStrings {
  readonly #digest: StringDigest
  #depth = 0
  #text = ''

  constructor(digest: StringDigest) {
    this.#digest = digest
  }

  /** The start of an element. Its attributes follow. */
  start(name: string): void {
    this.#endText()
    this.#depth++
    this.#digest.add(name)
  }

  attribute(name: string, value: string): void {
    this.#digest.add(name)
    this.#digest.add(value)
  }

  end(name: string): void {
    this.#endText()
    this.#depth--
    this.#digest.add(name)
  }

  /** Text, or a piece of it. */
  text(piece: string): void {
    if (this.#depth > 0) this.#text += piece
  }

  comment(text: string): void {
    this.#endText()
    this.#digest.add(text)
  }

  instruction(target: string, data: string): void {
    // Some engines take the XML declaration for an instruction.
    if (target === 'xml') return
    this.#endText()
    this.#digest.add(target)
    this.#digest.add(data)
  }

  #endText(): void {
    if (this.#text === '') return
    this.#digest.add(this.#text)
    this.#text = ''
  }
}
