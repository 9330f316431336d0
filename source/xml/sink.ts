// What a parser tells of a document.

import type { XmlAttributes } from './attributes.ts'
import type { DocumentType } from './document-type.ts'
import type { Name } from './names.ts'

/** The XML declaration. */
export interface XmlDeclaration {
  readonly version: string
  readonly encoding: string | undefined
  readonly standalone: boolean | undefined
}

/** An offset in the source, of one in the UTF-8 that was made of it and is still being read. */
export type ToSource = (offset: number) => number

/** Is told of everything in a document, in its order. Offsets are in bytes, from 0. */
export interface Sink {
  /** A document begins. Offsets are those of its UTF-8; the function gives those of the source, where they are others. */
  begin(toSource: ToSource | undefined): void
  /** Whether it wants text, comments and instructions now. Without, they are only checked. */
  readonly wantsContent: boolean
  /** Whether it wants most of the text of a document. */
  readonly wantsText: boolean
  /** Where it is a number: nothing is wanted of what comes, until the element at this depth ends; the root has the depth 1. */
  readonly skipDepth: number | undefined
  /** Whether it wants the attributes of an element that begins with a tag of this name. */
  wantsTag(name: Name): boolean
  declaration(declaration: XmlDeclaration, start: number, end: number): void
  documentType(type: DocumentType, start: number, end: number): void
  /** `namespace` is undefined when the element is in none, or namespaces are off. */
  startElement(
    name: Name,
    namespace: string | undefined,
    attributes: XmlAttributes,
    start: number,
    end: number,
    isEmpty: boolean,
  ): void
  endElement(start: number, end: number): void
  /** A piece of text; what comes in a row belongs together. */
  text(text: string, isCdata: boolean, start: number, end: number): void
  comment(text: string, start: number, end: number): void
  instruction(target: string, data: string, start: number, end: number): void
  /** Nothing more comes: the document has ended, or is at fault. */
  finish(): void
}

/** Wants nothing. */
export class NullSink implements Sink {
  readonly wantsContent = false
  readonly wantsText = false
  readonly skipDepth = 0
  begin(): void {}
  wantsTag(): boolean {
    return false
  }
  declaration(): void {}
  documentType(): void {}
  startElement(): void {}
  endElement(): void {}
  text(): void {}
  comment(): void {}
  instruction(): void {}
  finish(): void {}
}
