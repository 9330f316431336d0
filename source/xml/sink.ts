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

/** Is told of everything in a document, in its order. Offsets are in bytes of the input, from 0. */
export interface Sink {
  /** Whether it wants text, comments and instructions now. Without, they are only checked. */
  readonly wantsContent: boolean
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
  endElement(name: Name, start: number, end: number): void
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
