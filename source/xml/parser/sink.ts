// Who reads a document: what is reported, and what is taken from the tape.

import type { Machine } from '../../machine/run/machine.ts'
import type { Position } from '../../text/line-counter.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { ExternalRequest, ExternalText } from '../doctype/external.ts'
import type { XmlError } from '../errors/errors.ts'
import type { Fault } from '../errors/fault.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { Name, NameTable } from '../names/names.ts'
import type { NamespaceScopes } from '../names/namespaces.ts'
import type { PartTypes } from '../tape/part-types.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'

/** The XML declaration. */
export interface XmlDeclaration {
  readonly version: string
  readonly encoding: string | undefined
  readonly standalone: boolean | undefined
}

/** An offset in the source, of one in the UTF-8 that was made of it and is still being read. */
export type ToSource = (offset: number) => number

/** What holds for all of a document. */
export interface DocumentFacts {
  /** Offsets are reported in its UTF-8; this gives those in the source, if they differ. */
  readonly toSource: ToSource | undefined
  /** Its names by their symbols, as they become known. */
  readonly names: NameTable
  readonly types: PartTypes
  /** The declarations of namespaces that hold where parts are reported; undefined where namespaces are off. */
  readonly scopes: NamespaceScopes | undefined
  readonly normalizesLineEnds: boolean
  /** Bytes of input that may be held at once, and UTF-16 units of what is made of it. */
  readonly maxRetained: number
  /** The entity that brings what is being reported: the name of the outermost, to which the document refers; undefined for none. */
  entity(): string | undefined
  /** What the resolver gave before for such a request; undefined if it was not asked. */
  recall(request: ExternalRequest): ExternalText
  /** Its UTF-8 between two offsets, as far as it has not been let go: memory of the machine, until `leave` has returned. */
  viewInput(start: number, end: number): Uint8Array
  /** All of it that is retained, and the offset of its first byte; as long as `viewInput`. */
  viewWindow(): { readonly bytes: Uint8Array; readonly start: number }
  /** Says that `decode` will be called, so that what it needs is there. */
  prepareDecoding(): void
  /**
   * What stretches of its UTF-8 that are still retained stand for, one after the other. `ranges` begins with `count` numbers, three for
   * each: where it begins and ends, and a kind (Decode). How many units there are up to the end of each comes to stand in `ends`. Undefined
   * where it is for the caller to find out.
   */
  decode(ranges: readonly number[], count: number, ends?: number[]): string | undefined
  /** Writes into the records of start tags from `first` to `end`, as `skipped` got them, where their elements end (recorded-content.ts). */
  linkTags(first: number, end: number): void
  /** Line and column of an offset in its UTF-8 that has not been let go. To be asked for, like the next, in ascending order. */
  locate(offset: number): Position
  /** The error for a {@link Fault} that a sink does not throw, because reading continues. */
  explain(fault: Fault): XmlError
}

/** Gets what is in a document, in its order. Offsets are in bytes, from 0. */
export interface ContentHandler {
  /** A document begins. */
  begin(facts: DocumentFacts): void
  /** Whether it wants text, comments and instructions now. Without, they are only checked. */
  readonly wantsContent: boolean
  /** Whether it wants most of the text of a document, each text completely. */
  readonly wantsText: boolean
  /**
   * UTF-16 units of text that it takes now completely. Longer text is reported in stretches, and before it has ended; CDATA sections are, too,
   * where this is not infinite.
   */
  readonly textRoom: number
  /** Whether it wants the attributes of an element that begins with a tag of this name. */
  wantsTag(name: Name): boolean
  declaration(declaration: XmlDeclaration, start: number, end: number): void
  documentType(type: DocumentType, start: number, end: number): void
  /** `namespace` is undefined when the element is in none, or namespaces are off. The content of an element of an entity is reported part by part. */
  startElement(
    name: Name,
    namespace: string | undefined,
    attributes: XmlAttributes,
    start: number,
    end: number,
    isEmpty: boolean,
    isOfEntity: boolean,
  ): void
  endElement(start: number, end: number): void
  /** A CDATA section begins that is reported in stretches, with what stands before its text. */
  beginCdata(start: number, end: number): void
  /**
   * A piece of text; consecutive ones belong together. A verbatim piece is exactly what stands in the input. For others, the place of each character
   * is unknown.
   */
  text(text: string, isCdata: boolean, start: number, end: number, isVerbatim: boolean): void
  comment(text: string, start: number, end: number): void
  instruction(target: string, data: string, start: number, end: number): void
  /** Nothing more comes: the document has ended, or is wrong. */
  finish(): void
}

/**
 * What becomes of the parts that come next and need no inspection: they are reported one by one; the consumer takes them from the tape; or, until
 * the innermost of the reported elements ends, nothing of them is wanted: the consumer gets the records that were skipped, or they need not even be recorded.
 */
export type TapeUse = 'report' | 'take' | 'skip' | 'drop'

/** Takes complete elements from the tape in the memory of a machine. */
export interface TapeKernel {
  /** Makes room for what it writes. Nothing may hold a view of the machine's memory. */
  reserve(): void
}

/** Takes parts from the tape, or lets them be skipped. */
export interface TapeConsumer {
  /** False as long as its kernel is to be loaded before one is attached. */
  readonly isKernelLoaded?: boolean
  loadKernel?(): Promise<void>
  /**
   * A kernel of its own for the document that a machine reads, before that begins or when its engine is another one; undefined where none can run.
   * Elements may wait on the tape for it.
   */
  attachKernel?(machine: Machine): TapeKernel | undefined
  /** What becomes of what comes next. */
  readonly use: TapeUse
  /**
   * Takes the parts among the records from `first` to `end`. None of them needs inspection; their texts are in the frame's transcript if the handler
   * wants text.
   * `depth` elements are open. Gives the first record of those that it leaves: none; or a start tag at the end, for which it is not known
   * whether it is empty; or, if `mayLeave`, an element whose end has not come: it is then given again, with more.
   */
  takeRecords(frame: TapeFrame, first: number, end: number, depth: number, mayLeave: boolean): number
  /** Where it skips what is in an element whose start it took: how many elements are open with that one. */
  readonly takenDepth?: number | undefined
  /** Whether tags of this name may be skipped where nothing is wanted. It is asked once or more for each name, and answers the same. */
  canPass(name: Name): boolean
  /** Gets the records that were skipped (`skip`), as their numbers among the available ones: complete parts. */
  skipped?(first: number, end: number): void
  /**
   * Something comes that needs inspection. Gives all records that were skipped since the element began, and where it does, if they are to be
   * reported all the same. These are the records that are there.
   */
  reclaim?(words: Int32Array): { readonly words: Int32Array; readonly start: number } | undefined
  /** The records that are there, and their input, are about to go. */
  leave(words: Int32Array): void
}

/** Whoever reads a document: gets what is in it reported, and may take some of it from the tape. */
export interface Sink extends ContentHandler {
  /** Undefined if everything is to be reported. */
  readonly tape: TapeConsumer | undefined
}

/** Wants nothing. */
export class NullSink implements Sink, TapeConsumer {
  readonly tape = this
  readonly use: TapeUse = 'drop'
  readonly wantsContent = false
  readonly wantsText = false
  readonly textRoom = Number.POSITIVE_INFINITY
  takeRecords(_frame: TapeFrame, first: number): number {
    return first
  }
  begin(_facts: DocumentFacts): void {}
  canPass(): boolean {
    return true
  }
  leave(): void {}
  wantsTag(): boolean {
    return false
  }
  declaration(): void {}
  documentType(): void {}
  startElement(..._element: Parameters<ContentHandler['startElement']>): void {}
  endElement(): void {}
  beginCdata(): void {}
  text(): void {}
  comment(): void {}
  instruction(): void {}
  finish(): void {}
}
