// What a document has of an element that is to be edited: offsets, and what its start tag says.
//
// Offsets are in bytes, and count one of three texts. They are the same for a document in UTF-8 that is read from its beginning.
// - What is copied into the result: the input, or its UTF-8 where the document is converted. All offsets are of this kind unless their names say otherwise.
// - What is parsed, which is always UTF-8 (`parsedOffset`): lines and columns are found there.
// - The input, as it is given (`byteOffset`): users get these.

import type { XmlAttributes } from '../names/attributes.ts'
import type { Name } from '../names/names.ts'
import type { Scope } from './scope.ts'

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

/** A start tag that edits are for. */
export interface FoundTag extends FoundPlace {
  readonly kind: 'start'
  /** Indices of the edits that match the element. */
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
  /** What its prefixes stand for around it, and in it; undefined where namespaces are off. */
  readonly outer: Scope | undefined
  readonly inner: Scope | undefined
}

/** The end of an element that edits are for: where its end tag begins and ends, which are the same for an empty-element tag. */
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
