// What a document has of an element that is to be edited: offsets, and what its start tag says.
//
// Offsets are in bytes, and count one of three texts. They are the same for a document in UTF-8 that is read from its beginning.
// - What is copied into the result: the input, or its UTF-8 where the document is converted. All offsets are of this kind unless their names say otherwise.
// - What is parsed, which is always UTF-8 (`parsedOffset`): lines and columns are found there.
// - The input, as it is given (`byteOffset`): users get these.

import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'

/** An attribute that is written in a tag: its name, where that begins, and the offset after its closing quote. */
export interface WrittenAttribute {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Where a tag or a reference begins, for messages. */
export interface FoundPlace {
  readonly parsedOffset: number
  readonly byteOffset: number
}

/** A start tag that edits are for, or one that declares namespaces. */
export interface FoundTag extends FoundPlace {
  readonly kind: 'start'
  /** Indices of the edits that match the element; none where it only declares something. */
  readonly edits: readonly number[]
  /** How many elements are open with it. */
  readonly depth: number
  readonly name: Name
  readonly namespace: string | undefined
  readonly attributes: XmlAttributes
  readonly written: readonly WrittenAttribute[]
  /** Where the tag begins, where its name ends, and where the tag ends. */
  readonly start: number
  readonly nameEnd: number
  readonly tagEnd: number
  readonly isEmpty: boolean
}

/** The end of an element whose start tag was found: where its end tag begins and ends, which are the same for an empty-element tag. */
export interface FoundEnd {
  readonly kind: 'end'
  readonly depth: number
  readonly start: number
  readonly end: number
}

/** Something that edits match, and that an entity brings. */
export interface FoundInEntity extends FoundPlace {
  readonly kind: 'entity'
  readonly name: string
  readonly entity: string
  /** Where the reference begins. */
  readonly start: number
}

/** The encoding that the document declares, which is another one than that of the result: where it stands. */
interface FoundEncoding {
  readonly kind: 'encoding'
  readonly start: number
  readonly end: number
}

export type Found = FoundTag | FoundEnd | FoundInEntity | FoundEncoding
