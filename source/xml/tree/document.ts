// Documents as trees.

import type { Program } from '../../machine/program/program.ts'
import { TextPosition } from '../../machine/tree/text-position.ts'
import { encodeText } from '../../stream/chunk-encoder.ts'
import { InputLimit } from '../../stream/input-limit.ts'
import { doctypes } from '../doctype/doctypes.ts'
import type { DocumentType } from '../doctype/document-type.ts'
import type { ExternalRequest } from '../doctype/external.ts'
import type { SkippedEntity } from '../doctype/skipped.ts'
import { UnplacedError } from '../errors/unplaced-error.ts'
import { generalKernel } from '../language/kernels.ts'
import { programModules, restore } from '../language/programs.ts'
import type { Declaration } from '../names/namespaces.ts'
import { parserOptions, type SynchronousResolver, type XmlOptions } from '../options.ts'
import type { Consumer, DocumentFacts, ToSource, XmlDeclaration } from '../parser/consumer.ts'
import { XmlParser } from '../parser/parser.ts'
import { DECODED_PIECE, locateHeadFault, mapOf } from '../parser/run.ts'
import type { TapeFrame } from '../tape/tape-frame.ts'
import { USUAL_TRANSCRIPT } from '../tape/xml-tape.ts'
import { DocumentDecoder } from '../text/encoding.ts'
import type { XmlComment, XmlElement, XmlInstruction } from './element.ts'
import { ElementBuilder } from './element-builder.ts'

/** Options for `parseXml`. */
export interface XmlDocumentOptions extends Omit<XmlOptions, 'resolve' | 'signal' | 'fragment'> {
  /** Returns the text of external entities without waiting. Without a resolver, nothing outside the document is read. */
  resolve?: SynchronousResolver
}

/** A document as a tree. */
export interface XmlDocument {
  readonly root: XmlElement
  /** Undefined when there is none. */
  readonly declaration: XmlDeclaration | undefined
  readonly doctype: DocumentType | undefined
  /** The root element, and the comments and processing instructions around it. */
  readonly children: readonly (XmlElement | XmlComment | XmlInstruction)[]
}

/** Where a text stands that is read as a document. */
export interface XmlDocumentPlace {
  /** An offset in the source, of one in the text. */
  readonly toSource: ToSource
  /** The declarations of namespaces that hold around it. */
  readonly declarations: readonly Declaration[]
}

let program: Program | undefined

/**
 * Reads a complete document without waiting: all that it needs must have been loaded. Throws like `parseXml`, but for what is no document at all.
 */
export function parseDocument(
  input: string | Uint8Array,
  options: XmlDocumentOptions,
  parsing = parserOptions(options),
  place?: XmlDocumentPlace,
): XmlDocument {
  const { resolve } = options
  const builder = new DocumentBuilder(place?.declarations)
  const feeder = new PieceDecoder(input, options.encoding, parsing.machineLimits.maxInput)
  const { skipped, toSource } = feeder
  parsing.toSource = place?.toSource ?? toSource
  const { onReplace } = options
  if (onReplace && toSource) parsing.onReplace = (offset) => onReplace(toSource(offset))
  const position = new TextPosition(skipped, 1, 1, 0)
  const parser = new XmlParser(getProgram(), builder, parsing, position)
  try {
    for (;;) {
      const advance = parser.advance()
      if (advance === 'done') return builder.document
      if (advance === 'resolve') parser.answer(resolve?.(parser.request as ExternalRequest))
      else if (advance === 'input') feeder.feed(parser)
      else if (advance === 'load') throw new Error('a document needs a module that was not loaded')
    }
  } finally {
    parser.release()
  }
}

function getProgram(): Program {
  program ??= restore('document', programModules.document.required.program, generalKernel)
  return program
}

/** Gives a parser the UTF-8 of an input. */
class PieceDecoder {
  readonly #decoder: DocumentDecoder
  readonly #input: Uint8Array
  #read = 0
  #isEnded = false
  /** UTF-8 that was not taken over. */
  #rest: Uint8Array

  /** Throws an `XmlError` where the encoding is not known, or not the one that is declared, and a `LimitError` if the input is too long. */
  constructor(input: string | Uint8Array, said: string | undefined, maxInput: number) {
    const isText = typeof input === 'string'
    this.#decoder = new DocumentDecoder(said)
    this.#decoder.isOfText = isText
    this.#input = isText ? encodeText(input, 'U+FFFF') : input
    new InputLimit(0, maxInput).admit(this.#input.length)
    try {
      this.#rest = this.#decode()
    } catch (error) {
      throw error instanceof UnplacedError ? locateHeadFault(error, 0) : error
    }
  }

  /** Bytes of a mark at the start. */
  get skipped(): number {
    return this.#decoder.skipped
  }

  get toSource(): ToSource | undefined {
    return mapOf(this.#decoder)
  }

  feed(parser: XmlParser): void {
    while (this.#rest.length === 0 && this.#decoder.fault === undefined && !this.#isEnded) {
      this.#rest = this.#decode()
    }
    if (this.#rest.length > 0) {
      this.#rest = this.#rest.subarray(parser.append(this.#rest))
      // Of a small document this is all of it, and the parser need not come back to learn that nothing follows.
      if (this.#isRead) parser.finish()
    } else if (this.#decoder.fault !== undefined) parser.refuse(this.#decoder.fault)
    else parser.finish()
  }

  get #isRead(): boolean {
    return this.#rest.length === 0 && this.#read >= this.#input.length && this.#decoder.isTransparent
  }

  /** What the next bytes stand for, or what is left where there are none. */
  #decode(): Uint8Array {
    const decoder = this.#decoder
    const piece = this.#input.subarray(this.#read, this.#read + DECODED_PIECE)
    this.#read += piece.length
    const text = decoder.push(piece)
    // The first piece decides, unless the input ends before that.
    this.#isEnded = piece.length === 0 || !decoder.isDecided
    return this.#isEnded ? decoder.end() : text
  }
}

class DocumentBuilder implements Consumer {
  readonly sharedText = USUAL_TRANSCRIPT
  #builder: ElementBuilder | undefined
  readonly #children: (XmlElement | XmlComment | XmlInstruction)[] = []
  #root: XmlElement | undefined
  #declaration: XmlDeclaration | undefined
  #doctype: DocumentType | undefined
  #skipped: SkippedEntity | undefined
  readonly #declarations: readonly Declaration[]

  constructor(declarations: readonly Declaration[] = []) {
    this.#declarations = declarations
  }

  get document(): XmlDocument {
    const document = {
      root: this.#root as XmlElement,
      declaration: this.#declaration,
      doctype: this.#doctype,
      children: this.#children,
    }
    if (this.#skipped) doctypes.required.SkippedEntities.note(document, this.#skipped)
    return document
  }

  skip(entity: SkippedEntity): void {
    this.#skipped ??= entity
    this.#builder?.skip(entity)
  }

  begin(facts: DocumentFacts): void {
    this.#builder = new ElementBuilder(facts)
    for (const [prefix, namespace] of this.#declarations) facts.scopes?.declare(prefix, namespace, 0)
  }

  declaration(declaration: XmlDeclaration): void {
    this.#declaration = declaration
  }

  documentType(type: DocumentType): void {
    this.#doctype = type
  }

  read(frame: TapeFrame, first: number, end: number): number {
    const builder = this.#builder as ElementBuilder
    for (let part = first, record = 0; part < end; part = record + 1) {
      record = frame.partAt(part)
      const node = builder.add(frame, part, record)
      if (!node || builder.isOpen || node.type === 'text') continue
      if (node.type === 'element') this.#root = node
      this.#children.push(node)
    }
    return end
  }
}
