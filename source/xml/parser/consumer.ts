// Who reads a document: what a consumer knows of it, and how it reads its parts.

import type { Machine } from '../../machine/run/machine.ts'
import type { Position } from '../../text/line-counter.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import type { XmlError } from '../errors/errors.ts'
import type { UnplacedError } from '../errors/unplaced-error.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { NameTable } from '../names/names.ts'
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

/** What is the same for all of a document. */
export interface DocumentFacts {
  /** Offsets are reported in its UTF-8; this gives those in the source, if they differ. */
  readonly toSource: ToSource | undefined
  /** Its names by their symbols, as they become known. */
  readonly names: NameTable
  readonly types: PartTypes
  /** The declarations of namespaces that hold where parts are read; undefined where namespaces are off. */
  readonly scopes: NamespaceScopes | undefined
  readonly normalizesLineEnds: boolean
  /** Bytes of input that may be held at once, and UTF-16 units of what is made of it. */
  readonly maxRetained: number
  /** What the resolver gave before for such a request; undefined if it was not asked. */
  recall(request: ExternalRequest): ExternalText
  /** Its UTF-8 between two offsets, as far as it has not been let go: memory of the machine, until `leave` has returned. */
  viewInput(start: number, end: number): Uint8Array
  /** Memory with all of it that is retained, the offset of its first byte, and what is added to an offset for its address; as long as `viewInput`. */
  viewWindow(): { readonly bytes: Uint8Array; readonly start: number; readonly toAddress: number }
  /** Says that `decode` will be called, so that what it needs is there. */
  prepareDecoding(): void
  /**
   * What stretches of its UTF-8 that are still retained stand for, one after the other. `ranges` begins with `count` numbers, three for
   * each: where it begins and ends, and a kind (Decode). How many units there are up to the end of each comes to stand in `ends`. Undefined
   * where it is for the caller to find out.
   */
  decode(ranges: readonly number[], count: number, ends?: number[]): string | undefined
  /** Writes into the records of start tags from `first` to `end` where their elements end (tape/links.ts). */
  linkTags(frame: TapeFrame, first: number, end: number): void
  /** The attributes of a start tag that is being read: `nameRecord` is the record of its name. Throws a `StringTooLong`. */
  attributesOf(frame: TapeFrame, nameRecord: number, tag: number): XmlAttributes
  /** Line and column of an offset in its UTF-8 that has not been let go. */
  locate(offset: number): Position
  /** The error for an {@link UnplacedError} that a consumer does not throw, because reading continues. */
  explain(fault: UnplacedError): XmlError
}

/** Finds what is wanted in complete elements on the tape, in the memory of a machine. */
export interface TapeKernel {
  /** Makes room for what it writes. Nothing may hold a view of the machine's memory. */
  reserve(): void
}

/**
 * What becomes of the parts that come next: the consumer reads them; or until an element ends (`skipDepth`) it only gets their records, or does not even
 * need those.
 */
export type ConsumerUse = 'read' | 'skip' | 'drop'

/** Reads the parts of a document, in their order. Offsets are in bytes, from 0. */
export interface Consumer {
  /** Whether it wants most of the text of a document: then that is decoded at once. */
  readonly wantsText: boolean
  /** UTF-16 units of text that it needs at once; if there are more, a text is read before it has ended. Undefined: texts are complete. */
  readonly textRoom?: number | undefined
  readonly use: ConsumerUse
  /** How many elements are open with the one up to whose end tag it does not read. */
  readonly skipDepth?: number | undefined
  /** False as long as its kernel is to be loaded before one is attached. */
  readonly isKernelLoaded?: boolean
  loadKernel?(): Promise<void>
  /**
   * A kernel of its own for the document that a machine reads, before that begins or when its engine is another one; undefined where none can run.
   * Elements may wait on the tape for it.
   */
  attachKernel?(machine: Machine): TapeKernel | undefined
  begin?(facts: DocumentFacts): void
  declaration?(declaration: XmlDeclaration, start: number, end: number): void
  documentType?(type: DocumentType, start: number, end: number): void
  /**
   * Reads the parts among the records from `first` to `end`, which were inspected. `depth` elements are open. Returns the first record of those that it
   * leaves: none; or if `mayLeave`, an element whose end has not come, which is then given again, with more.
   */
  read(frame: TapeFrame, first: number, end: number, depth: number, mayLeave: boolean): number
  /** Gets the records that it skips, as their numbers among those of the tape: complete parts. */
  skipped?(first: number, end: number): void
  /** What comes next cannot be skipped, because its records do not say what it is: reads what was skipped, from the records in a frame of the tape. */
  readSkipped?(frame: TapeFrame, depth: number): void
  /** The records that are there, and their input, are about to go. */
  leave?(words: Int32Array): void
  /** Nothing more comes: the document has ended, or is wrong. */
  finish?(): void
}

/** Wants nothing. */
export class NullConsumer implements Consumer {
  use: ConsumerUse = 'drop'
  readonly wantsText = false
  read(_frame: TapeFrame, _first: number, end: number): number {
    return end
  }
}
