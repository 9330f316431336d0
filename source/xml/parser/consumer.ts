// Who reads a document: what a consumer knows of it, and how it reads its parts.

import type { LazyModule } from '../../async/lazy-module.ts'
import type { Machine } from '../../machine/run/machine.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { Expansion } from '../doctype/entity-limits.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { ExternalText } from '../doctype/external-text.ts'
import type { KnownEntities } from '../doctype/known-entities.ts'
import type { SkippedEntity } from '../doctype/skipped.ts'
import type { XmlError } from '../errors/errors.ts'
import type { UnplacedError } from '../errors/unplaced-error.ts'
import type { XmlAttributes } from '../names/attributes.ts'
import type { NameTable } from '../names/names.ts'
import type { NamespaceScopes } from '../names/namespaces.ts'
import type { PartTypes } from '../tape/part-types.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import type { XmlTape } from '../tape/xml-tape.ts'

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
  /** What references stand for that the document does not declare. */
  readonly entities: KnownEntities | undefined
  /** What has its UTF-8 as far as that has not been let go: views of it hold until `leave` has returned. */
  readonly machine: Pick<Machine, 'viewInput' | 'viewWindow' | 'locate'>
  readonly tape: Pick<XmlTape, 'decode' | 'prepareDecoding' | 'link'>
  /** The attributes of a start tag that is being read: `nameRecord` is the record of its name. Throws a `StringTooLong`. */
  attributesOf(frame: TapeFrame, nameRecord: number, tag: number): XmlAttributes
  /** Counts UTF-16 units that are written again at an offset, such as declarations around an element. Throws a `LimitError`. */
  count(units: number, byteOffset: number, what: Expansion, name: string): void
  /** The error for an {@link UnplacedError} that a consumer does not throw, because reading continues. */
  explain(fault: UnplacedError): XmlError
}

/** Finds what is wanted in complete elements on the tape, in the memory of a machine. */
export interface TapeKernel {
  /** Makes room for what it writes. Nothing may hold a view of the machine's memory. */
  reserve(): void
}

/** Reads the parts of a document, in their order. Offsets are in bytes, from 0. */
export interface Consumer {
  /**
   * Bytes of input whose texts are decoded together, as one string: a text that is kept keeps that. With 0, for hardly any text, each is decoded by
   * itself.
   */
  readonly sharedText: number
  /** UTF-16 units of text that it needs at once; if there are more, a text is read before it has ended. Undefined: texts are complete. */
  readonly textRoom?: number | undefined
  /** How many elements are open with the one up to whose end tag it needs no parts; 0: none at all. Undefined: it reads all parts that come next. */
  readonly dropDepth?: number | undefined
  /** Where the outermost open element begins of which something is wanted, in the input; undefined if there is none. */
  readonly openFrom?: number | undefined
  /** What is to be loaded before a kernel is attached; undefined for nothing. */
  readonly kernel?: LazyModule<unknown> | undefined
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
  /** An entity is left out. Parts before the reference to it may still have to be read, and some after it were read if they are in the same tag. */
  skip?(entity: SkippedEntity): void
  /** The records that are there, and their input, are about to go. */
  leave?(): void
  /** Nothing more comes: the document has ended, or is wrong. */
  finish?(): void
}

/** Wants nothing. */
export class NullConsumer implements Consumer {
  dropDepth: number | undefined = 0
  readonly sharedText = 0
  read(_frame: TapeFrame, _first: number, end: number): number {
    return end
  }
}
